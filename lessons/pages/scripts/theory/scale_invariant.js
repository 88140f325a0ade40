// Weights of which only the direction counts, one new sample a step, in the limit of many weights: alignment
// and radius over time, and where they come to rest. The loss is 1 - m, so that the gradient's mean square is
// V = 1 + noise^2 at every angle.
// needs: numerics/ode.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const USUAL = {
    d: 100, ridge: 0, radius0: 1, angle0: 1.5, momentum: 0.9, beta1: 0.9, epsilon: 1e-8, noise: 0,
  };
  const SCHEMES = ["sgd", "sgd-momentum", "adam", "adamw"];
  const ACCURACY = { relative: 1e-13, absolute: 1e-15 };

  // The laws of a scheme; `learning_rate`, `ridge` and the rest are named as in Python.
  function laws(question) {
    const asked = { ...USUAL, ...question };
    const { scheme, learning_rate: eta, ridge, noise, beta1, epsilon } = asked;
    if (!SCHEMES.includes(scheme)) throw new Error(`no laws of scheme ${scheme}`);
    const adaptive = scheme.startsWith("adam");
    const memory = adaptive ? beta1 : scheme === "sgd-momentum" ? asked.momentum : 0;
    const V = 1 + noise ** 2;
    // d times the effective learning rate (Eq. 11) after the first steps of a momentum.
    const rate = adaptive
      ? (r) => (eta * (1 - beta1)) / (r * (Math.sqrt(V) / r + epsilon)) / r
      : (r) => eta / r ** 2;
    // What a momentum adds up from one sample's gradient over time.
    const step = (r) => rate(r) / (1 - memory);
    const growth = (r) => step(r) ** 2 * V;
    const decay = scheme === "adamw" ? () => 2 * eta * ridge : (r) => 2 * ridge * r ** 2 * step(r);
    return { ...asked, adaptive, V, rate, step, growth, decay };
  }

  // Angle, radius and d times the effective learning rate at increasing times t = steps/d, from angle0 and
  // radius0 at time 0.
  function online({ times, ...question }) {
    const { adaptive, V, rate, step, growth, decay, angle0, radius0, beta1, d } = laws(question);
    // n = 1 - m, in which no digits are lost near the teacher, and ln r.
    const field = (_, [n, logarithm], slope) => {
      const r = Math.exp(logarithm);
      const e = step(r);
      slope[0] = -e * n * (2 - n) + (e ** 2 * V * (1 - n)) / 2;
      slope[1] = (growth(r) - decay(r)) / 2;
    };
    const start = [2 * Math.sin(angle0 / 2) ** 2, Math.log(radius0)];
    const path = TS.numerics.ode.solve(field, start, times, ACCURACY);
    const radius = Float64Array.from(path, ([, logarithm]) => Math.exp(logarithm));
    return {
      angle: Float64Array.from(path, ([n]) => angle(n)),
      radius,
      effective_learning_rate: radius.map((r, i) => {
        return rate(r) / (adaptive ? 1 - beta1 ** (evenly(times[i] * d) + 1) : 1); // Eq. 9
      }),
    };
  }

  // Angle, radius and d times the effective learning rate at rest, numbers.
  function equilibrium(question) {
    const { ridge, V, rate, step, growth, decay } = laws(question);
    if (!(ridge > 0)) throw new Error("without weight decay the radius grows for ever");
    const radius = balanced((r) => Math.log(growth(r) / decay(r)));
    // (2 n - n^2) = e V (1 - n)/2, in n = 1 - m; written so that small n keep their digits.
    const noise = (step(radius) * V) / 2;
    const n = noise / (1 + noise / 2 + Math.sqrt(1 + noise ** 2 / 4));
    return { angle: angle(n), radius, effective_learning_rate: rate(radius) };
  }

  // The radius at which `surplus` is 0: a power law but for epsilon, so that secants in ln r find it.
  function balanced(surplus) {
    let last = 0, now = 0.1;
    let before = surplus(Math.exp(last));
    for (let tries = 0; tries < 50; tries++) {
      const here = surplus(Math.exp(now));
      if (here === before) return Math.exp(now);
      const next = now - (here * (now - last)) / (here - before);
      if (Math.abs(next - now) <= 1e-15 * Math.max(1, Math.abs(next))) return Math.exp(next);
      [last, before, now] = [now, here, next];
    }
    throw new Error("no radius at rest was found");
  }

  // The angle to the teacher, of n = 1 - cos(angle).
  function angle(n) {
    return 2 * Math.asin(Math.sqrt(Math.min(Math.max(n / 2, 0), 1)));
  }

  // The nearest whole number, of two the even one.
  function evenly(x) {
    const low = Math.floor(x);
    const over = x - low;
    return over < 0.5 || (over === 0.5 && low % 2 === 0) ? low : low + 1;
  }

  theory.scale_invariant = { online, equilibrium };
})();
