// Lesson 14: why the weights of SGD have heavy tails.
// needs: page/page.js theory/heavy_tails.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, even, spaced } = TS;
  const { stationary, orders, rates, beyond, leaves } = TS.theory.heavy_tails;

  const GREY = { colour: "#7b8794", marker: "cross" };
  const DISTANCES = spaced(0.1, 1000, 97);
  const STEPS = axis("step size η [1/input^2]", { scale: "log" });

  const known = new Map();

  // Tail index and Lyapunov exponent over step sizes from a fifth of the critical one to below the largest:
  // they know nothing of the step size, and are kept for when only that is moved.
  function overSteps(batch, d) {
    const key = `${batch} ${d}`;
    if (!known.has(key)) {
      const { critical, largest } = rates({ batch, d });
      const window = [0.2, 0.4, 0.6, 0.8, 0.95].map((share) => critical + (largest - critical) * share);
      const times = [...spaced(critical / 5, critical, 13), ...window];
      known.set(key, { critical, end: largest, times, ...stationary({ batch, d, times }) });
    }
    return known.get(key);
  }

  function compute({ eta, batch, inputs: d }) {
    const here = stationary({ batch, d, times: [eta] });
    const [alpha, rho] = [here.tail_index[0], here.lyapunov[0]];
    const times = even(0, Number.isNaN(alpha) ? 4 : Math.max(4, 1.3 * alpha), 61);
    const growth = orders({ batch, d, learning_rate: eta, times }).log_growth;
    return { alpha, rho, times, growth, over: overSteps(batch, d), twice: overSteps(2 * batch, d) };
  }

  function moments({ alpha, rho, times, growth }) {
    const marks = [
      line([0, times.at(-1)], [0, 0], GREY, "", { width: 1 }),
      line(times, growth, LOOKS[0], "ln h"),
      ...(Number.isNaN(alpha) ? [] : [now(alpha, 0, LOOKS[1])]),
    ];
    const found = rho < 0 ? `returns to 0 at the order ${format(alpha, ".3g")}` : "never returns to 0";
    const y = axis("ln h(s), growth of the moment of order s [1/step]");
    return chart(axis("order s [1]"), y, marks, {
      alt: `ln h starts at 0 with the slope ${format(rho, ".3g")} and ${found}.`,
      caption: "Moments of lower order are finite. The slope at 0 is the Lyapunov exponent.",
    });
  }

  function index({ eta, batch }, { alpha, over, twice }) {
    const small = over.times.map((each) => (1.79558 * batch) / each);
    const marks = [
      line(over.times, over.tail_index, LOOKS[0], `b = ${batch}`),
      line(twice.times, twice.tail_index, LOOKS[2], `b = ${2 * batch}`),
      line(over.times, small, LOOKS[4], "small steps", { dashed: true }),
      now(eta, alpha, LOOKS[1]),
    ];
    return chart(STEPS, axis("tail index α [1]", { scale: "log" }), marks, {
      alt: `The tail index falls with the step size η; it is 2 at η = ${format(over.critical, ".3g")}.`,
      caption: "Dashed: the limit of small steps, α = 1.796 b/η for any d. Lines end near the " +
        "largest stable step.",
    });
  }

  function far({ eta, batch, inputs: d }, { alpha, rho }) {
    const gibbs = (times) => beyond({ batch, d, eta, times }).share;
    const seen = gibbs(DISTANCES).map((share) => (share < 1e-9 ? NaN : share)); // far below the picture
    const marks = [line(DISTANCES, seen, LOOKS[4], "Gibbs, Eq. 4.2.20", { dashed: true })];
    if (rho < 0) {
      const { distance } = leaves({ batch, d, eta, alpha });
      const [height] = gibbs([distance]);
      const law = DISTANCES.map((t) => (t >= distance ? height * (t / distance) ** -alpha : NaN));
      marks.push(line(DISTANCES, law, LOOKS[0], "power law (only the slope −α is predicted)"));
    }
    const x = axis("distance from the teacher t [1]", { scale: "log", low: 0.1, high: 2000 });
    const y = axis("share of students beyond t [1]", { scale: "log", low: 1e-4, high: 1 });
    return chart(x, y, marks, {
      alt: `The share of students beyond a distance, at η = ${format(eta)}.`,
      caption: "A power law is a straight line here. The Gibbs distribution falls much faster.",
    });
  }

  function stability({ eta, batch }, { rho, over }) {
    const end = format(over.end, ".3g");
    const marks = [line(over.times, over.lyapunov, LOOKS[0], `b = ${batch}`), now(eta, rho, LOOKS[1])];
    return chart(STEPS, axis("Lyapunov exponent ρ [1/step]"), marks, {
      alt: `The Lyapunov exponent falls with the step size, rises again, and is 0 at η = ${end}.`,
      caption: `Lengths shrink if ρ is negative. Training is stable up to η = ${end}.`,
    });
  }

  function words({ eta }, { alpha, rho, over }) {
    const variance = alpha <= 2 ? "the weights have infinite variance" : "the weights have finite variance";
    const said = rho >= 0
      ? "SGD diverges: the weights have no stationary distribution"
      : `the tail index is ${format(alpha, ".3g")}, so ${variance}`;
    return [
      `<p>At <i>η</i> = ${format(eta)}, <i>ρ</i> = ${format(rho, ".3g")} and ${said}. The ` +
        `variance becomes infinite at <i>η</i><sub>var</sub> = ${format(over.critical, ".3g")}, and ` +
        `training is stable up to <i>η</i><sub>max</sub> = ${format(over.end, ".3g")}.</p>`,
    ];
  }

  const pictures = (at, it) => [moments(it), index(at, it), far(at, it), stability(at, it)];

  TS.page({ compute, pictures, words });
})();
