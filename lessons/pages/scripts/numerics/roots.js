// Roots of functions of one variable.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  const STEPS = 500;

  // A root of `f` between `low` and `high`, where its signs differ, by Brent's method: to a relative
  // `accuracy` beside an absolute `smallest`. NaN where the signs do not differ.
  function brent(f, low, high, { accuracy = 4.5e-16, smallest = 1e-300 } = {}) {
    let a = low, b = high, fa = f(low), fb = f(high);
    if (fa === 0) return a;
    if (fb === 0) return b;
    if (!(fa * fb < 0)) return Math.sign(fa) * Math.sign(fb) < 0 ? bisect(f, low, high, fa) : NaN;
    let c = a, fc = fa, step = b - a, before = b - a;
    for (let i = 0; i < STEPS; i++) {
      if (fb > 0 === fc > 0) [c, fc, step, before] = [a, fa, b - a, b - a];
      if (Math.abs(fc) < Math.abs(fb)) [a, b, c, fa, fb, fc] = [b, c, b, fb, fc, fb];
      const least = accuracy * Math.abs(b) + smallest / 2;
      const half = (c - b) / 2;
      if (Math.abs(half) <= least || fb === 0) return b;
      if (Math.abs(before) < least || Math.abs(fa) <= Math.abs(fb)) {
        [step, before] = [half, half];
      } else {
        const tried = inverse(a, b, c, fa, fb, fc, half);
        const short = 2 * Math.abs(tried) < Math.min(3 * Math.abs(half) - least, Math.abs(before));
        [step, before] = short && tried * half > 0 ? [tried, step] : [half, half];
      }
      [a, fa] = [b, fb];
      b += Math.abs(step) > least ? step : Math.sign(half) * least;
      fb = f(b);
    }
    return NaN;
  }

  // Brent's step from b: inverse quadratic through three points, or the secant through two.
  function inverse(a, b, c, fa, fb, fc, half) {
    const s = fb / fa;
    if (a === c) return (2 * half * s) / (s - 1);
    const q = fa / fc, r = fb / fc;
    const p = s * (2 * half * q * (q - r) - (b - a) * (r - 1));
    return -p / ((q - 1) * (r - 1) * (s - 1));
  }

  // The same by halves alone, where products of values would underflow.
  function bisect(f, low, high, first) {
    for (let i = 0; i < STEPS; i++) {
      const middle = (low + high) / 2;
      if (middle === low || middle === high) return middle;
      if (f(middle) > 0 === first > 0) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  numerics.roots = { brent };
})();
