// Lesson 4: reading a phase diagram and finding its boundary.
// needs: page/page.js theory/multiscale.js theory/printed.js theory/turns.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, given, even, kept } = TS;
  const { multiscale, printed, turns } = TS.theory;

  const SHAPE = { d: 100, p: 70 }; // as in Fig. 4
  const ALONG = even(3 ** -0.5, 1.1 ** -0.5, 25).reverse().map((each) => each ** -2); // alpha on a boundary
  const CURVES = { flow: "gradient flow", ridge: "ridge regression", printed: "printed formulas" };
  const NAMES = Object.keys(CURVES);
  const BEYOND = [0.05, 0.1, 0.2, 0.4, 0.7, 1];
  const FINE = Array.from({ length: 41 }, (_, i) => i / 40);
  const TIMES = Array.from({ length: 181 }, (_, i) => 0.3 * (1e4 / 0.3) ** (i / 180));
  const GREY = { colour: "#7b8794", marker: "cross" };
  const CLOCK = axis("training time s, or 1/ridge [1/curvature]", { scale: "log" });

  const riseOf = ({ excess_risk: [lowest, highest] }) => highest - lowest;

  const heightsOf = kept((alpha, noise, critical) =>
    BEYOND.map((beyond) => riseOf(turns.of({ ...SHAPE, alpha, noise, kappa: (1 + beyond) * critical }))));

  // The condition numbers of a boundary along ALONG: its logarithm is a polynomial in alpha^(-1/2) through those
  // at the values of alpha that were bisected, by Lagrange's formula.
  function between(values) {
    const at = given.alpha.map((each) => each ** -0.5);
    return ALONG.map((alpha) => {
      const share = (i) => at.reduce((product, each, j) =>
        (j === i ? product : product * ((alpha ** -0.5 - each) / (at[i] - each))), 1);
      return Math.exp(values.reduce((sum, each, i) => sum + Math.log(each) * share(i), 0));
    });
  }

  const boundaryOf = kept((noise) => {
    const row = given.noise.indexOf(noise);
    return Object.fromEntries(NAMES.map((curve) => [curve, between(given[curve][row])]));
  });

  // The slope of a curve by neighbours that may lie at unequal distances.
  function slopes(x, y) {
    const last = x.length - 1;
    const step = (i) => (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    return Array.from(y, (_, i) => {
      if (i === 0 || i === last) return step(i ? last - 1 : 0);
      const [before, after] = [x[i] - x[i - 1], x[i + 1] - x[i]];
      return (after * step(i - 1) + before * step(i)) / (before + after);
    });
  }

  function compute({ kappa, alpha, noise, boundaries }) {
    const here = { ...SHAPE, kappa, alpha, noise };
    const risk = {
      flow: multiscale.curve({ dynamics: "flow", times: TIMES, ...here }).excess_risk,
      ridge: multiscale.curve({ dynamics: "ridge", times: TIMES, ...here }).excess_risk,
      printed: printed.curve({ dynamics: "ridge", times: TIMES, ...here }).excess_risk,
    };
    const turned = Object.fromEntries(NAMES.map((curve) => [curve, turns.of({ curve, ...here })]));
    if (boundaries === "hidden") return { risk, turned, boundary: null };
    const place = [given.noise.indexOf(noise), given.alpha.indexOf(alpha)];
    const critical = Object.fromEntries(NAMES.map((curve) => [curve, given[curve][place[0]][place[1]]]));
    const heights = heightsOf(alpha, noise, critical.flow);
    return { risk, turned, critical, boundary: boundaryOf(noise), heights };
  }

  const lineOf = (curve, i, x, y) => line(x, y, LOOKS[i], CURVES[curve], { dashed: curve === "printed" });
  const lines = (x, ys) => NAMES.map((curve, i) => lineOf(curve, i, x, ys[curve]));

  function risks({ kappa, alpha }, { risk }) {
    return chart(CLOCK, axis("excess risk L_G [output^2]"), lines(TIMES, risk), {
      alt:
        `Excess risk over time at κ = ${format(kappa)}, α = ${format(alpha)}, in three conventions.`,
    });
  }

  function slope(_, { risk }) {
    const logs = TIMES.map(Math.log);
    const each = Object.fromEntries(NAMES.map((curve) => [curve, slopes(logs, risk[curve])]));
    const steepest = Math.max(...NAMES.flatMap((curve) => each[curve]));
    const zero = line([TIMES[0], TIMES[180]], [0, 0], GREY, "", { width: 1 });
    const high = Math.max(0.045, 1.1 * steepest);
    const y = axis("slope of the risk over ln s [output^2]", { low: -0.045, high });
    return chart(CLOCK, y, [zero, ...lines(TIMES, each)], {
      alt:
        `The slope of the risk over ln s, in three conventions; it is at most ${format(steepest, ".3f")}.`,
      caption: "Where the slope is above zero, the error rises.",
    });
  }

  function map({ kappa, alpha }, { boundary }) {
    const marks = boundary
      ? NAMES.map((curve, i) => lineOf(curve, i, boundary[curve], ALONG))
      : [];
    return chart(
      axis("condition number κ [1]", { scale: "log", low: 1.5, high: 60 }),
      axis("examples per feature α [1]", { low: 1, high: 3.1 }),
      [now(kappa, alpha), ...marks],
      {
        alt: `The plane of κ and α${boundary ? ", with three boundaries" : ""}.`,
        caption:
          "The dot marks your settings. " +
          (boundary
            ? "The error descends once to the left of a curve's boundary and twice to the right."
            : "To see the boundaries, choose: found by bisection."),
      },
    );
  }

  function law({ kappa }, { boundary, critical, heights, turned }) {
    const [x, y] = [axis("κ/κ_c − 1 [1]"), axis("rise from minimum to maximum [output^2]")];
    if (!boundary) {
      return chart(x, y, [], {
        alt: "An empty picture.", caption: "The rise is drawn here after you choose: found by bisection.",
      });
    }
    const places = [0, ...BEYOND].map((each, i) => [each, i ? heights[i - 1] : 0]);
    const here = kappa / critical.flow - 1;
    if (turned.flow.time.length >= 2) {
      const after = places.findIndex(([each]) => each >= here);
      places.splice(after < 0 ? places.length : after, 0, [here, riseOf(turned.flow)]);
    }
    const power = FINE.map((each) => heights[0] * (each / BEYOND[0]) ** 1.5);
    const marks = [
      line(places.map(([each]) => each), places.map(([, each]) => each), LOOKS[0], "gradient flow"),
      line(FINE, power, LOOKS[4], "power law 3/2 through the first point", { dashed: true }),
    ];
    return chart(x, y, marks, {
      alt: `At twice the critical κ the rise is ${format(heights[5], ".3f")}.`,
      caption:
        `At ${format(1 + BEYOND[0])} times the critical κ the rise is only ${format(heights[0], ".5f")}.`,
    });
  }

  function words({ kappa, alpha, noise }, { turned, critical }) {
    const counted = NAMES.map((curve) => {
      const maxima = turned[curve].is_minimum.filter((minimum) => !minimum).length;
      return `${CURVES[curve]} ${1 + maxima}`;
    });
    let found = "To see the boundaries, choose: found by bisection.";
    if (critical) {
      const where = NAMES.map((curve) => `${critical[curve].toPrecision(3)} (${CURVES[curve]})`).join(", ");
      found =
        `Double descent starts at <i>κ</i><sub>c</sub> = ${where}, with relative accuracy ` +
        `${format(given.accuracy)}. The two exact values differ by a factor of ` +
        `${format(critical.ridge / critical.flow, ".2f")}: ` +
        "a boundary can be accurate to many digits, but only for one stated convention.";
    }
    return [
      `<p>At <i>κ</i> = ${format(kappa)}, <i>α</i> = ${format(alpha)} and <i>σ</i> = ${format(noise)} the ` +
        `numbers of descents are: ${counted.join(", ")}. ${found}</p>`,
    ];
  }

  const pictures = (at, it) => [risks(at, it), slope(at, it), map(at, it), law(at, it)];

  TS.page({ compute, pictures, words });
})();
