// Deterministic equivalents of X^T X for features of a few strengths, as in theory/resolvents.py.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  // Relative residual that double precision reaches with room to spare; more is not converged.
  const ROUNDING = 1e-11;
  // Steps along the arc; 0: straight from z = 0, where n < d. The few are tried first, the many last.
  const WAYS = [1, 3, 12, 0, 48, 192, 768];
  const LINE_STEPS = 8;
  const NEWTON_STEPS = 200;
  // A spectrum that comes closer to zero than this counts as reaching it: squares stay above all underflow.
  const TINIEST = 1e-140;

  // n samples and features of strengths v_k = sigma_k^2: K counts and K strengths. alpha = n/d, mu_k = m_k/d;
  // left: (n - m_1 - ... - m_j)/d for the j strongest, exact where sizes are whole.
  function spectrum(n, counts, strengths) {
    const d = counts.reduce((sum, count) => sum + count, 0);
    const strongest = Array.from(counts, (_, k) => k).sort((a, b) => strengths[b] - strengths[a]);
    const left = [n];
    for (const k of strongest) left.push(left[left.length - 1] - counts[k]);
    return {
      alpha: n / d,
      mu: Float64Array.from(counts, (count) => count / d),
      v: Float64Array.from(strengths),
      left: Float64Array.from(left, (rest) => rest / d),
      beyond: (n - d) / d,
      strongest,
    };
  }

  // The largest eigenvalue in the limit: alpha X + sum mu v X/(X - v) at sum mu v^2/(X - v)^2 = alpha. That
  // sum's power -1/2 rises and is concave in X: Newton's method from below cannot overshoot.
  function upperEdge({ alpha, mu, v, strongest }) {
    const top = v[strongest[0]];
    let beyond = top * Math.sqrt(mu[strongest[0]] / alpha); // X - max(v); this term alone would be alpha
    for (let step = 0; step < NEWTON_STEPS; step++) {
      let total = 0, falling = 0;
      for (let k = 0; k < v.length; k++) {
        const share = v[k] / (beyond + (top - v[k]));
        total += mu[k] * share * share;
        falling += (mu[k] * share * share) / (beyond + (top - v[k]));
      }
      const move = (total / falling) * (Math.sqrt(total / alpha) - 1);
      beyond += move;
      if (Math.abs(move) <= 1e-15 * beyond) break;
    }
    let edge = alpha * (top + beyond);
    for (let k = 0; k < v.length; k++) edge += (mu[k] * v[k] * (top + beyond)) / (beyond + (top - v[k]));
    return edge;
  }

  // The smallest eigenvalue other than zero, in the limit: sum mu v (x/(x + v))^2 at the largest x with
  // sum mu v^2/(x + v)^2 = alpha, found like the largest; 0 for n = d, and where it is too small.
  function lowerEdge({ alpha, mu, v, beyond, strongest }) {
    const weakest = strongest[v.length - 1];
    if (v[weakest] < TINIEST) return 0;
    let x = v[weakest] * (Math.sqrt(mu[weakest] / alpha) - 1);
    for (let step = 0; step < NEWTON_STEPS; step++) {
      let total = 0, falling = 0, rest = -beyond;
      for (let k = 0; k < v.length; k++) {
        const share = v[k] / (x + v[k]);
        total += mu[k] * share * share;
        falling += (mu[k] * share * share) / (x + v[k]);
        rest -= (x * mu[k] * ((x + 2 * v[k]) / (x + v[k]))) / (x + v[k]); // total - alpha, without 1 - 1
      }
      const excess = (alpha < 0.5 ? total - alpha : rest) / alpha;
      const move = ((total / falling) * excess) / (1 + Math.sqrt(1 + excess));
      x += move;
      if (Math.abs(move) <= 1e-14 * Math.abs(x)) break;
    }
    let edge = 0;
    for (let k = 0; k < v.length; k++) edge += mu[k] * v[k] * (x / (x + v[k])) ** 2;
    return edge;
  }

  // A lower bound of q on the positive axis: any number of the strongest scales saturated, others linear.
  function belowRoot({ mu, v, left, strongest }, z) {
    let linear = 0, bound = 0;
    for (let k = v.length; k >= 0; k--) {
      if (k < v.length) linear += mu[strongest[k]] * v[strongest[k]];
      if (z + linear > 0) bound = Math.max(bound, Math.max(left[k], 0) / (z + linear));
    }
    return bound;
  }

  // Solves the equation of a spectrum, q z + sum mu q v/(1 + q v) = alpha, at one point z after another.
  // Where q v is large its term is 1 - h, h = 1/(1 + q v), and the 1 is taken to the right, to whole numbers.
  function solver(of) {
    const { alpha, mu, v, left, beyond } = of;
    const size = v.length;
    // In an array, whose numbers change in place: q; left minus right, and its derivative in q; the size of the
    // terms; sum mu v h.
    const at = new Float64Array(9);
    const [QR, QI, ER, EI, SR, SI, SIZED, FLUXR, FLUXI] = at.keys();

    function sums(zr, zi) {
      const qr = at[QR], qi = at[QI];
      const lostR = qr * zr - qi * zi, lostI = qr * zi + qi * zr;
      let saturated = 0;
      let er = lostR, ei = lostI, sr = zr, si = zi, fluxR = 0, fluxI = 0;
      let sized = Math.sqrt(lostR * lostR + lostI * lostI);
      for (let k = 0; k < size; k++) {
        const xr = qr * v[k], xi = qi * v[k];
        const square = (1 + xr) * (1 + xr) + xi * xi;
        const hr = (1 + xr) / square, hi = -xi / square;
        let tr = -hr, ti = -hi;
        if (Math.abs(xr) + Math.abs(xi) > 1) {
          saturated++;
        } else {
          tr = xr * hr - xi * hi;
          ti = xr * hi + xi * hr;
        }
        er += mu[k] * tr;
        ei += mu[k] * ti;
        sized += mu[k] * Math.sqrt(tr * tr + ti * ti);
        const weight = mu[k] * v[k];
        sr += weight * (hr * hr - hi * hi);
        si += weight * 2 * hr * hi;
        fluxR += weight * hr;
        fluxI += weight * hi;
      }
      at[ER] = er - left[saturated];
      at[EI] = ei;
      at[SR] = sr;
      at[SI] = si;
      at[SIZED] = sized + Math.abs(left[saturated]);
      at[FLUXR] = fluxR;
      at[FLUXI] = fluxI;
    }

    // At most so many steps; convergence is quadratic: after one of 1e-9 or less q is exact to rounding.
    function newton(zr, zi, steps) {
      for (let step = 0; step < steps; step++) {
        sums(zr, zi);
        const er = at[ER], ei = at[EI], sr = at[SR], si = at[SI];
        const square = sr * sr + si * si;
        const mr = (er * sr + ei * si) / square, mi = (ei * sr - er * si) / square;
        at[QR] -= mr;
        at[QI] -= mi;
        if (Math.abs(mr) + Math.abs(mi) <= 1e-9 * (Math.abs(at[QR]) + Math.abs(at[QI]))) break;
      }
    }

    function start(q) {
      at[QR] = q;
      at[QI] = 0;
    }

    // Continue q from |z| to z: in each step a predictor in log q, then Newton.
    function alongArc(zr, zi, modulus, angle, steps) {
      const turn = angle / steps;
      for (let turned = 0; turned < steps; turned++) {
        const hr = modulus * Math.cos(turn * turned), hi = modulus * Math.sin(turn * turned);
        sums(hr, hi);
        const sr = at[SR], si = at[SI], qr = at[QR], qi = at[QI];
        const square = sr * sr + si * si;
        const ar = (hr * sr + hi * si) / square, ai = (hi * sr - hr * si) / square; // d log q = -i turn a
        const grown = Math.exp(turn * ai);
        const fr = grown * Math.cos(turn * ar), fi = -grown * Math.sin(turn * ar);
        at[QR] = qr * fr - qi * fi;
        at[QI] = qr * fi + qi * fr;
        newton(modulus * Math.cos(turn * (turned + 1)), modulus * Math.sin(turn * (turned + 1)), 1);
      }
      newton(zr, zi, 8);
    }

    // Continue q from 0 to z, straight, where n < d: q at 0 is finite there. Beside a lower edge far below all
    // strengths an arc passes roots that all but meet; this way does not.
    function fromZero(zr, zi) {
      start(belowRoot(of, 0));
      newton(0, 0, NEWTON_STEPS);
      for (let gone = 1; gone <= LINE_STEPS; gone++) {
        newton((gone / LINE_STEPS) * zr, (gone / LINE_STEPS) * zi, 8);
      }
    }

    // The residual, and that no other root is the physical one: Im(1/(qz)) Im z < 0 <= Im(z chi) Im z.
    function certified(zr, zi, real) {
      sums(zr, zi);
      if (!(Math.hypot(at[ER], at[EI]) <= ROUNDING * at[SIZED])) return false;
      const qr = at[QR], qi = at[QI];
      if (real) return qr > 0;
      const lostR = qr * zr - qi * zi, lostI = qr * zi + qi * zr;
      const modulus = Math.hypot(zr, zi);
      const square = lostR * lostR + lostI * lostI;
      const susceptibility = (-alpha * lostI) / square;
      const bound = ROUNDING * modulus;
      return susceptibility * zi <= (bound * alpha) / Math.sqrt(square)
        && at[FLUXI] * zi >= -bound * Math.hypot(at[FLUXR], at[FLUXI]);
    }

    // q at a complex z, and whether it is certified.
    function solve(zr, zi) {
      const modulus = Math.hypot(zr, zi);
      const angle = Math.atan2(zi, zr);
      start(belowRoot(of, modulus));
      newton(modulus, 0, NEWTON_STEPS);
      const onAxis = at[QR];
      for (const steps of WAYS) {
        if (steps) {
          start(onAxis);
          alongArc(zr, zi, modulus, angle, steps);
        } else if (beyond < 0) {
          fromZero(zr, zi);
        }
        if (certified(zr, zi, false)) return true;
      }
      return false;
    }

    // q at a real z, positive or 0 where n < d, and whether it is certified.
    function solveReal(z) {
      start(belowRoot(of, z));
      newton(z, 0, NEWTON_STEPS);
      return certified(z, 0, true);
    }

    return { solve, solveReal, root: () => [at[QR], at[QI]] };
  }

  // Equivalents h_k = 1/(1 + q v_k), 1 - h_k = q v_k h_k (`learned`) and q z at points, and whether each is
  // certified, as flat arrays of real and imaginary parts.
  function empty(points, size) {
    const made = { certified: new Uint8Array(points) };
    for (const name of ["hr", "hi", "lr", "li"]) made[name] = new Float64Array(points * size);
    for (const name of ["qzr", "qzi"]) made[name] = new Float64Array(points);
    return made;
  }

  // Put q at z into place `at` of such arrays.
  function put(made, at, v, [qr, qi], zr, zi, certified) {
    for (let k = 0; k < v.length; k++) {
      const xr = qr * v[k], xi = qi * v[k];
      const square = (1 + xr) * (1 + xr) + xi * xi;
      const hr = (1 + xr) / square, hi = -xi / square;
      const place = at * v.length + k;
      made.hr[place] = hr;
      made.hi[place] = hi;
      made.lr[place] = xr * hr - xi * hi;
      made.li[place] = xr * hi + xi * hr;
    }
    made.qzr[at] = qr * zr - qi * zi;
    made.qzi[at] = qr * zi + qi * zr;
    made.certified[at] = certified;
  }

  // The equivalents at complex points z, which lie off the negative real axis or beyond the spectrum.
  // rows and extra: the points come in rows, each of which has so many places more, for `join`.
  function resolvent(of, zr, zi, rows, extra) {
    const inRow = zr.length / rows;
    const made = empty(rows * (inRow + extra), of.v.length);
    const { solve, root } = solver(of);
    for (let row = 0; row < rows; row++) {
      for (let j = 0; j < inRow; j++) {
        const from = row * inRow + j;
        const certified = solve(zr[from], zi[from]);
        put(made, row * (inRow + extra) + j, of.v, root(), zr[from], zi[from], certified);
      }
    }
    return made;
  }

  // The equivalents at real points z > 0.
  function onAxis(of, z) {
    const made = empty(z.length, of.v.length);
    const { solveReal, root } = solver(of);
    z.forEach((at, j) => {
      const certified = solveReal(at);
      put(made, j, of.v, root(), at, 0, certified);
    });
    return made;
  }

  // The limit z -> 0 from above for n other than d: where n > d all is learned.
  function atZero(of) {
    if (of.beyond < 0) return onAxis(of, [0]);
    const made = empty(1, of.v.length);
    made.lr.fill(1);
    made.qzr[0] = of.beyond;
    made.certified[0] = 1;
    return made;
  }

  // Copy the first of other equivalents into place `at`.
  function join(made, at, other) {
    const size = other.hr.length / other.qzr.length;
    for (const name of ["hr", "hi", "lr", "li"]) made[name].set(other[name].subarray(0, size), at * size);
    for (const name of ["qzr", "qzi", "certified"]) made[name][at] = other[name][0];
  }

  theory.resolvent = { spectrum, upperEdge, lowerEdge, resolvent, onAxis, atZero, join };
})();
