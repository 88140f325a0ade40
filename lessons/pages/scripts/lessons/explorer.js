// The explorer: features learned at two scales.
// needs: page/page.js page/lines.js page/dragging.js theory/multiscale.js theory/spectrum.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format } = TS;
  const D = 200;
  const DRAWS = 200;
  const SMALL = 5e-4; // the steps by which gradient flow is simulated
  const CLOCK = {
    flow: "time t [1/curvature]",
    descent: "time t = k [steps]",
    ridge: "time t = 1/(ridge added) [1/curvature]",
  };
  const SCALES = ["fast", "slow"];
  const PARTS = ["bias", "variance"].flatMap((part) => SCALES.map((which, k) => ({ part, which, k })));

  // Times from 10^low to 10^high, so many, as `--times` spells them; whole ones once each.
  function spaced(low, high, count, whole) {
    const all = Array.from({ length: count }, (_, i) => 10 ** (low + ((high - low) * i) / (count - 1)));
    return whole ? [...new Set(all.map(Math.round))] : all;
  }
  const TIMES = {
    descent: { said: "1:1e6:61", values: spaced(0, 6, 61, true) },
    flow: { said: "0.1:1e6:71", values: spaced(-1, 6, 71, false) },
    ridge: { said: "0.1:1e6:71", values: spaced(-1, 6, 71, false) },
  };

  const inputsOf = ({ fast, alpha, kappa }) => ({ d: D, p: Math.round(fast * D), alpha, kappa });

  // What theory, simulation and the exact answer given X are asked, each as the front door takes it.
  function questions(at, rate) {
    const options = {
      problem: "multiscale", ...inputsOf(at), noise: at.noise, ridge: at.ridge, observable: ["parts"],
    };
    const descent = (step) => ({ dynamics: "descent", learning_rate: step });
    const [learner, drawn, thinned] = {
      flow: [{ dynamics: "flow" }, descent(SMALL), "200:2e9:29"],
      descent: [descent(rate), descent(rate), "1:1e6:25"],
      ridge: [{ dynamics: "ridge" }, { dynamics: "ridge" }, "0.1:1e6:29"],
    }[at.dynamics];
    const seen = { ...options, ...drawn, route: "simulation", times: thinned, seeds: DRAWS };
    const theory = { ...options, ...learner, route: "asymptotic", times: TIMES[at.dynamics].said };
    return [theory, seen, { ...seen, route: "instance" }];
  }

  // What does not depend on the time is kept while only that moves.
  let [kept, keptFor] = [null, ""];
  function curves(at) {
    const key = JSON.stringify({ ...at, time: 0 });
    if (key === keptFor) return kept;
    const inputs = inputsOf(at);
    const spectrum = TS.theory.spectrum.of(inputs);
    const rate = Number(format(1 / Math.max(...spectrum.band_edge.flat()), ".3g"));
    const asked = questions(at, rate);
    const times = TIMES[at.dynamics].values;
    const curve = { time: times, ...TS.theory.multiscale.curve({ ...asked[0], times }) };
    [kept, keptFor] = [{ spectrum, rate, asked, curve }, key];
    return kept;
  }

  function compute(at) {
    const it = curves(at);
    const { time } = it.curve;
    const away = time.map((each) => Math.abs(each - at.time));
    const i = away.indexOf(Math.min(...away));
    return { ...it, i, t: time[i] };
  }

  // The share of a direction that is learned at time t, by its eigenvalue.
  function learned(mu, { dynamics, ridge }, t, rate) {
    const held = mu + ridge;
    if (dynamics === "ridge") return mu / (held + 1 / t);
    const left = dynamics === "flow" ? Math.exp(-held * t) : (1 - rate * held) ** t;
    return (mu / held) * (1 - left);
  }

  function risk({ curve, i, t }, clock) {
    const value = curve.excess_risk[i];
    const marks = [line(curve.time, curve.excess_risk, LOOKS[0], "theory"), now(t, value, LOOKS[0])];
    return chart(clock, axis("excess risk E [output²]", { low: 0 }), marks, {
      alt: `The excess risk over time; at t = ${format(t, ".4g")} it is ${format(value, ".4g")}.`,
    });
  }

  function plane({ curve, i }) {
    const [r, q] = [curve.R[i], curve.Q[i]];
    const marks = [line(curve.R, curve.Q, LOOKS[0], "theory"), now(r, q, LOOKS[0], { line: false })];
    const x = axis("alignment with the teacher R [1]", { low: 0, high: 1.1 });
    return chart(x, axis("modulated norm Q [1]", { low: 0 }), marks, {
      alt:
        `The path of the student in the plane of R and Q; at time t they are ${format(r, ".4g")} and ` +
        `${format(q, ".4g")}.`,
    });
  }

  function parts({ curve, t }, clock) {
    const marks = PARTS.map(({ part, which, k }, i) =>
      line(curve.time, curve[part].map((row) => row[k]), LOOKS[i], `${part}, ${which} features`));
    const y = axis("parts of the excess risk [output²]", { low: 0 });
    return chart(clock, y, [now(t), ...marks], {
      alt: "Bias and variance of each scale over time; the table shows their values at time t.",
    });
  }

  function eigenvalues({ spectrum, rate, t }, at) {
    const mu = spectrum.eigenvalue;
    const [low, high] = [Math.log(mu[0]), Math.log(mu[mu.length - 1])];
    const along = Array.from({ length: 200 }, (_, i) => Math.exp(low + ((high - low) * i) / 199));
    const zeros = 100 * spectrum.zeros;
    const share = along.map((each) => learned(each, at, t, rate));
    const marks = [
      line(mu, mu.map((each, i) => each * spectrum.density[i]), LOOKS[0], "eigenvalues: μ ρ(μ)"),
      line(along, share, LOOKS[1], `learned at t = ${format(t, ".4g")}`),
    ];
    const x = axis("eigenvalue μ of XᵀX [curvature]", { scale: "log" });
    const y = axis("share of eigenvalues per e-fold; share learned [1]", { low: 0 });
    return chart(x, y, marks, {
      alt:
        `The density of the eigenvalues, in ${spectrum.band_edge.length} bands, and the share of each ` +
        `direction that is learned at t = ${format(t, ".4g")}.`,
      caption: zeros ? `${format(zeros, ".3g")} % of the eigenvalues are zero and are never learned.` : "",
    });
  }

  function pictures(at, it) {
    const clock = axis(CLOCK[at.dynamics], { scale: "log" });
    return [risk(it, clock), plane(it), parts(it, clock), eigenvalues(it, at)];
  }

  function words(at, { curve, rate, asked, i, t }) {
    const best = curve.excess_risk.indexOf(Math.min(...curve.excess_risk));
    const rows = [
      ...(at.dynamics === "descent" ? [["learning rate η", rate]] : []),
      ["time t", t],
      ["alignment R", curve.R[i]],
      ["norm Q", curve.Q[i]],
      ["excess risk E", curve.excess_risk[i]],
      ...PARTS.map(({ part, which, k }) => [`${part}, ${which} features`, curve[part][i][k]]),
    ];
    const row = ([name, value]) => `<tr><th scope="row">${name}</th><td>${format(value, ".6g")}</td></tr>`;
    return [
      `<table class="values"><caption>Theory</caption>${rows.map(row).join("")}</table>` +
        `<p>The risk is lowest at t = ${format(curve.time[best], ".6g")}: ` +
        `${format(curve.excess_risk[best], ".4g")}.</p>`,
      TS.lines(asked),
    ];
  }

  TS.tabs(["Risk", "R and Q", "Parts", "Spectrum"]);
  const dragged = TS.dragging({ 0: "across", 1: "along" }, "time t, along the curve");
  const slider = document.querySelector("input[name=time]");

  // The time has as many stops as the curve has; its point follows it.
  function moved({ settings, it, redraw }) {
    const { values } = settings.controls.time;
    const first = values.findIndex((each) => each >= it.curve.time[0]);
    slider.min = String(first);
    if (settings.at.time < values[first]) redraw({ time: values[first] });
    dragged({
      times: it.curve.time,
      stops: values.slice(first),
      stop: settings.at.time,
      words: `t = ${format(it.t, ".6g")}`,
      move: (time) => redraw({ time }),
    });
  }

  TS.page({ compute, pictures, words, moved });
})();
