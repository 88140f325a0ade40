// Lesson 5: how one feature starves another.
// needs: page/page.js theory/starvation.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format } = TS;
  const { primal, decoupled, end, decoupledEnd } = TS.theory.starvation;
  const TIMES = Array.from({ length: 61 }, (_, i) => 0.01 * 10 ** (i / 12));
  const EARLY = 24; // of the times: 1
  const STRENGTHS = Array.from({ length: 19 }, (_, i) => 6 ** (i / 18));
  const TRAINING = axis("training time t = ηk [1/curvature]", { scale: "log", high: 2000 });
  const SQUARE = "<i>s</i><sub>1</sub><sup>2</sup>";
  const DECOUPLED = axis("response z_j under spectral decoupling [margin]");

  function compute({ s1, delta, ridge }) {
    const question = { s1, s2: 2, delta, ridge, times: TIMES };
    return {
      paths: primal(question),
      alone: primal({ ...question, s1: 2, delta: 0 }),
      free: decoupled(question),
      freeEnd: decoupledEnd(question).z2,
      end: end(question),
      byStrength: STRENGTHS.map((each) => end({ ...question, s1: each }).z2),
    };
  }

  // The slopes of the loss of both examples over time, 1/(1 + e^m) at margins m = U z.
  function slopes({ z1, z2 }, delta) {
    const c = Math.sqrt(1 - delta ** 2);
    const slope = (m) => 1 / (1 + Math.exp(m));
    return [z1.map((z, t) => slope(c * z - delta * z2[t])), z1.map((z, t) => slope(delta * z + c * z2[t]))];
  }

  const responses = ({ z1, z2 }) => [
    line(TIMES, z1, LOOKS[0], "feature 1"),
    line(TIMES, z2, LOOKS[1], "feature 2"),
  ];

  function pictures({ s1, delta }, it) {
    const [first, second] = slopes(it.paths, delta);
    const [, without] = slopes(it.alone, 0);
    const left = second[EARLY];
    const strength = format(s1);
    const [z1, z2] = [it.paths.z1.at(-1), it.paths.z2.at(-1)].map((each) => format(each, ".2f"));
    const free = format(it.freeEnd, ".2f");
    const [low, high] = [it.byStrength[0], it.byStrength.at(-1)].map((each) => format(each, ".2f"));
    return [
      chart(TRAINING, axis("response z_j under ridge [margin]"), responses(it.paths), {
        alt: `Responses with s₁ = ${strength}; final values ${z1} and ${z2}.`,
      }),
      chart(TRAINING, axis("slope of the loss α_k [1]", { scale: "log" }), [
        line(TIMES, first, LOOKS[0], "example 1"),
        line(TIMES, second, LOOKS[1], "example 2"),
        line(TIMES, without, LOOKS[2], "example 2 without coupling"),
      ], {
        alt: `The slope of the loss of each example; for example 2 at t = 1 it is ${format(left, ".2g")}.`,
        caption:
          `At t = 1 the slope α of example 2 has fallen from one half to ${format(left, ".3f")}. Without ` +
          `coupling the slope would be ${format(without[EARLY], ".3f")}.`,
      }),
      chart(
        axis("strength of feature 1 s_1 [margin/weight]", { scale: "log" }),
        axis("final response to feature 2 z_2* [margin]"),
        [
          line(STRENGTHS, it.byStrength, LOOKS[1], "ridge"),
          line(STRENGTHS, STRENGTHS.map(() => it.freeEnd), LOOKS[2], "spectral decoupling"),
          now(s1, it.end.z2, LOOKS[1]),
          now(s1, it.freeEnd, LOOKS[2], { line: false }),
        ],
        {
          alt:
            `The final z₂ over s₁: under ridge ${low} at s₁ = 1 and ${high} at s₁ = 6; it is ` +
            "constant under spectral decoupling.",
          caption:
            `At s₁ = ${strength} training ends at z₂ = ${format(it.end.z2, ".3f")} under ridge and at ` +
            `${format(it.freeEnd, ".3f")} under spectral decoupling. Compare slopes, not levels, ` +
            "because λ penalises different quantities.",
        },
      ),
      chart(TRAINING, DECOUPLED, responses(it.free), {
        alt: `Responses over time under spectral decoupling; z₂ ends at ${free}.`,
      }),
    ];
  }

  function words({ s1, delta }, { end: { z2, dz2_ds1sq } }) {
    const rounded = Math.round(Math.sign(z2) * dz2_ds1sq * 1e12) / 1e12 + 0; // of |z_2|
    const percent = (s1 ** 2 * rounded) / Math.abs(z2);
    const said =
      rounded < 0 ? "<strong>Feature 1 starves feature 2</strong>"
        : rounded > 0 ? "Feature 1 <em>feeds</em> feature 2"
          : delta === 0 ? "Neither feature affects the other"
            : "Both features are equally strong, and the response to feature 2 is at its maximum over " +
              "<i>s</i><sub>1</sub>";
    return [
      `<p>${said}: at these settings ∂|<i>z</i><sub>2</sub>*|/∂(${SQUARE}) = ${format(rounded, ".2g")}. ` +
        `If ${SQUARE} increases by one per cent, the size of the response to feature 2 changes by ` +
        `${format(percent, ".2g")} per cent.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
