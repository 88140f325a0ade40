// Ordinary differential equations: an adaptive Runge-Kutta method of order 8, with values between its steps.
// needs: numerics/dormand_prince.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});
  const { TIMES } = numerics.dormandPrince;
  const [STAGES, ERRORS, BETWEEN] = ["STAGES", "ERRORS", "BETWEEN"].map((name) => {
    return numerics.dormandPrince[name].map((row) => ({
      of: Int32Array.from(row, ([stage]) => stage),
      weights: Float64Array.from(row, ([, weight]) => weight),
    }));
  });

  const LAST = 12; // the stage at the end of a step
  const SAFETY = 0.9;
  const SHRINKS = 0.2;
  const GROWS = 10;
  const LEAST = 2.3e-14; // a relative error that rounding lets a step have

  // An integrator of y' = field(t, y), standing at t = `time` and y = `state` (an array of n numbers).
  // field(t, y, slope) writes the slope into its third argument. `relative` and `absolute` bound the error
  // of a step (`absolute` is one number, or n); `most` bounds the evaluations of the field, `first` is a
  // first step. The integrator has `t`, `y` (do not change it), `width` (of the step to come), `steps` and
  // `evaluations`; `step()` takes a step and throws an `Error` where it is stuck; `at(t)` is the state in the
  // last step, of order 7.
  function integrator(field, time, state, { relative = 1e-12, absolute = 1e-14, most = 100000, first } = {}) {
    const n = state.length;
    const slopes = Array.from(STAGES, () => new Float64Array(n));
    const moved = new Float64Array(n);
    const bound = typeof absolute === "number" ? new Float64Array(n).fill(absolute) : absolute;
    const allowed = Math.max(relative, LEAST);
    let y = Float64Array.from(state), before = new Float64Array(n);
    let t = time, from = time, wide = first ?? 0, evaluations = 0, steps = 0;
    let between = null;

    const slope = (at, from_, into) => {
      if (++evaluations > most) throw new Error(`the integrator is stuck at time ${t}`);
      field(at, from_, into);
    };

    // The sum of the slopes with those weights, of number i.
    const weighed = ({ of, weights }, i) => {
      let sum = 0;
      for (let k = 0; k < of.length; k++) sum += weights[k] * slopes[of[k]][i];
      return sum;
    };

    const stage = (number, start, origin, h) => {
      for (let i = 0; i < n; i++) moved[i] = origin[i] + h * weighed(STAGES[number], i);
      slope(start + TIMES[number] * h, moved, slopes[number]);
    };

    // Root mean square of values in units of the error allowed.
    const size = (values, one, other = one) => {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const share = values(i) / (bound[i] + allowed * Math.max(Math.abs(one[i]), Math.abs(other[i])));
        sum += share * share;
      }
      return Math.sqrt(sum / n);
    };

    // A first step whose Euler step would be off by little (Hairer, Norsett and Wanner 1993, II.4).
    const begun = () => {
      const speed = size((i) => slopes[0][i], y), height = size((i) => y[i], y);
      const guess = speed < 1e-5 || height < 1e-5 ? 1e-6 : 0.01 * (height / speed);
      for (let i = 0; i < n; i++) moved[i] = y[i] + guess * slopes[0][i];
      slope(t + guess, moved, slopes[1]);
      const bend = size((i) => slopes[1][i] - slopes[0][i], y) / guess;
      const fastest = Math.max(speed, bend);
      const careful = fastest <= 1e-15 ? Math.max(1e-6, guess * 1e-3) : (0.01 / fastest) ** (1 / 8);
      const found = Math.min(100 * guess, careful);
      return found > 0 ? found : 1e-6;
    };

    const step = () => {
      if (steps === 0) {
        slope(t, y, slopes[0]);
        wide = wide || begun();
      } else {
        slopes[0].set(slopes[LAST]);
      }
      for (let rejected = false; ; rejected = true) {
        if (!(t + wide > t)) throw new Error(`no step is small enough at time ${t}`);
        for (let number = 1; number < LAST; number++) stage(number, t, y, wide);
        const next = before;
        for (let i = 0; i < n; i++) next[i] = y[i] + wide * weighed(STAGES[LAST], i);
        const [fifth, third] = ERRORS.map((row) => size((i) => weighed(row, i), y, next));
        const error = fifth === 0 ? 0 : (wide * fifth ** 2) / Math.hypot(fifth, 0.1 * third);
        if (error < 1) {
          [before, y, from, between] = [y, next, t, null];
          t += wide;
          slope(t, y, slopes[LAST]);
          const factor = error === 0 ? GROWS : Math.min(GROWS, SAFETY * error ** (-1 / 8));
          wide *= rejected ? Math.min(1, factor) : factor;
          steps += 1;
          return;
        }
        wide *= Number.isFinite(error) ? Math.max(SHRINKS, SAFETY * error ** (-1 / 8)) : SHRINKS; // NaN, too
      }
    };

    // The seven terms of the polynomial over the last step.
    const terms = () => {
      const h = t - from;
      for (let number = LAST + 1; number < STAGES.length; number++) stage(number, from, before, h);
      return Array.from(before, (_, i) => {
        const gap = y[i] - before[i], start = h * slopes[0][i];
        const low = [gap, start - gap, 2 * gap - h * slopes[LAST][i] - start];
        return [...low, ...BETWEEN.map((row) => h * weighed(row, i))];
      });
    };

    const at = (time_) => {
      if (time_ === t) return Float64Array.from(y);
      if (!(from <= time_ && time_ < t)) throw new Error(`time ${time_} is not in the last step`);
      between ??= terms();
      const x = (time_ - from) / (t - from);
      return Float64Array.from(before, (value, i) => {
        let sum = 0;
        for (let power = 6; power >= 0; power--) sum = (sum + between[i][power]) * (power % 2 ? 1 - x : x);
        return value + sum;
      });
    };

    return {
      step,
      at,
      get t() {
        return t;
      },
      get y() {
        return y;
      },
      get width() {
        return wide;
      },
      get steps() {
        return steps;
      },
      get evaluations() {
        return evaluations;
      },
    };
  }

  // States at increasing times >= 0, an array of Float64Array, of y' = field(t, y) from `state` at time 0.
  // Options as of `integrator`; throws an `Error` where that is stuck.
  function solve(field, state, times, options) {
    const found = [];
    const path = integrator(field, 0, state, options);
    for (const time of times) {
      while (path.t < time) path.step();
      found.push(path.at(time));
    }
    return found;
  }

  numerics.ode = { integrator, solve };
})();
