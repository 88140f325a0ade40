// Lesson 3: when the error descends once and when twice.
// needs: page/page.js theory/multiscale.js theory/printed.js theory/spectrum.js theory/turns.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, panel, picture, format } = TS;
  const { multiscale, printed, spectrum, turns } = TS.theory;

  const TIMES = Array.from({ length: 121 }, (_, i) => 10 ** (-1 + i / 15));
  const GREY = { colour: "#7b8794", marker: "cross" };
  const MARK = LOOKS[1];
  const CLOCK = axis("training time s [1/curvature]", { scale: "log", high: 2e7 });

  const short = (value) => format(Number(format(value, ".2g")));
  const signed = (value) => format(value, "+.3f");

  // The parts of the risk by scale, at each time.
  const partsOf = ({ bias, variance, start }) =>
    bias.map((row, t) => Array.from(row, (each, k) => each + variance[t][k] + start[t][k]));

  function compute({ kappa, alpha, share, noise }) {
    const question = { alpha, d: 100, p: Math.round(100 * share), kappa, noise };
    const flow = (times) => {
      const curve = multiscale.curve({ dynamics: "flow", times, ...question });
      return { ...curve, parts: partsOf(curve) };
    };
    const turned = turns.of(question);
    return {
      theory: flow(TIMES),
      printed: printed.curve({ dynamics: "flow", times: TIMES, ...question }),
      turned,
      at: turned.time.length ? flow(turned.time) : { R: [], Q: [], parts: [] },
      below: spectrum.of({ ...question, eigenvalues: TIMES.map((time) => 1 / time).reverse() }).share_below,
    };
  }

  function risk({ theory, printed: approximate, turned }) {
    const marks = turned.time.map((time, i) => {
      const height = turned.excess_risk[i];
      return line([time / 1.6, time * 1.6], [height, height], MARK, "where the error turns");
    });
    const times = turned.time.map(short).join(", ");
    const course = times ? `turns at s = ${times}` : "falls throughout";
    return chart(CLOCK, axis("excess risk L_G [output^2]", { low: 0 }), [
      line(TIMES, theory.excess_risk, LOOKS[0], "theory"),
      line(TIMES, approximate.excess_risk, LOOKS[4], "as printed (approximate)", { dashed: true }),
      ...marks,
    ], { alt: `The excess risk over time ${course}.` });
  }

  function plane({ theory, at }) {
    const { R, Q } = theory;
    const levels = Array.from({ length: 21 }, (_, i) =>
      line([0, 1.2], [-1 + i / 5, 1.4 + i / 5], GREY, "equal error, in steps of 0.1", { width: 1 }));
    const along = Array.from({ length: 25 }, (_, i) => i / 20);
    const marks = Array.from(at.R, (r, i) =>
      line([r - 0.05, r + 0.05], [at.Q[i] - 0.1, at.Q[i] + 0.1], MARK, "where the error turns"));
    const last = R.length - 1;
    return chart(
      axis("alignment R [1]", { low: 0, high: 1.2 }),
      axis("modulated norm Q [1]", { low: 0, high: Math.max(1.3, 1.15 * Math.max(...Q)) }),
      [
        ...levels,
        line(along, along.map((r) => r * r), LOOKS[3], "Q = R², the lower bound"),
        line(R, Q, LOOKS[0], "theory"),
        ...marks,
      ],
      {
        alt: `The path from R = Q = 0 to R = ${format(R[last], ".2f")}, Q = ${format(Q[last], ".2f")}.`,
        height: 310,
      },
    );
  }

  function parts({ theory }) {
    const [fast, slow] = [0, 1].map((k) => theory.parts.map((row) => row[k]));
    return chart(CLOCK, axis("contribution to the excess risk [output^2]", { low: 0 }), [
      line(TIMES, fast, LOOKS[0], "fast features"),
      line(TIMES, slow, LOOKS[1], "slow features"),
    ], {
      alt:
        "The contribution of the fast features to the risk has a minimum of " +
        `${format(Math.min(...fast), ".2f")}.`,
    });
  }

  function order({ kappa }, { theory, below }) {
    return picture(
      [
        panel(CLOCK, axis("R and Q [1]", { low: 0 }), [
          line(TIMES, theory.R, LOOKS[0], "R"), line(TIMES, theory.Q, LOOKS[1], "Q"),
        ]),
        panel(
          CLOCK,
          axis("share of modes with 1/λ < s [1]", { low: 0, high: 1.15 }),
          [line([...TIMES].reverse(), below.map((share) => 1 - share), LOOKS[2], "modes already learned")],
          { height: 76 },
        ),
      ],
      {
        alt: "R and Q grow on two time scales.",
        caption: `Lower panel: the two time scales differ by a factor κ² = ${short(kappa * kappa)}.`,
      },
    );
  }

  function words(_, { theory, turned, at }) {
    const told = turned.time.map((time, i) => {
      const kind = turned.is_minimum[i] ? "minimum" : "maximum";
      return `a ${kind} of ${format(turned.excess_risk[i], ".3g")} at <i>s</i> = ${short(time)}`;
    });
    let said = told.length ? `the error has ${told.join(", ")}.` : "the error falls throughout.";
    if (turned.is_minimum.includes(true) && turned.is_minimum.includes(false)) {
      const [before, after] = at.parts;
      said +=
        ` While the error rises, <i>R</i> grows by ${format(at.R[1] - at.R[0], ".3f")} and <i>Q</i> by ` +
        `${format(at.Q[1] - at.Q[0], ".3f")}, more than twice as much. The contribution of the fast features ` +
        `to the risk changes by ${signed(after[0] - before[0])}, ` +
        `the contribution of the slow features by ${signed(after[1] - before[1])}.`;
    }
    const last = Number(format(theory.excess_risk[TIMES.length - 1], ".4f"));
    return [`<p>At these settings ${said} At <i>s</i> = 10<sup>7</sup> the error is ${format(last)}.</p>`];
  }

  const pictures = (at, it) => [risk(it), plane(it), parts(it), order(at, it)];

  TS.page({ compute, pictures, words });
})();
