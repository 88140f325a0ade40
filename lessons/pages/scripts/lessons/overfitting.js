// Lesson 2: how small eigenvalues cause overfitting.
// needs: page/page.js theory/spectrum.js theory/one_scale.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture, format, even, spaced } = TS;
  const MANY = { scales: [[1000, 1]] };

  const TIMES = spaced(0.1, 1000, 81);
  const GRID = spaced(1e-4, 10, 101);
  const ALPHAS = even(-1, 1, 41).map((u) => {
    const closer = Math.sign(u) * Math.abs(u) ** 1.7; // together around 1
    return Math.round(1000 * 4 ** closer) / 1000;
  });
  const [FEWER, MORE] = [spaced(0.25, 0.997, 100), spaced(1.003, 4, 100)];

  const noiseOf = (lambda, s, sigma) => (sigma * Math.expm1(-lambda * s)) ** 2 / lambda;
  const placeOf = (values, best) => values.reduce((at, each, i) => (best(each, values[at]) ? i : at), 0);
  const least = (values) => placeOf(values, (a, b) => a < b);
  const most = (values) => placeOf(values, (a, b) => a > b);

  // A straight line through neighbours, as of a curve that is drawn.
  function between(x, xs, ys) {
    const i = Math.max(1, xs.findIndex((each) => each >= x));
    return x >= xs[xs.length - 1]
      ? ys[xs.length - 1]
      : ys[i - 1] + ((ys[i] - ys[i - 1]) * (x - xs[i - 1])) / (xs[i] - xs[i - 1]);
  }

  const flow = (alpha, noise, times) => TS.theory.one_scale.flow({ ...MANY, alpha, noise, times });

  function compute({ alpha, sigma, s }) {
    const { spectrum } = TS.theory;
    return {
      law: spectrum.of({ ...MANY, alpha }),
      below: spectrum.of({ ...MANY, alpha, eigenvalues: GRID }).share_below,
      slow: spectrum.of({ ...MANY, alpha, eigenvalues: [1 / s] }).share_below[0],
      errors: flow(alpha, sigma, TIMES),
      peak: ALPHAS.map((each) => flow(each, sigma, [s]).generalisation_error[0]),
    };
  }

  function density({ alpha }, { law }) {
    const [low, top] = law.band_edge[0].map((each) => format(each, ".2g"));
    const zeros = law.zeros
      ? `A share of ${format(law.zeros, ".2g")} of all eigenvalues is zero.`
      : "No eigenvalue is zero.";
    const high = law.band_edge[0][0] < 0.05 ? 1.3 : null;
    const y = axis("density of eigenvalues [1/curvature]", { low: 0, high });
    return chart(axis("eigenvalue λ of X^T X [curvature]", { low: 0 }), y, [
      line(law.eigenvalue, law.density, LOOKS[0], "Marchenko-Pastur law"),
    ], {
      alt: `The density of eigenvalues at α = ${format(alpha)}, from ${low} to ${top}.`,
      caption:
        `Eigenvalues at α = ${format(alpha)}. The positive values are between ${low} and ${top}. ${zeros}`,
    });
  }

  function cost({ sigma, s }, { below }) {
    const noise = GRID.map((each) => noiseOf(each, s, sigma));
    const worst = most(noise);
    const [where, size] = [format(GRID[worst], ".2g"), format(noise[worst], ".3g")];
    const x = axis("eigenvalue λ [curvature]", { scale: "log" });
    const label = `squared error of a mode at s = ${format(s)} [output^2]`;
    const y = axis(label, { scale: "log", low: 1e-3, high: 2e3 });
    return picture(
      [
        panel(x, y, [
          line(GRID, GRID.map((each) => Math.exp(-2 * each * s)), LOOKS[0], "not yet learned"),
          line(GRID, noise, LOOKS[1], "noise learned"),
          now(1 / s),
        ]),
        panel(
          x,
          axis("share of modes below λ [1]", { low: 0, high: 1.15 }),
          [line(GRID, below, LOOKS[2], "share of modes with a smaller eigenvalue")],
          { height: 76 },
        ),
      ],
      {
        alt: `Error of a mode over λ: the noise is largest near λ = ${where}, at ${size}.`,
        caption:
          `A mode that has just been learned contributes most noise: here ${size}, at λ = ${where}. ` +
          "Modes far below λ = 1/s (thin line) contribute little noise.",
      },
    );
  }

  function overAlpha({ alpha, sigma, s }, { peak }) {
    const noise = sigma ** 2;
    const ever = [
      ...FEWER.map((each) => 1 - each + noise / (1 - each)),
      ...MORE.map((each) => (noise * each) / (each - 1)),
    ];
    const x = axis("examples per parameter α [1]", { scale: "log" });
    const y = axis("error on unseen examples [output^2]", { scale: "log", high: 30 });
    return chart(x, y, [
      line(ALPHAS, peak, LOOKS[0], `trained for s = ${format(s)}`),
      line([...FEWER, ...MORE], ever, LOOKS[1], "trained for s → ∞"),
      now(alpha),
    ], { alt: `The error over α after s = ${format(s)} is at most ${format(peak[most(peak)], ".2f")}.` });
  }

  function overTime({ alpha, s }, { errors }) {
    const unseen = errors.generalisation_error;
    const lowest = format(unseen[least(unseen)], ".2f");
    const x = axis("training time s [1/curvature]", { scale: "log", high: 1500 });
    return chart(x, axis(`error at α = ${format(alpha)} [output^2]`, { low: 0 }), [
      line(TIMES, unseen, LOOKS[0], "unseen examples"),
      line(TIMES, errors.training_error, LOOKS[1], "training examples"),
      now(s),
    ], { alt: `Errors over time at α = ${format(alpha)}; on unseen examples at least ${lowest}.` });
  }

  function words({ alpha, sigma, s }, { errors, slow }) {
    const unseen = errors.generalisation_error;
    const best = least(unseen);
    const here = format(between(s, TIMES, unseen), ".3g");
    const course = TIMES[best] < s
      ? `The error was lowest near <i>s</i> = ${format(TIMES[best], ".2g")}, at ` +
        `${format(unseen[best], ".3g")}. Now it is ${here}.`
      : `The error is ${here} and is still falling.`;
    const [noise, features, more] = [sigma ** 2, 100, 1.1];
    const ends = noise * (1 + features / (110 - features - 1)); // mean of 1/λ: d/(n - d - 1)
    return [
      `<p>At <i>α</i> = ${format(alpha)} and <i>σ</i> = ${format(sigma)}, after <i>s</i> = ${format(s)}: ` +
        `a share of ${format(slow, ".2g")} of the modes has <i>λ</i> &lt; 1/<i>s</i>. These modes are not ` +
        `learned yet, or never will be. ${course} The error on the training ` +
        `examples does not show overfitting, because it only falls.</p>`,
      `<p>An example of this bias at <i>σ</i> = ${format(sigma)} and <i>α</i> = ${format(more)}: for ` +
        `<i>s</i> → ∞ the error with ${features} features is ${format(ends, ".3g")} instead of ` +
        `${format((noise * more) / (more - 1), ".3g")}.</p>`,
    ];
  }

  const pictures = (at, it) => [density(at, it), cost(at, it), overAlpha(at, it), overTime(at, it)];

  TS.page({ compute, pictures, words });
})();
