// Lesson 4: reading a phase diagram and finding its boundary.
// needs: page/page.js theory/multiscale.js theory/printed.js theory/onset.js theory/turns.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format } = TS;
  const { multiscale, printed, onset, turns } = TS.theory;

  const SHAPE = { d: 100, p: 70 }; // as in Fig. 4
  const ALPHAS = [1.1, 1.25, 1.5, 1.8, 2.3, 3];
  const NOISES = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
  const CURVES = { flow: "gradient flow", ridge: "ridge regression", printed: "printed formulas" };
  const NAMES = Object.keys(CURVES);
  const ACCURACY = 1e-3;
  const BEYOND = [0.05, 0.1, 0.2, 0.4, 0.7, 1];
  const FINE = Array.from({ length: 41 }, (_, i) => i / 40);
  const TIMES = Array.from({ length: 181 }, (_, i) => 0.3 * (1e4 / 0.3) ** (i / 180));
  const GREY = { colour: "#7b8794", marker: "cross" };
  const CLOCK = axis("training time s, or 1/ridge [1/curvature]", { scale: "log" });

  // What was worked out is kept: a boundary takes some time, and no move of kappa changes it.
  const kept = new Map();
  function once(name, work) {
    if (!kept.has(name)) kept.set(name, work());
    return kept.get(name);
  }

  const criticalOf = (curve, alpha, noise) =>
    once(`onset ${curve} ${alpha} ${noise}`, () =>
      onset.of({ ...SHAPE, curve, alpha, noise, kappa: [1.5, 60], accuracy: ACCURACY }).value);

  const riseOf = ({ excess_risk: [lowest, highest] }) => highest - lowest;

  const heightsOf = (alpha, noise) =>
    once(`heights ${alpha} ${noise}`, () =>
      BEYOND.map((beyond) => {
        const kappa = (1 + beyond) * criticalOf("flow", alpha, noise);
        return riseOf(turns.of({ ...SHAPE, alpha, noise, kappa }));
      }));

  const boundaryOf = (noise) =>
    Object.fromEntries(NAMES.map((curve) => [curve, ALPHAS.map((alpha) => criticalOf(curve, alpha, noise))]));

  // While nobody moves anything all boundaries are found, so that later moves need not wait.
  const waiting = NOISES.flatMap((noise) => ALPHAS.flatMap((alpha) => [
    ...NAMES.map((curve) => () => criticalOf(curve, alpha, noise)), () => heightsOf(alpha, noise),
  ]));
  const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 50));
  let resting = 0;
  function workAhead() {
    const next = waiting.shift();
    if (!next) return;
    next();
    resting = setTimeout(() => idle(workAhead), 0);
  }
  function rest() {
    clearTimeout(resting);
    resting = setTimeout(() => idle(workAhead), 700);
  }

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
    const critical = Object.fromEntries(NAMES.map((curve) => [curve, criticalOf(curve, alpha, noise)]));
    return { risk, turned, critical, boundary: boundaryOf(noise), heights: heightsOf(alpha, noise) };
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
      ? NAMES.map((curve, i) => lineOf(curve, i, boundary[curve], ALPHAS))
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
        `${format(ACCURACY)}. The two exact values differ by a factor of ` +
        `${format(critical.ridge / critical.flow, ".2f")}: ` +
        "a boundary can be accurate to many digits, but only for one stated convention.";
    }
    return [
      `<p>At <i>κ</i> = ${format(kappa)}, <i>α</i> = ${format(alpha)} and <i>σ</i> = ${format(noise)} the ` +
        `numbers of descents are: ${counted.join(", ")}. ${found}</p>`,
    ];
  }

  const pictures = (at, it) => [risks(at, it), slope(at, it), map(at, it), law(at, it)];

  TS.page({ compute, pictures, words, moved: rest });
  rest();
})();
