// The version space of a perceptron in the limit: of weights on a sphere, and of weights -1 and 1.
// needs: numerics/special.js numerics/roots.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { erfcx, normalCdf, normalLogCdf, normalPdf } = TS.numerics.special;
  const { brent } = TS.numerics.roots;

  // Points of the trapezoidal rule, which converges geometrically where the integrand is analytic: zeros of H
  // lie 2.8 beside the wide ones, poles of tanh 0.6 or more beside the narrow ones on the branch.
  const WIDE = Float64Array.from({ length: 81 }, (_, i) => (i - 40) / 4);
  const LAW = WIDE.map((t) => normalPdf(t) / 4);
  const NARROW = Float64Array.from({ length: 153 }, (_, i) => (i - 76) / 8);
  const FINE_LAW = NARROW.map((t) => normalPdf(t) / 8);

  const MOST = 60; // iterations, each of which gains a digit
  const CLOSE = 1e-14;
  const BEYOND = 6; // a conjugate of q that is beyond the spinodal

  // k(q) = int Dt e^(-q t^2/2)/H(sqrt(q) t), for q in [0, 1].
  function kernel(q) {
    const root = Math.sqrt(q / 2);
    let sum = 0;
    for (let i = 0; i < WIDE.length; i++) sum += (2 * LAW[i]) / erfcx(root * WIDE[i]);
    return sum;
  }

  // 2 int Dt H(gamma t) ln H(gamma t), gamma^2 = odds: minus the information of one more label.
  function surprise(odds) {
    const gamma = Math.sqrt(odds);
    const slow = Math.max(gamma, 1); // the narrower of both factors sets the step
    let sum = 0;
    for (const point of WIDE) {
      const t = point / slow, u = point * (gamma / slow);
      sum += ((normalPdf(t) / (4 * slow)) * normalCdf(-u)) * normalLogCdf(-u);
    }
    return 2 * sum;
  }

  // Weights on a sphere: R of two members, 1 - R, and the entropy per weight (seung1992), from
  // R/sqrt(1 - R) = (alpha/pi) k(R), whose right side hardly varies.
  function spherical(alpha) {
    let R = 0, root = 1;
    for (let left = MOST; left > 0; left--) {
      const before = R;
      const y = (alpha / Math.PI) * kernel(R);
      root = 2 / (y + Math.sqrt(y * y + 4)); // sqrt(1 - R)
      R = y * root;
      if (Math.abs(R - before) <= CLOSE * R) {
        const rest = root * root;
        return { q: R, rest, entropy: Math.log(rest) / 2 + R / 2 + alpha * surprise(R / rest) };
      }
    }
    return { q: NaN, rest: NaN, entropy: NaN };
  }

  // Of weights -1 and 1, at the conjugate of q: q, 1 - q, and alpha. tanh has the mean of its square.
  function taught(conjugate) {
    const root = Math.sqrt(conjugate);
    let q = 0, rest = 0;
    for (let i = 0; i < NARROW.length; i++) {
      const field = Math.tanh(root * NARROW[i] + conjugate);
      q += FINE_LAW[i] * field * field;
      rest += FINE_LAW[i] * (1 - field);
    }
    return { q, rest, alpha: (Math.PI * conjugate * Math.sqrt(rest)) / kernel(q) };
  }

  // The logarithm of the number of students per weight, there.
  function count(conjugate) {
    const { q, rest, alpha } = taught(conjugate);
    const root = Math.sqrt(conjugate);
    let sum = 0;
    for (let i = 0; i < NARROW.length; i++) {
      const size = Math.abs(root * NARROW[i] + conjugate);
      sum += FINE_LAW[i] * (size + Math.log1p(Math.exp(-2 * size)));
    }
    return sum - (conjugate * (1 + q)) / 2 + alpha * surprise(q / rest);
  }

  let ends = null;

  // The conjugate and alpha at which the branch of few examples ends, and those from which on the teacher is
  // the only student there is. Found once.
  function landmarks() {
    if (ends) return ends;
    // alpha is largest where its slope changes sign; a difference over 1e-3 has an error of 1e-7 of its own
    // there
    const slope = (at) => taught(at * 1.001).alpha - taught(at / 1.001).alpha;
    const last = brent(slope, 0.1, BEYOND, { accuracy: 1e-7 });
    const alone = brent(count, 0.1, last, { accuracy: 1e-15 });
    ends = { last, spinodal: taught(last).alpha, alone, transition: taught(alone).alpha };
    return ends;
  }

  // q, 1 - q and the entropy of members of weights -1 and 1: on the branch of few examples, in equilibrium
  // until the teacher alone is left, or, `metastable`, to its end; and then of the teacher.
  function binary(alpha, metastable) {
    const { last, spinodal, transition } = landmarks();
    if (alpha >= (metastable ? spinodal : transition)) return { q: 1, rest: 0, entropy: -Math.LN2 };
    const excess = (log) => taught(Math.exp(log)).alpha / alpha - 1;
    const found = brent(excess, Math.log(Math.min(alpha, 1) * 1e-3), Math.log(last));
    const conjugate = Math.exp(found);
    return { ...taught(conjugate), entropy: count(conjugate) - Math.LN2 };
  }

  // The branch of few examples along conjugates of q: alpha, q, and the logarithm of the number of students.
  function branch(conjugates) {
    const points = Array.from(conjugates, taught);
    return {
      alpha: points.map((each) => each.alpha),
      q: points.map((each) => each.q),
      count: Array.from(conjugates, count),
    };
  }

  theory.versionSpace = { spherical, binary, branch };
})();
