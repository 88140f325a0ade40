// Soft committee machines that learn online, in the limit of many inputs (saad1995, biehl1995): as many units
// as the teacher, g(x) = erf(x/sqrt 2), and all units alike. Five numbers tell them: R with the own unit of
// an orthonormal teacher, the difference X of R and the overlap S with another, Q of a unit, C of two units,
// and the second layer's v, where the teacher's is 1.
// needs: numerics/ode.js numerics/stiff.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const ACCURACY = { relative: 1e-13, absolute: 1e-15 };
  const IMPLICIT = { relative: 1e-10, absolute: 1e-12 };
  const EARLY = 20; // steps in which a path begins
  const LONG = 100; // steps to the next time that is asked for, from which they are implicit
  const NAMES = ["R", "difference", "Q", "C", "v"];

  // The equations. field(t, y, slope) in y = (R, X, Q, C, v); risk(y) is the excess risk.
  function equations({ width, learning_rate: eta, noise = 0, second_layer_learning_rate: etaV = 0 }) {
    const K = width, N = 2 * width;
    const c = new Float64Array(N * N); // overlaps over sqrt(1 + Q) of both units, the student's first
    const u = new Float64Array(N); // phi - phi* = sum of u g
    const root = new Float64Array(N); // sqrt(1 - c_ac^2) of unit a = 0
    const along = new Float64Array(N);
    const beside = new Float64Array(N);
    const size = new Float64Array(N);
    const kinds = [pairs(K, 0), pairs(K, 1)];

    // y by number, for speed: no list is taken apart in what follows.
    const scaled = (y) => {
      const own = 1 + y[2];
      const both = Math.sqrt(2 * own);
      for (let a = 0; a < K; a++) {
        u[a] = y[4];
        u[K + a] = -1;
        for (let b = 0; b < K; b++) {
          const same = a === b;
          c[a * N + b] = (same ? y[2] : y[3]) / own;
          c[a * N + K + b] = c[(K + b) * N + a] = (same ? y[0] : y[0] - y[1]) / both;
          c[(K + a) * N + K + b] = same ? 0.5 : 0;
        }
      }
      for (let other = 0; other < N; other++) root[other] = Math.sqrt(1 - c[other] * c[other]);
    };

    // sum over c of u_c E g'(0) b g(c), of unit 0 and field b, in whose size it is.
    const third = (b) => {
      let sum = 0;
      for (let k = 0; k < N; k++) sum += (u[k] * (c[b * N + k] - c[b] * c[k])) / root[k];
      return (2 / Math.PI) * sum;
    };

    // sum over c and e of u_c u_e E g'(0) g'(b) g(c) g(e), and the noise's E g'(0) g'(b) sigma^2.
    const fourth = (b, own) => {
      const { one, other, times } = kinds[b];
      const left = 1 - c[b] * c[b];
      const across = Math.sqrt(left);
      for (let k = 0; k < N; k++) {
        along[k] = c[k];
        beside[k] = (c[b * N + k] - c[b] * c[k]) / across;
        size[k] = Math.sqrt(1 - along[k] * along[k] - beside[k] * beside[k]);
      }
      let sum = 0;
      for (let at = 0; at < one.length; at++) {
        const k = one[at];
        const l = other[at];
        const given = (c[k * N + l] - along[k] * along[l] - beside[k] * beside[l]) / (size[k] * size[l]);
        sum += times[at] * u[k] * u[l] * Math.asin(Math.min(Math.max(given, -1), 1));
      }
      const both = 2 / Math.PI / (own * across);
      return both * ((2 / Math.PI) * sum + noise * noise);
    };

    // sum over c of u_c E g(a) g(c).
    const second = (a) => {
      let sum = 0;
      for (let k = 0; k < N; k++) sum += u[k] * Math.asin(c[a * N + k]);
      return (2 / Math.PI) * sum;
    };

    const field = (_, y, slope) => {
      scaled(y);
      const v = y[4];
      const own = 1 + y[2];
      const toTeacher = Math.sqrt(2 / own);
      slope[0] = -eta * v * toTeacher * third(K);
      // Units that are alike stay so: what would be left is rounding.
      slope[1] = y[1] === 0 ? 0 : slope[0] + eta * v * toTeacher * third(K + 1);
      slope[2] = -2 * eta * v * third(0) + eta * v * eta * v * fourth(0, own);
      slope[3] = -2 * eta * v * third(1) + eta * v * eta * v * fourth(1, own);
      slope[4] = etaV > 0 ? -etaV * second(0) : 0;
    };

    const risk = (y) => {
      scaled(y);
      return Math.max(0, (K * (y[4] * second(0) - second(K))) / 2);
    };

    return { field, risk };
  }

  // The pairs of all 2 K units that differ where units 0 and b of both networks are told from the others but
  // not, if they are two, from each other: one of each kind, and how often it occurs.
  function pairs(K, b) {
    const label = (k, swap) => {
      const unit = k % K;
      return unit <= b ? (swap ? b - unit : unit) : b + 1;
    };
    const kind = (k, l, swap) => {
      const each = [k, l].map((at) => (at < K ? "s" : "t") + label(at, swap)).sort();
      return [...each, k % K === l % K].join();
    };
    const found = new Map();
    for (let k = 0; k < 2 * K; k++) {
      for (let l = 0; l < 2 * K; l++) {
        const name = [false, true].map((swap) => kind(k, l, swap)).sort()[0];
        if (!found.has(name)) found.set(name, [k, l, 0]);
        found.get(name)[2] += 1;
      }
    }
    const [one, other, times] = [0, 1, 2].map((i) => Int32Array.from(found.values(), (each) => each[i]));
    return { one, other, times };
  }

  // Order parameters and excess risk at increasing times t = examples/d, from the state `start` in the order
  // of NAMES or, without one, from overlap X and weights of size `init`.
  function path({ times, start, overlap = 0.01, init = 0.5, ...question }) {
    const { field, risk } = equations(question);
    const begun = start ?? [overlap, overlap, init ** 2, 0, 1];
    let path = TS.numerics.ode.integrator(field, 0, begun, ACCURACY);
    const found = [];
    for (const time of times) {
      while (path.t < time) {
        path.step();
        if (path.steps > EARLY && time - path.t > LONG * path.width) {
          const { t, y, width } = path;
          path = TS.numerics.ode.integrator(field, time, across(field, y, t, time, width), ACCURACY);
        }
      }
      found.push(path.at(time));
    }
    const numbers = NAMES.map((name, i) => [name, Float64Array.from(found, (y) => y[i])]);
    const told = Object.fromEntries(numbers);
    const S = told.R.map((R, i) => R - told.difference[i]);
    return { ...told, S, excess_risk: Float64Array.from(found, risk) };
  }

  // The state at time `to`, by implicit steps: they grow long where the path comes to rest.
  function across(field, y, from, to, first) {
    const slope = new Float64Array(y.length);
    field(from, y, slope);
    const moving = [0, 1, 2, 3, 4].filter((i) => slope[i] !== 0 || i === 0);
    const whole = Float64Array.from(y);
    const fill = (some) => {
      moving.forEach((i, k) => (whole[i] = some[k]));
      return whole;
    };
    const reduced = (some, into) => {
      field(0, fill(some), slope);
      moving.forEach((i, k) => (into[k] = slope[i]));
    };
    const start = moving.map((i) => y[i]);
    return fill(TS.numerics.stiff.solve(reduced, from, start, to, { ...IMPLICIT, first }));
  }

  theory.committee = { path };
})();
