// Lesson 16: what wrong labels teach.
// needs: page/page.js theory/residual_digits.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, format } = TS;
  const CLASSES = 10;
  const STEPS = [...new Set(Array.from({ length: 15 }, (_, i) => Math.round(5000 ** (i / 14))))];
  const IMAGES = { images: TS.given, components: 20 };

  function compute({ noise, branch, decay }) {
    const it = TS.theory.residual_digits.descent({
      ...IMAGES, learning_rate: 12, times: STEPS,
      label_noise: noise, branch_scale: branch, weight_decay: decay,
    });
    const mean = (rows) => STEPS.map((_, t) => rows.reduce((sum, row) => sum + row[t], 0) / rows.length);
    const loss = mean(it.test_loss);
    return {
      ...it, loss, best: loss.indexOf(Math.min(...loss)),
      error: mean(it.test_error), trainingError: mean(it.training_error),
    };
  }

  function pictures(at, it) {
    const k = axis("steps k [1]", { scale: "log" });
    const { loss, best } = it;
    const share = (label) => axis(label, { low: 0, high: 1.02 });
    const [least, last] = [format(loss[best], ".3f"), format(loss.at(-1), ".3f")];
    const [error, training, truth, noise] = [it.error, it.trainingError, it.truth, it.wrong].map((each) =>
      format(each.at(-1), ".3f"));
    return [
      chart(k, axis("share of images said wrong [1]", { low: 0 }), [
        line(STEPS, it.error, LOOKS[0], "test images"),
        line(STEPS, it.trainingError, LOOKS[1], "training images, by the labels as given"),
      ], { alt: `In the end ${error} of test and ${training} of training images are wrong.` }),
      chart(k, axis("test loss [output²]", { low: 0 }), [
        line(STEPS, loss, LOOKS[0], "test loss"),
        line(STEPS, it.bias, LOOKS[2], "what the truth leaves to be learned"),
        line(STEPS, it.variance, LOOKS[1], "what wrong labels add, on average"),
      ], {
        alt: `The test loss is least, ${least}, after ${STEPS[best]} steps.`,
        caption: `Least: ${least} after ${STEPS[best]} steps. Last: ${last}.`,
      }),
      chart(k, share("share learned, on training images [1]"), [
        line(STEPS, it.truth, LOOKS[2], "of the truth"),
        line(STEPS, it.wrong, LOOKS[1], "of wrong labels, on average"),
      ], { alt: `In the end ${truth} of truth and ${noise} of noise.` }),
      chart(k, share("share of images with a wrong label [1]"), [
        line(STEPS, it.true, LOOKS[2], "said as it is"),
        line(STEPS, it.told, LOOKS[1], "said as it was told"),
      ], { alt: "What wide networks say of training images that have a wrong label, over steps." }),
    ];
  }

  function words({ noise }, it) {
    const strength = 1 - (noise * CLASSES) / (CLASSES - 1);
    const at = (values, place) => format(values.at(place), ".3f");
    const { best } = it;
    return [
      `<p>A share of ${format(noise)} of wrong labels leaves the strength <i>r</i> = ` +
        `${format(strength, ".3f")} of the lesson. When the test loss is least, after ${STEPS[best]} ` +
        `steps, ${at(it.truth, best)} of the truth is learned and ${at(it.wrong, best)} of the noise. ` +
        `The truth leaves ${at(it.bias, best)} to be learned then, and wrong labels add ` +
        `${at(it.variance, best)}; after the last step it is ${at(it.bias, -1)} and ` +
        `${at(it.variance, -1)}.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });

  // A scale of the branch needs its eigenvalues: they are found while nobody waits for them.
  [0.03, 0.05, 0.2, 0.3, 0].forEach((scale, i) =>
    setTimeout(() => TS.theory.residual_digits.prepare({ ...IMAGES, branch_scale: scale }), 500 + 200 * i));
})();
