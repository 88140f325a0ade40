// Lesson 8: from the classical U to double descent.
// needs: page/page.js theory/random_features.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture, format, even, spaced, kept } = TS;
  const { flow, ridgeless } = TS.theory.randomFeatures;

  const COURSE = spaced(0.1, 1e4, 61);
  const NEAR = spaced(5e-3, 1, 60);
  const AROUND = even(-1, 1, 37).map((u) => Math.sign(u) * Math.abs(u) ** 1.9);
  const BELOW = Array.from({ length: 97 }, (_, i) => 0.02 + i / 100);
  const CAUSES = ["bias", "variance due to features", "variance due to samples", "variance due to label noise"];
  const [PSI1, PSI2] = ["features per input N/d [1]", "samples per input n/d [1]"];
  const [TIME, RISK] = ["training time s [1/curvature]", "excess risk [output^2]"];

  const around = (threshold) => AROUND.map((u) => Math.round(1e4 * threshold * 8 ** u) / 1e4);

  const course = kept(
    (psi1, psi2, noise, ridge) => flow({ psi1, psi2, noise, ridge, times: COURSE }).excess_risk,
  );

  // Bias, and variances due to features, samples and label noise, at each width.
  const causes = kept((psi2, noise, ridge, s) =>
    around(psi2).map((psi1) => {
      const one = flow({ psi1, psi2, noise, ridge, times: [s], parts: true });
      return [
        one.bias[0],
        one.variance_features[0] + one.variance_features_samples[0],
        one.variance_samples[0],
        one.variance_noise[0] + one.variance_features_noise[0],
      ];
    }));

  const overSamples = kept((psi1, noise, ridge, s) =>
    around(psi1).map((psi2) => flow({ psi1, psi2, noise, ridge, times: [s] }).excess_risk[0]));

  function compute({ samples, features, noise, ridge, s }) {
    return {
      course: course(features, samples, noise, ridge),
      causes: causes(samples, noise, ridge, s),
      overSamples: overSamples(features, noise, ridge, s),
    };
  }

  const total = (parts) => parts.reduce((sum, each) => sum + each, 0);
  const largest = (values) => values.reduce((at, each, i) => (each > values[at] ? i : at), 0);
  const smallest = (values) => largest(values.map((each) => -each));

  // Where the risk over ratios is largest, in words.
  function highest(risks, ratios, ratio, threshold) {
    const at = largest(risks);
    const [most, there] = [`at most ${format(risks[at], ".3g")}`, format(ratios[at], ".3g")];
    if (at === 0 || at === risks.length - 1) {
      return `${most}, at the ${at === 0 ? "least" : "largest"} ${ratio}, ${there}`;
    }
    const middle = format(ratios[(ratios.length - 1) / 2], ".3g");
    return `${most}; it peaks at ${ratio} = ${there}, and ${threshold} is at ${middle}`;
  }

  // The risk over one ratio, the other one fixed, with the line of the formulas and the threshold.
  function walk(x, fixed, never, ratios, risks, label) {
    const fine = [...NEAR.map((u) => -u).reverse(), NaN, ...NEAR].map((u) => fixed * 8 ** u);
    return panel(axis(x, { scale: "log" }), axis(RISK, { scale: "log", high: 30 }), [
      line(fine, never(fine), LOOKS[1], "no ridge, infinite training time"),
      now(fixed),
      line(ratios, risks, LOOKS[0], label),
    ]);
  }

  const alike = (value) => (others) => others.map(() => value);

  function pictures(at, it) {
    const { samples: n, features: N, noise } = at;
    const label = `ridge ${format(at.ridge)}, stopped at s = ${format(at.s)}`;
    const [widths, sizes] = [around(n), around(N)];
    const overWidth = it.causes.map(total);
    const never = (psi1, psi2) => ridgeless({ psi1, psi2, noise }).excess_risk;
    const last = CAUSES.map((name, i) => `${name} ${format(it.causes.at(-1)[i], ".3g")}`).join(", ");
    return [
      picture([walk(PSI1, n, (fine) => never(fine, alike(n)(fine)), widths, overWidth, label)], {
        alt: `The excess risk over the width is ${highest(overWidth, widths, "N/d", "N = n")}.`,
        caption: `Risk over the width at n/d = ${format(n)}. The thin line is at N = n.`,
      }),
      chart(
        axis(PSI1, { scale: "log" }),
        axis("parts of the excess risk [output^2]", { scale: "log", low: 1e-3, high: 30 }),
        [
          now(n),
          ...CAUSES.map((name, i) => line(widths, it.causes.map((each) => each[i]), LOOKS[i], name)),
        ],
        {
          alt:
            "Parts of the excess risk over the width. " +
            `At ${format(widths.at(-1))} features per input: ${last}.`,
          caption:
            "The parts add up to the blue line of the other picture. The joint effect of features and " +
            "samples is counted as features, the joint effect of label noise and features as label noise.",
        },
      ),
      picture([walk(PSI2, N, (fine) => never(alike(N)(fine), fine), sizes, it.overSamples, label)], {
        alt: `The excess risk over the samples is ${highest(it.overSamples, sizes, "n/d", "n = N")}.`,
        caption: `Risk over the samples at N/d = ${format(N)}. The thin line is at n = N.`,
      }),
      chart(axis(TIME, { scale: "log" }), axis(RISK, { scale: "log" }), [
        line(COURSE, it.course, LOOKS[0], label.split(",")[0]),
        now(at.s),
      ], {
        alt: `The excess risk over training time is at least ${format(Math.min(...it.course), ".3g")}.`,
        caption:
          `Risk over time at N/d = ${format(N)} and n/d = ${format(n)}. The thin line is at your time s.`,
      }),
    ];
  }

  function words(at, it) {
    const { samples: n, features: N, noise } = at;
    const below = BELOW.map((share) => share * n);
    const alone = (psi1) => ridgeless({ psi1, psi2: psi1.map(() => n), noise }).excess_risk;
    const classical = alone(below);
    const bottom = smallest(classical);
    const stopped = it.causes.map(total);
    const middle = it.causes[(it.causes.length - 1) / 2];
    const shares = middle.map((each) => format(each / total(middle), ".1%"));
    const best = smallest(it.course);
    const [width, fewer] = ["<i>N</i>/<i>d</i>", "<i>n</i>/<i>d</i>"];
    const [share, lowest] = [format(below[bottom], ".2g"), format(classical[bottom], ".3g")];
    const [most, wide] = [Math.max(...stopped), stopped.at(-1)].map((each) => format(each, ".3g"));
    const endless = format(alone([1e9])[0], ".3g");
    return [
      `<p><strong>Over the width,</strong> at ${fewer} = ${format(n)}: without a ridge, the classical U ` +
        `has its lowest point, ${lowest}, at ${width} = ${share}. With infinitely many features the risk is ` +
        `${endless}. If training stops at <i>s</i> = ${format(at.s)}, the risk is ${most} at most, and ` +
        `${wide} at ${width} = ${format(around(n).at(-1))}. At the threshold ${shares[0]} of the risk is ` +
        `bias. The random draw of features causes ${shares[1]} of the risk, the draw of samples ` +
        `${shares[2]}, and the label noise ${shares[3]}.</p>`,
      `<p><strong>Over time,</strong> at ${width} = ${format(N)} and ${fewer} = ${format(n)}: the risk is ` +
        `lowest, ${format(it.course[best], ".3g")}, near <i>s</i> = ${format(COURSE[best], ".2g")}, and ` +
        `is ${format(it.course.at(-1), ".3g")} at <i>s</i> = 10<sup>4</sup>.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
