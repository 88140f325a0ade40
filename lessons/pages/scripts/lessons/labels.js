// Lesson 16: what a network learns from wrong labels.
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
      chart(k, axis("classification error [1]", { low: 0 }), [
        line(STEPS, it.error, LOOKS[0], "test images"),
        line(STEPS, it.trainingError, LOOKS[1], "training images, compared with the given labels"),
      ], { alt: `At the end the error is ${error} on test and ${training} on training images.` }),
      chart(k, axis("test loss [output²]", { low: 0 }), [
        line(STEPS, loss, LOOKS[0], "test loss"),
        line(STEPS, it.bias, LOOKS[2], "part of the truth not yet learned"),
        line(STEPS, it.variance, LOOKS[1], "part added by wrong labels, on average"),
      ], {
        alt: `The test loss has its minimum, ${least}, after ${STEPS[best]} steps.`,
        caption: `Minimum ${least} after ${STEPS[best]} steps; final value ${last}.`,
      }),
      chart(k, share("share learned on training images [1]"), [
        line(STEPS, it.truth, LOOKS[2], "right labels"),
        line(STEPS, it.wrong, LOOKS[1], "noise of wrong labels, on average"),
      ], { alt: `Learned: ${truth} of the truth, ${noise} of the noise.` }),
      chart(k, share("share of images with a wrong label [1]"), [
        line(STEPS, it.true, LOOKS[2], "classified as the true class"),
        line(STEPS, it.told, LOOKS[1], "classified as the wrong label"),
      ], { alt: "How wide networks classify training images that have a wrong label, over steps." }),
    ];
  }

  function words({ noise }, it) {
    const strength = 1 - (noise * CLASSES) / (CLASSES - 1);
    const at = (values, place) => format(values.at(place), ".3f");
    const { best } = it;
    return [
      `<p>A share of ${format(noise)} of wrong labels reduces the strength of the signal to <i>r</i> = ` +
        `${format(strength, ".3f")}. The test loss has its minimum after ${STEPS[best]} steps. ` +
        `Then ${at(it.truth, best)} of the truth is learned and ${at(it.wrong, best)} of the noise. ` +
        `The part of the truth not yet learned contributes ${at(it.bias, best)} to the loss, and wrong ` +
        `labels add ${at(it.variance, best)}. After the last step the two parts of the loss are ${at(it.bias, -1)} ` +
        `and ${at(it.variance, -1)}.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });

  // A scale of the branch needs its eigenvalues: they are found while nobody waits for them.
  [0.03, 0.05, 0.2, 0.3, 0].forEach((scale, i) =>
    setTimeout(() => TS.theory.residual_digits.prepare({ ...IMAGES, branch_scale: scale }), 500 + 200 * i));
})();
