// The exponential integral of positive numbers, and the difference of two of its values to all digits.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  // Ei(b) - Ei(a), of a, b > 0: ln(b/a) + sum_k (b^k - a^k)/(k k!), whose terms have one sign.
  function expiBetween(a, b) {
    if (a > b) return -expiBetween(b, a);
    let sum = Math.log(b / a);
    let ofA = 1, ofB = 1;
    for (let k = 1; ; k++) {
      ofA *= a / k;
      ofB *= b / k;
      const term = (ofB - ofA) / k;
      sum += term;
      if (!(k <= b || term > 1e-18 * sum)) return sum;
    }
  }

  // u in (0, start] where Ei(start) - Ei(u) is that amount, of 0 or more: by Newton's method in ln u, which
  // comes from above, for Ei(e^y) is convex in y: where it turns back, rounding is all that is left.
  function expiBelow(start, amount) {
    let y = Math.log(start);
    for (let tried = 0; tried < 1000; tried++) {
      const u = Math.min(start, Math.exp(y));
      const step = (amount - expiBetween(u, start)) * Math.exp(-u);
      y -= step;
      const rounding = 1e-15 * Math.max(1, Math.abs(y), amount * Math.exp(-u));
      if (!(step > rounding)) return Math.min(start, Math.exp(y));
    }
    throw new Error(`Ei is not solved from ${start} by ${amount}`);
  }

  numerics.expi = { expiBetween, expiBelow };
})();
