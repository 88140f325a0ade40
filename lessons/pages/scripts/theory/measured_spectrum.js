// Errors of a linear student on rows drawn from a pool, from spectrum and target alone: flow, and its end.
// needs: numerics/contours.js numerics/roots.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { contours, roots } = TS.numerics;

  // Relative residual that double precision reaches with room to spare; more is not converged.
  const ROUNDING = 1e-11;
  // Steps along the arc from |z| to z, until the root is certified; 0: straight from z = 0 instead.
  const WAYS = [3, 12, 0, 48, 192, 768];
  const [LINE_STEPS, NEWTON_STEPS] = [8, 200];

  // A pool of `rows` with p eigenvalues above 0, decreasing, and n rows drawn from it, as in
  // theory/resolvents.py: strengths v = P lambda, 1/P of the weight each, and `none` the weight of zeros.
  function pool({ eigenvalues, rows, n }) {
    const size = eigenvalues.length;
    if (!(n >= 1 && n < rows && size < rows)) {
      throw new Error(`n = ${n} or p = ${size} is not below P = ${rows}`);
    }
    const v = Float64Array.from(eigenvalues, (each) => each * rows);
    const none = (rows - size) / rows, beyond = (n - size) / rows;
    return { v, size, rows, n, alpha: n / rows, mu: 1 / rows, none, beyond };
  }

  // The smallest eigenvalue of the drawn rows' X^T X other than zero, in the limit; 0 where n = p. With
  // x = 1/q it is where (1 - alpha) sum mu/(x + v)^2 - (sum mu/(x + v))^2 changes sign.
  function lowerEdge({ v, size, mu, none, alpha, beyond }) {
    if (!beyond) return 0;
    const once = (x) => v.reduce((sum, each) => sum + (mu * x) / (x + each), 0);
    const tilt = (x) => {
      const square = v.reduce((sum, each) => sum + mu * (x / (x + each)) ** 2, 0);
      return (1 - alpha) * square - once(x) * (once(x) + 2 * none) - none * beyond;
    };
    let low = 0, high = v[0];
    if (beyond > 0) {
      low = roots.brent((x) => none + once(x), -(1 - 1.2e-16) * v[size - 1], 0);
      high = 0;
    } else {
      while (tilt(high) > 0) high *= 2;
    }
    const x = roots.brent(tilt, low, high);
    return (x * (-beyond - once(x))) / (none + once(x));
  }

  // Solves q z u + sum mu q v h = alpha, h = 1/(1 + q v), u = sum mu h with that of the zeros, at one point z
  // after another. Where q v is large its term is 1 - h, and the 1 is taken to the right.
  function solver(of) {
    const { v, size, mu, none, alpha, beyond, n, rows } = of;
    let qr = 0, qi = 0, er = 0, ei = 0, sr = 0, si = 0; // q; left minus right, and its derivative in q
    let sized = 0, fluxR = 0, fluxI = 0, ur = 0, ui = 0; // of the terms, in all; sum mu v h; u

    function sums(zr, zi) {
      let saturated = 0, tr = 0, ti = 0, size1 = 0, slopeR = 0, slopeI = 0;
      [fluxR, fluxI, ur, ui] = [0, 0, 0, 0];
      for (let k = 0; k < size; k++) {
        const xr = qr * v[k], xi = qi * v[k];
        const square = (1 + xr) * (1 + xr) + xi * xi;
        const hr = (1 + xr) / square, hi = -xi / square;
        let ar = -hr, ai = -hi;
        if (Math.abs(xr) + Math.abs(xi) > 1) {
          saturated++;
        } else {
          [ar, ai] = [xr * hr - xi * hi, xr * hi + xi * hr];
        }
        tr += ar;
        ti += ai;
        size1 += Math.abs(ar) + Math.abs(ai);
        ur += hr;
        ui += hi;
        fluxR += v[k] * hr;
        fluxI += v[k] * hi;
        slopeR += v[k] * (hr * hr - hi * hi);
        slopeI += v[k] * 2 * hr * hi;
      }
      [ur, ui, fluxR, fluxI] = [none + mu * ur, mu * ui, mu * fluxR, mu * fluxI];
      const right = (n - saturated) / rows;
      const qzr = qr * zr - qi * zi, qzi = qr * zi + qi * zr;
      const lostR = qzr * ur - qzi * ui, lostI = qzr * ui + qzi * ur;
      er = lostR + mu * tr - right;
      ei = lostI + mu * ti;
      sized = Math.hypot(lostR, lostI) + mu * size1 + Math.abs(right);
      const ar = mu * slopeR, ai = mu * slopeI;
      sr = ar * (1 - qzr) + ai * qzi + zr * ur - zi * ui;
      si = ai * (1 - qzr) - ar * qzi + zr * ui + zi * ur;
    }

    // At most so many steps; convergence is quadratic: after one of 1e-9 or less q is exact to rounding.
    function newton(zr, zi, steps) {
      for (let step = 0; step < steps; step++) {
        sums(zr, zi);
        const square = sr * sr + si * si;
        const mr = (er * sr + ei * si) / square, mi = (ei * sr - er * si) / square;
        qr -= mr;
        qi -= mi;
        if (Math.abs(mr) + Math.abs(mi) <= 1e-9 * (Math.abs(qr) + Math.abs(qi))) break;
      }
    }

    // A lower bound of q on the positive axis: any number of the strongest saturated, the others linear.
    function belowRoot(z) {
      let linear = v.reduce((sum, each) => sum + mu * each, 0), bound = 0, spent = 0;
      for (let k = 0; k <= size; k++) {
        const left = (n - k) / rows - z * spent;
        const steepness = z * ((n - k) / rows + 1 - alpha) + linear;
        if (steepness > 0) bound = Math.max(bound, Math.max(left, 0) / steepness);
        if (k < size) [linear, spent] = [k === size - 1 ? 0 : linear - mu * v[k], spent + mu / v[k]];
      }
      return bound;
    }

    // Move on along dq/dz, in logarithms, from z to the next point; u and the slope are those at z.
    function predict(zr, zi, nextR, nextI) {
      const fr = zr * ur - zi * ui, fi = zr * ui + zi * ur; // d log q/d log z = -z u/slope
      const square = sr * sr + si * si;
      const ar = -(fr * sr + fi * si) / square, ai = -(fi * sr - fr * si) / square;
      const grown = Math.log(Math.hypot(nextR, nextI) / Math.hypot(zr, zi));
      const turned = Math.atan2(nextI, nextR) - Math.atan2(zi, zr);
      const size1 = Math.exp(ar * grown - ai * turned);
      const angle = ar * turned + ai * grown;
      const gr = size1 * Math.cos(angle), gi = size1 * Math.sin(angle);
      [qr, qi] = [qr * gr - qi * gi, qr * gi + qi * gr];
    }

    function alongArc(zr, zi, modulus, angle, steps) {
      for (let turned = 0; turned < steps; turned++) {
        const from = (angle * turned) / steps, to = (angle * (turned + 1)) / steps;
        const at = [modulus * Math.cos(from), modulus * Math.sin(from)];
        const next = [modulus * Math.cos(to), modulus * Math.sin(to)];
        sums(...at);
        predict(...at, ...next);
        newton(...next, 1);
      }
      newton(zr, zi, 8);
    }

    // The residual, and that no other root is the physical one: Im(1/(qz)) Im z <= 0 <= Im(z chi) Im z.
    function certified(zr, zi) {
      sums(zr, zi);
      if (!(Math.hypot(er, ei) <= ROUNDING * sized)) return false;
      if (zi === 0) return qr > 0;
      const qzr = qr * zr - qi * zi, qzi = qr * zi + qi * zr;
      const bound = ROUNDING * Math.hypot(zr, zi);
      return -qzi * zi <= bound * Math.hypot(qzr, qzi) && fluxI * zi >= -bound * Math.hypot(fluxR, fluxI);
    }

    // q at z: in one step from the root at the point before, where there is one; else from the axis.
    function solve(zr, zi, before) {
      if (before) {
        [qr, qi] = before.q;
        sums(...before.z);
        predict(...before.z, zr, zi);
        newton(zr, zi, 8);
        if (certified(zr, zi)) return true;
      }
      const modulus = Math.hypot(zr, zi);
      [qr, qi] = [belowRoot(modulus), 0];
      newton(modulus, 0, NEWTON_STEPS);
      if (zi === 0) return certified(zr, zi);
      const start = qr;
      for (const steps of WAYS) {
        if (steps) {
          [qr, qi] = [start, 0];
          alongArc(zr, zi, modulus, Math.atan2(zi, zr), steps);
        } else if (beyond < 0) {
          [qr, qi] = [belowRoot(0), 0];
          newton(0, 0, NEWTON_STEPS);
          for (let gone = 1; gone <= LINE_STEPS; gone++) {
            newton((gone / LINE_STEPS) * zr, (gone / LINE_STEPS) * zi, 8);
          }
        }
        if (certified(zr, zi)) return true;
      }
      return false;
    }

    return { solve, root: () => [qr, qi] };
  }

  // h_k and 1 - h_k, q z and u of one point.
  function equivalent({ v, size, mu, none }, [qr, qi], zr, zi) {
    const made = { ur: none, ui: 0, qzr: qr * zr - qi * zi, qzi: qr * zi + qi * zr };
    for (const name of ["hr", "hi", "lr", "li"]) made[name] = new Float64Array(size);
    for (let k = 0; k < size; k++) {
      const xr = qr * v[k], xi = qi * v[k];
      const square = (1 + xr) * (1 + xr) + xi * xi;
      const hr = (1 + xr) / square, hi = -xi / square;
      [made.hr[k], made.hi[k]] = [hr, hi];
      [made.lr[k], made.li[k]] = [xr * hr - xi * hi, xr * hi + xi * hr];
      made.ur += mu * hr;
      made.ui += mu * hi;
    }
    return made;
  }

  // The equivalent at z -> 0; none at n = p.
  function atZero(of) {
    const { size, none, beyond } = of;
    if (beyond < 0) {
      const { solve, root } = solver(of);
      const certified = solve(0, 0);
      return { ...equivalent(of, root(), 0, 0), certified };
    }
    const zeros = new Float64Array(size);
    const all = new Float64Array(size).fill(1);
    const h = { hr: zeros, hi: zeros }, learned = { lr: all, li: zeros };
    return { ...h, ...learned, ur: none, ui: 0, qzr: beyond / none, qzi: 0, certified: true };
  }

  // The error on new rows, label noise included, over targets and times, of gradient flow from zero.
  // question: eigenvalues (p,), rows P, n, noise, times, and of each target its `powers` (p,) along the modes
  // and its rest. NaN at times for which a root is not certified.
  function flow(question) {
    const { powers, rests, noise = 0, times } = question;
    const of = pool(question);
    const edge = lowerEdge(of);
    const pole = edge ? atZero(of) : null;
    const { solve, root } = solver(of);
    const found = powers.map((power, task) => {
      const total = power.reduce((sum, each) => sum + each, rests[task]) + noise * noise;
      return Array.from(times, () => total);
    });
    const moving = times.map((_, t) => t).filter((t) => times[t] > 0);
    const [made] = contours.flow(moving.map((t) => times[t]), edge);
    const rest = pole ? made.outside(0) : [];
    const before = [];
    moving.forEach((t, row) => {
      const points = [];
      for (let j = 0; j < made.size; j++) {
        const place = row * made.size + j;
        const z = [made.vr[place], made.vi[place]];
        const certified = solve(...z, before[j]);
        before[j] = certified ? { q: root(), z } : undefined;
        const square = z[0] * z[0] + z[1] * z[1];
        points.push({
          ...equivalent(of, root(), ...z),
          certified,
          wr: (made.wr[place] * z[0] + made.wi[place] * z[1]) / square,
          wi: (made.wi[place] * z[0] - made.wr[place] * z[1]) / square,
        });
      }
      if (pole) points.push({ ...pole, wr: rest[row] / 2, wi: 0 });
      const errors = twice(of, points, powers, rests, noise);
      const certified = points.every((each) => each.certified);
      errors.forEach((error, task) => (found[task][t] = certified ? error : NaN));
    });
    return { generalisation_error: found };
  }

  // Sums over two points of all of a contour, of weights and K = alpha (S + noise^2 N)/(u D), with
  // S = sum power h h', N = sum mu h h' and D = sum mu (1 - h) h' + q z N: parts that do not cancel. K is
  // symmetric in its points. Of j and j', and j and the mirror image of j', all sums have the same products.
  function twice({ size, mu, none, alpha }, points, powers, rests, noise) {
    const totals = powers.map(() => 0);
    const tasks = powers.length;
    const sumsOf = new Float64Array(4 * tasks); // of each target rr, ii, ri, ir
    points.forEach((one, j) => {
      for (let other = j; other < points.length; other++) {
        const two = points[other];
        const times = other === j ? 2 : 4;
        let lrr = 0, lii = 0, lri = 0, lir = 0, hrr = 0, hii = 0, hri = 0, hir = 0;
        sumsOf.fill(0);
        for (let k = 0; k < size; k++) {
          const br = two.hr[k], bi = two.hi[k];
          const rr = one.hr[k] * br, ii = one.hi[k] * bi, ri = one.hr[k] * bi, ir = one.hi[k] * br;
          lrr += one.lr[k] * br;
          lii += one.li[k] * bi;
          lri += one.lr[k] * bi;
          lir += one.li[k] * br;
          hrr += rr;
          hii += ii;
          hri += ri;
          hir += ir;
          for (let task = 0; task < tasks; task++) {
            const power = powers[task][k];
            sumsOf[4 * task] += power * rr;
            sumsOf[4 * task + 1] += power * ii;
            sumsOf[4 * task + 2] += power * ri;
            sumsOf[4 * task + 3] += power * ir;
          }
        }
        for (const side of [1, -1]) {
          const nr = none + mu * (hrr - side * hii), ni = mu * (hir + side * hri);
          const dr = mu * (lrr - side * lii) + one.qzr * nr - one.qzi * ni;
          const di = mu * (lir + side * lri) + one.qzr * ni + one.qzi * nr;
          const ur = dr * one.ur - di * one.ui, ui = dr * one.ui + di * one.ur;
          // alpha w w'/(u D)
          const wr = one.wr * two.wr - side * one.wi * two.wi;
          const wi = side * one.wr * two.wi + one.wi * two.wr;
          const scale = (times * alpha) / (ur * ur + ui * ui);
          const ar = scale * (wr * ur + wi * ui), ai = scale * (wi * ur - wr * ui);
          for (let task = 0; task < tasks; task++) {
            const [rr, ii, ri, ir] = sumsOf.subarray(4 * task, 4 * task + 4);
            const real = rests[task] + rr - side * ii + noise * noise * nr;
            totals[task] += ar * real - ai * (ir + side * ri + noise * noise * ni);
          }
        }
      }
    });
    return totals;
  }

  // q at a real ridge z >= 0 and what it leaves of each mode, h_k. question: eigenvalues, rows, n and z. With
  // z = 0 and n >= p there is no q: it is infinite, and nothing is left.
  function ridge(question) {
    const { eigenvalues, rows, n, z } = question;
    if (z === 0 && n >= eigenvalues.length) return { q: Infinity, h: eigenvalues.map(() => 0) };
    const excess = (logQ) => {
      const q = Math.exp(logQ);
      let dof = 0;
      for (const each of eigenvalues) dof += (q * each) / (1 + q * each);
      return q * z * (1 - dof / rows) - n + dof;
    };
    const q = Math.exp(roots.brent(excess, -60, 60));
    return { q, h: eigenvalues.map((each) => 1 / (1 + q * each)) };
  }

  // The error of one target (power, rest) when training never stops; infinite at n = p.
  function endless(question) {
    const { eigenvalues, power, rest, rows, n, noise = 0 } = question;
    const p = eigenvalues.length;
    if (n === p) return { generalisation_error: Infinity };
    if (n > p) return { generalisation_error: (rest / (1 - p / rows) + noise * noise) / (1 - p / n) };
    const { h } = ridge({ eigenvalues, rows, n, z: 0 });
    const delta = n / rows;
    const T = h.reduce((sum, each) => sum + (1 - each) ** 2, 0) / n;
    const missed = h.reduce((sum, each, k) => sum + power[k] * each * each, rest);
    const noisy = noise * noise * (1 - 2 * delta + delta * T);
    return { generalisation_error: (missed + noisy) / ((1 - delta) * (1 - T)) };
  }

  theory.measured_spectrum = { flow, ridge, endless };
})();
