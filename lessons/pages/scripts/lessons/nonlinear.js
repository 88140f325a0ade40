// Lesson 19: why nonlinear features hide the second descent over time.
// needs: page/page.js theory/random_features.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, spaced, kept } = TS;
  const { flow, twoStrengths } = TS.theory.randomFeatures;

  const [LONG, FEWER] = [spaced(0.01, 1e5, 71), spaced(0.01, 1e5, 41)];
  const SHARES = Array.from({ length: 16 }, (_, i) => Number((10 ** ((i - 20) / 8)).toPrecision(2)));

  const strong = (kappa, q, times) => flow({ ...twoStrengths(kappa, q), times }).excess_risk;
  const two = kept((kappa, q) => strong(kappa, q, LONG));
  const unbent = kept((kappa) => strong(kappa, 0, LONG));
  const equal = kept((q) => strong(1, q, LONG));
  const hills = kept((kappa) => SHARES.map((q) => hill(strong(kappa, q, FEWER))));

  // The most by which a risk rises and then falls again.
  function hill(risk) {
    const last = new Float64Array(risk.length);
    let least = Infinity;
    for (let i = risk.length - 1; i >= 0; i--) last[i] = least = Math.min(least, risk[i]);
    least = Infinity;
    const most = risk.reduce((top, each, i) => {
      least = Math.min(least, each);
      return Math.max(top, Math.min(each - least, each - last[i]));
    }, 0);
    return most > 1e-12 ? most : 0; // less is rounding
  }

  function compute({ kappa, q }) {
    return { two: two(kappa, q), unbent: unbent(kappa), equal: equal(q), hills: hills(kappa) };
  }

  function pictures({ kappa, q }, it) {
    const strengths = {
      [`κ = ${format(kappa)}, nonlinear share ${format(q)}`]: it.two,
      [`κ = ${format(kappa)}, linear features`]: it.unbent,
      "all inputs equally strong": it.equal,
    };
    const [first, final] = [SHARES[0], SHARES.at(-1)];
    return [
      chart(
        axis("training time s [1/curvature]", { scale: "log" }),
        axis("excess risk [output^2]", { low: 0 }),
        Object.entries(strengths).map(([name, risk], i) => line(LONG, risk, LOOKS[i], name)),
        {
          alt:
            `The excess risk over time ends at ${format(it.two.at(-1), ".3g")}, with linear features at ` +
            `${format(it.unbent.at(-1), ".3g")}.`,
        },
      ),
      chart(
        axis("nonlinear share q [1]", { scale: "log" }),
        axis("height of the hill [output^2]", { low: 0 }),
        [line(SHARES, it.hills, LOOKS[0], `κ = ${format(kappa)}`), ...(q >= first ? [now(q)] : [])],
        {
          alt:
            `The hill of the risk over time is ${format(it.hills[0], ".3f")} high at q = ${format(first)}, ` +
            `${format(it.hills.at(-1), ".3f")} at q = ${format(final)}.`,
          caption:
            "Height by which the risk rises and falls again between the two descents. With linear features " +
            `it is ${format(hill(it.unbent), ".3f")}.`,
        },
      ),
    ];
  }

  function words(at, it) {
    const [linear, bent, level] = [it.unbent, it.two, it.equal].map((risk) => format(hill(risk), ".3f"));
    return [
      `<p>At κ = ${format(at.kappa)} the risk rises and falls again by ${linear} with linear features, and ` +
        `by ${bent} with a nonlinear share of ${format(at.q)}. If all inputs are equally strong, the risk rises ` +
        `and falls by ${level}.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
