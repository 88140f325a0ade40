// Functions of a matrix through its resolvent: contours around the spectrum, as in theory/contours.py.
// needs: numerics/complex.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});
  const { add, multiply, scale, divide, exp, expm1 } = numerics.complex;

  // Weideman's modified Talbot contour (Weideman 2006, SIAM J. Numer. Anal. 44, 2342), u = N * shape.
  const [SCALE, PINCH, SHIFT, SLOPE] = [0.5017, 0.6407, -0.6122, 0.2645];
  // Truncation e^(-1.2 N) has met rounding, which grows like e^(0.17 N): fewer or more are worse.
  const NODES = 24;
  // Im theta up to which a pole lies inside for certain, where the filter is as small as the truncation.
  const DEEPEST = -1.2;
  // Up to here (1 + eta v)^k is integrated on a circle, beyond it on Talbot contours.
  const FEW_STEPS = 24;
  // Where p is below e^-GONE on all of the spectrum it counts as 0: its square is below all numbers.
  const GONE = 330;
  // e^-NOTHING beside 1 is nothing.
  const NOTHING = 60;

  // u and du/d theta/N at the upper half of N midpoints.
  const TALBOT = Array.from({ length: NODES / 2 }, (_, j) => {
    const theta = (Math.PI * (2 * j + 1)) / NODES;
    const cot = 1 / Math.tan(PINCH * theta);
    const u = [NODES * (SHIFT + SCALE * theta * cot), NODES * SLOPE * theta];
    const slope = [NODES * SCALE * (cot - PINCH * theta * (1 + cot * cot)), NODES * SLOPE];
    return { u, weight: divide(multiply(exp(u), slope), [0, NODES]) };
  });

  // The share of a pole at u >= 0 that the midpoint rule on the Talbot contour leaves out: theta = -iy solves
  // u = N (shift + scale y coth(pinch y) + slope y), convex in y, by Newton's method from above.
  function leftOut(u) {
    let y = (u / NODES - SHIFT) / (SCALE + SLOPE);
    for (let step = 0; step < 8; step++) {
      const x = PINCH * (y === 0 ? 1e-9 : y);
      const coth = 1 / Math.tanh(x);
      const excess = SHIFT + (SCALE / PINCH) * x * coth + SLOPE * y - u / NODES;
      const slope = SCALE * (coth - x * (coth * coth - 1)) + SLOPE;
      y = Math.max(y - excess / slope, DEEPEST);
    }
    return y > DEEPEST ? 1 / (1 + Math.exp(-NODES * y)) : 0;
  }

  // A contour: points v of each time, or of all (`shared`), and weights of each time, so that p(A) is
  // 2 Re sum weight (A + v)^-1 over `size` points above the real axis. where: places of its times among those
  // asked for. outside(v): p(v) times the share of a pole at a real v that such sums leave out.
  function contour(where, size, shared, outside) {
    const rows = shared ? 1 : where.length;
    const vr = new Float64Array(rows * size), vi = new Float64Array(rows * size);
    const wr = new Float64Array(where.length * size), wi = new Float64Array(where.length * size);
    return { where, size, shared, vr, vi, wr, wi, outside };
  }

  function put(re, im, at, value) {
    re[at] = value[0];
    im[at] = value[1];
  }

  // The contour for e^(-sA) at times s > 0, and A of eigenvalues not below `slowest`, or only poles.
  function flow(times, slowest) {
    const last = slowest > 0 ? GONE / slowest : Infinity;
    const outside = (v) => Array.from(times, (time) => {
      const share = time > last ? 1 : leftOut(Math.min(time, last) * (v + slowest));
      return Math.exp(time * v) * share;
    });
    const made = contour(Array.from(times, (_, t) => t), TALBOT.length, false, outside);
    times.forEach((time, t) => {
      const s = Math.min(time, last);
      const kept = time > last ? 0 : Math.exp(-s * slowest) / s;
      TALBOT.forEach(({ u, weight }, j) => {
        put(made.vr, made.vi, t * made.size + j, [u[0] / s - slowest, u[1] / s]);
        put(made.wr, made.wi, t * made.size + j, scale(weight, kept));
      });
    });
    return [made];
  }

  // Contours for (1 - eta A)^k at whole k >= 1: a circle for each octave of few, Talbot's for more.
  // smallest: the smallest eigenvalue of 1 - eta A, above -1; 1 - gap: the largest but for poles.
  function descent(steps, rate, smallest, gap) {
    gap = Math.min(gap, 1 - Number.EPSILON); // no spectrum is one point, but to rounding it may be
    const octaves = new Map();
    const many = [];
    steps.forEach((step, t) => {
      if (step > FEW_STEPS) return many.push(t);
      const octave = Math.floor(Math.log2(step));
      octaves.set(octave, [...(octaves.get(octave) ?? []), t]);
    });
    const radius = Math.max(-smallest, 1 - gap);
    const contours = [...octaves.values()].map((where) => circle(where, steps, rate, radius, 1 - smallest));
    return many.length ? [...contours, open(many, steps, rate, smallest, gap)] : contours;
  }

  // The step up to where radius^k is gone, or is nothing beside e^(k largest).
  function lastStep(logRadius, largest) {
    const gone = GONE / Math.max(-logRadius, 1e-300);
    return Math.max(FEW_STEPS, Math.min(gone, NOTHING / Math.max(largest - logRadius, 1e-300)));
  }

  // A Talbot contour around the eigenvalues > 0 of 1 - eta A, and one around those < 0, if any. Neither has
  // to lie closer than at half of the other's distance, where it adds nothing.
  function open(where, steps, rate, smallest, gap) {
    gap = Math.min(gap, 1 + smallest / 2);
    const mirror = Math.max(-smallest, (1 - gap) / 2);
    const near = Math.log1p(-gap);
    const largest = smallest < 0 ? Math.max(near, Math.log(mirror)) : near;
    const last = lastStep(near, largest);
    const lastMirrored = lastStep(Math.log(mirror), largest);
    const half = TALBOT.length;
    const outside = (v) => where.map((t) => {
      if (1 + rate * v <= 0) return 0;
      const log = Math.log1p(rate * v);
      const share = leftOut(Math.max(Math.min(steps[t], last) * (log - near), 0));
      return Math.exp(steps[t] * log) * (steps[t] > last ? 1 : share);
    });
    const made = contour(where, smallest < 0 ? 2 * half : half, false, outside);
    where.forEach((t, row) => {
      const k = Math.min(steps[t], last);
      const size = steps[t] > last ? 0 : (1 - gap) * Math.exp(k * near);
      TALBOT.forEach(({ u, weight }, j) => {
        const v = add(scale(expm1(scale(u, 1 / k)), 1 - gap), [-gap, 0]);
        put(made.vr, made.vi, row * made.size + j, scale(v, 1 / rate));
        const turned = multiply(weight, exp(scale(u, 1 / k)));
        put(made.wr, made.wi, row * made.size + j, scale(turned, size / (k * rate)));
      });
      if (smallest >= 0) return;
      // The mirror image zeta -> -zeta carries (-1)^k and its own sign; its conjugate is in the upper half.
      const kept = Math.min(steps[t], lastMirrored);
      const sign = steps[t] % 2 === 0 ? -1 : 1;
      const other = steps[t] > lastMirrored ? 0 : sign * mirror * Math.exp(kept * Math.log(mirror));
      TALBOT.forEach(({ u, weight }, j) => {
        const turned = exp(scale(u, 1 / kept));
        const at = row * made.size + half + j;
        put(made.vr, made.vi, at, [(-mirror * turned[0] - 1) / rate, (mirror * turned[1]) / rate]);
        const [re, im] = scale(multiply(weight, turned), other / (kept * rate));
        put(made.wr, made.wi, at, [re, -im]);
      });
    });
    return made;
  }

  // The trapezoidal rule on |zeta| = radius e^(5/k), k the most steps: exact up to
  // (|eigenvalue|/that)^points. largest: the largest of eta A, in proportion to which as little is learned.
  function circle(where, steps, rate, radius, largest) {
    const logRadius = 5 / Math.max(...where.map((t) => steps[t]));
    const digits = 37 - Math.log(Math.min(Math.max(largest, 1e-16), 1)); // e^-37: below rounding
    const points = 2 * Math.ceil(digits / logRadius / 2);
    const away = Math.log(radius) + logRadius;
    const isLate = (k) => -k * Math.log(radius) > GONE;
    const outside = (v) => where.map((t) => {
      const at = 1 + rate * v;
      const inside = at ? Math.exp(Math.min(points * (away - Math.log(Math.abs(at))), 700)) : 0;
      return at ** steps[t] / (1 + (isLate(steps[t]) ? 0 : inside));
    });
    const made = contour(where, points / 2, true, outside);
    for (let j = 0; j < made.size; j++) {
      const angle = (Math.PI * (2 * j + 1)) / points;
      const zeta = exp([away, angle]);
      put(made.vr, made.vi, j, [(zeta[0] - 1) / rate, zeta[1] / rate]);
      where.forEach((t, row) => {
        const k = steps[t] + 1;
        const weight = isLate(steps[t]) ? [0, 0] : scale(exp([k * away, k * angle]), 1 / (points * rate));
        put(made.wr, made.wi, row * made.size + j, weight);
      });
    }
    return made;
  }

  numerics.contours = { flow, descent };
})();
