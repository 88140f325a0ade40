// Random features, the limit of many: the excess risk of gradient flow and its parts.
// needs: numerics/contours.js numerics/roots.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { contours } = TS.numerics;
  const { brent } = TS.numerics.roots;

  const ROUNDING = 1e-11; // a relative Newton step that double precision reaches with room to spare
  const STEPS = [1, 3, 12, 48, 192, 768]; // along an arc: the next where the last has left no certified root
  const LOST = 1e-8; // a difference of E so much smaller than E may be rounding alone
  const MOST = 200; // steps on the axis
  const FINAL = 8; // steps elsewhere
  const LOG_LARGEST = 300;

  // The whole number nearest to a positive one, the even one of two: Python's `round`.
  function nearest(value) {
    const floor = Math.floor(value);
    const rest = value - floor;
    return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  }

  // mu1 and mustar^2 of max(u, 0), or of Hermite coefficients; the first is a mean and is left out.
  function moments(hermite) {
    if (!hermite) return { linear: 0.5, rest: 0.25 - 0.5 / Math.PI };
    const [, linear, ...others] = hermite;
    return { linear, rest: others.reduce((sum, each) => sum + each * each, 0) };
  }

  // What the limit depends on: psi1 = N/d, psi2 = n/d, the shares m of inputs and u_k = mu1^2 s_k, the
  // largest first, of scales of strengths s_k whose mean is 1; rest = mustar^2. gap: |psi1 - psi2|. left[j]:
  // min(psi1, psi2) less the shares of the j largest u.
  function modelOf({ psi1, psi2, d = 1e6, scales, hermite, noise = 0, ridge = 0 }) {
    const those = (scales ?? [[d, 1]]).map(([count, strength]) => ({ count, square: strength ** 2 }));
    const sum = (what) => those.reduce((total, each) => total + what(each), 0);
    const inputs = sum(({ count }) => count);
    const mean = sum(({ count, square }) => count * square) / inputs;
    const width = nearest(psi1 * inputs), samples = nearest(psi2 * inputs);
    if (!(width >= 1 && samples >= 1)) throw new Error("no features, or no samples");
    const { linear, rest } = moments(hermite);
    those.sort((a, b) => b.square - a.square);
    const m = Float64Array.from(those, ({ count }) => count / inputs);
    const u = Float64Array.from(those, ({ square }) => (linear * linear * square) / mean);
    const left = [Math.min(width, samples) / inputs];
    let strongest = 0;
    for (const { count } of those) {
      strongest += count;
      left.push((Math.min(width, samples) - strongest) / inputs);
    }
    if (!rest && left.at(-1) > 0) {
      throw new Error("linear features of fewer inputs than features and samples");
    }
    return {
      psi1: width / inputs,
      psi2: samples / inputs,
      gap: Math.abs(width - samples) / inputs,
      narrow: width <= samples,
      left,
      m,
      u,
      rest,
      noise: noise * noise,
      ridge,
    };
  }

  // What a Newton step finds out, in `at`: min(psi1, psi2) - E and its slope in y, the same from its product,
  // the step, and d log y/d log z.
  const [NEAR_R, NEAR_I, SLOPE_R, SLOPE_I, LEAST_R] = [0, 1, 2, 3, 4];
  const [LEAST_I, STEP_R, STEP_I, TURN_R, TURN_I] = [5, 6, 7, 8, 9];
  const at = new Float64Array(10);

  // |a + bi|; `Math.hypot` is ten times as slow.
  const size = (a, b) => Math.sqrt(a * a + b * b);

  // min(psi1, psi2) - E and its derivative in y. Of large y u the 1 in 1 - eta is taken to the other side, to
  // shares of inputs, so that at n = N, n = d or N = d no digit is lost.
  function difference({ m, u, rest, left }, yr, yi) {
    let sumR = 0, sumI = 0, slopeR = 0, slopeI = 0, saturated = 0;
    for (let k = 0; k < m.length; k++) {
      const tr = u[k] * yr, ti = u[k] * yi;
      const square = (1 + tr) * (1 + tr) + ti * ti;
      const er = (1 + tr) / square, ei = -ti / square;
      if (tr * tr + ti * ti > 1) {
        saturated++;
        sumR -= m[k] * er;
        sumI -= m[k] * ei;
      } else {
        sumR += m[k] * (tr * er - ti * ei);
        sumI += m[k] * (tr * ei + ti * er);
      }
      slopeR += m[k] * u[k] * (er * er - ei * ei);
      slopeI += m[k] * u[k] * 2 * er * ei;
    }
    at[NEAR_R] = left[saturated] - yr * rest - sumR;
    at[NEAR_I] = -yi * rest - sumI;
    at[SLOPE_R] = -rest - slopeR;
    at[SLOPE_I] = -slopeI;
  }

  // x = min(psi1, psi2) - E at a root y, from x (x + gap) = psi1 z y: of its two roots that which the
  // difference itself is closer to; where rounding has taken that, it is the one with Im x Im z >= 0, for Im
  // y Im z <= 0.
  function least({ psi1, gap, left }, zr, zi, yr, yi) {
    const pr = psi1 * (yr * zr - yi * zi), pi = psi1 * (yr * zi + yi * zr);
    const sr = gap * gap + 4 * pr, si = 4 * pi;
    const whole = size(sr, si);
    let rr = Math.sqrt((whole + Math.abs(sr)) / 2);
    let ri = rr > 0 ? si / (2 * rr) : 0;
    if (sr < 0) [rr, ri] = si < 0 ? [-ri, -rr] : [ri, rr];
    const nr = at[NEAR_R], ni = at[NEAR_I];
    const lost = zi !== 0 && size(nr, ni) < LOST * left[0];
    const side = lost ? ri * zi : (2 * nr + gap) * rr + 2 * ni * ri;
    if (side < 0) [rr, ri] = [-rr, -ri];
    if (rr < 0) {
      at[LEAST_R] = (rr - gap) / 2;
      at[LEAST_I] = ri / 2;
      return;
    }
    const under = (rr + gap) * (rr + gap) + ri * ri;
    if (under === 0) {
      at[LEAST_R] = at[LEAST_I] = 0;
      return;
    }
    at[LEAST_R] = (2 * (pr * (rr + gap) + pi * ri)) / under;
    at[LEAST_I] = (2 * (pi * (rr + gap) - pr * ri)) / under;
  }

  // Newton's step at y of (psi1 - E)(psi2 - E) = psi1 z y, and d log y/d log z if that is a root. Where E is
  // close to min(psi1, psi2) that difference is less what its square says, which vanishes slowly.
  function newton(model, zr, zi, yr, yi) {
    difference(model, yr, yi);
    least(model, zr, zi, yr, yi);
    const { psi1, gap, left } = model;
    const nr = at[NEAR_R], ni = at[NEAR_I], sr = at[SLOPE_R], si = at[SLOPE_I];
    const pr = psi1 * zr, pi = psi1 * zi;
    const ar = 2 * at[LEAST_R] + gap, ai = 2 * at[LEAST_I];
    const br = sr * ar - si * ai - pr, bi = sr * ai + si * ar - pi;
    const below = br * br + bi * bi;
    if (size(nr, ni) < left[0] / 2) {
      const dr = nr - at[LEAST_R], di = ni - at[LEAST_I];
      const or = dr * ar - di * ai, oi = dr * ai + di * ar;
      at[STEP_R] = (or * br + oi * bi) / below;
      at[STEP_I] = (oi * br - or * bi) / below;
    } else {
      const fr = 2 * nr + gap, fi = 2 * ni;
      const cr = sr * fr - si * fi - pr, ci = sr * fi + si * fr - pi;
      const or = nr * (nr + gap) - ni * ni - (pr * yr - pi * yi);
      const oi = ni * (2 * nr + gap) - (pr * yi + pi * yr);
      const under = cr * cr + ci * ci;
      at[STEP_R] = (or * cr + oi * ci) / under;
      at[STEP_I] = (oi * cr - or * ci) / under;
    }
    at[TURN_R] = (pr * br + pi * bi) / below;
    at[TURN_I] = (pi * br - pr * bi) / below;
  }

  // At most so many steps of Newton's method from y, which is [real, imaginary], in place.
  function settle(model, zr, zi, y, most) {
    for (let left = most; left > 0; left--) {
      newton(model, zr, zi, y[0], y[1]);
      y[0] -= at[STEP_R];
      y[1] -= at[STEP_I];
      if (size(at[STEP_R], at[STEP_I]) <= 1e-9 * size(y[0], y[1])) return;
    }
  }

  // y at z >= 0: from a lower bound, from which Newton's method cannot overshoot. min(1, t) >= t/(1 + t):
  // with any number of the strongest scales counted as saturated and the others as linear E is bounded by a
  // line.
  function onAxis(model, z) {
    const { psi1, m, u, rest, left, gap } = model;
    const push = psi1 * z;
    let slope = rest, bound = 0;
    for (let k = m.length; k >= 0; k--) {
      if (k < m.length) slope += m[k] * u[k];
      const one = Math.max(left[k], 0), other = left[k] > 0 ? left[k] + gap : 0;
      const spread = Math.hypot(slope * gap, Math.sqrt(push) * Math.sqrt(2 * slope * (one + other) + push));
      const whole = slope * (one + other) + push + spread;
      if (whole > 0) bound = Math.max(bound, (2 * one * other) / whole);
    }
    const y = [bound, 0];
    settle(model, z, 0, y, MOST);
    return y;
  }

  // Whether y is the equivalent at z: a root, and the one among them.
  function certified(model, zr, zi, yr, yi) {
    newton(model, zr, zi, yr, yi);
    const most = ROUNDING * size(yr, yi);
    if (!(size(at[STEP_R], at[STEP_I]) <= most)) return false;
    if (zi === 0) return yr > 0;
    let used = 0;
    for (let k = 0; k < model.m.length; k++) {
      const tr = model.u[k] * yr, ti = model.u[k] * yi;
      used += (model.m[k] * (tr * tr + ti * ti)) / ((1 + tr) * (1 + tr) + ti * ti);
    }
    return yi * zi <= most * size(zr, zi) && used <= (1 + ROUNDING) * model.left[0];
  }

  // y at z off the axis, in place, from y at |z|: in few steps along the arc, then in more. Whether it is
  // certified.
  function turned(model, zr, zi, y) {
    const modulus = size(zr, zi), angle = Math.atan2(zi, zr);
    const start = onAxis(model, modulus)[0];
    for (const steps of STEPS) {
      [y[0], y[1]] = [start, 0];
      const turn = angle / steps;
      for (let i = 0; i < steps; i++) {
        newton(model, modulus * Math.cos(turn * i), modulus * Math.sin(turn * i), y[0], y[1]);
        foretold(y, 0, turn);
        settle(model, modulus * Math.cos(turn * (i + 1)), modulus * Math.sin(turn * (i + 1)), y, 1);
      }
      settle(model, zr, zi, y, FINAL);
      if (certified(model, zr, zi, y[0], y[1])) return true;
    }
    return false;
  }

  // Move y by what the last Newton step says of a change of log z.
  function foretold(y, logR, logI) {
    const cr = at[TURN_R] * logR - at[TURN_I] * logI, ci = at[TURN_R] * logI + at[TURN_I] * logR;
    const grown = Math.exp(cr);
    const fr = grown * Math.cos(ci), fi = grown * Math.sin(ci);
    [y[0], y[1]] = [y[0] * fr - y[1] * fi, y[0] * fi + y[1] * fr];
  }

  // Equivalents at `count` points: eta_k and 1 - eta_k, (J, K), y mustar^2, psi1 - E and psi2 - E, (J,).
  function points(count, scales) {
    const made = { count, scales };
    for (const name of ["etaR", "etaI", "learnedR", "learnedI"]) {
      made[name] = new Float64Array(count * scales);
    }
    for (const name of ["floorR", "floorI", "featuresR", "featuresI", "samplesR", "samplesI"]) {
      made[name] = new Float64Array(count);
    }
    return made;
  }

  // Enter the equivalent y at z as point j.
  function enter(model, into, j, zr, zi, yr, yi) {
    const { m, u, rest, gap, narrow } = model;
    difference(model, yr, yi);
    least(model, zr, zi, yr, yi);
    for (let k = 0; k < m.length; k++) {
      const tr = u[k] * yr, ti = u[k] * yi;
      const square = (1 + tr) * (1 + tr) + ti * ti;
      const er = (1 + tr) / square, ei = -ti / square;
      const i = j * m.length + k;
      into.etaR[i] = er;
      into.etaI[i] = ei;
      into.learnedR[i] = tr * er - ti * ei;
      into.learnedI[i] = tr * ei + ti * er;
    }
    into.floorR[j] = yr * rest;
    into.floorI[j] = yi * rest;
    const atZero = zr === 0 && zi === 0;
    const x = atZero ? 0 : at[LEAST_R], more = gap;
    into.featuresR[j] = narrow ? x : x + more;
    into.samplesR[j] = narrow ? x + more : x;
    into.featuresI[j] = into.samplesI[j] = atZero ? 0 : at[LEAST_I];
  }

  // The smallest eigenvalue of Phi^T Phi other than 0, and y at z -> 0; 0 and null where n = N, or where the
  // rank of features is attained twice: the spectrum begins at 0 there. It is where y, real below the
  // spectrum, is stationary.
  function lowerEdge(model) {
    const { psi1, m, u, rest, gap, left } = model;
    if (!gap || (!rest && !left.at(-1))) return { lowest: 0, start: null };
    const start = onAxis(model, 0)[0];
    let y = 0, less = 0, rising = 0;
    const tilt = (log) => {
      const more = Math.exp(log);
      y = start * (1 + more);
      less = start * rest;
      rising = y * rest;
      for (let k = 0; k < m.length; k++) {
        const eta = 1 / (1 + y * u[k]);
        less += (m[k] * start * u[k] * eta) / (1 + start * u[k]);
        rising += m[k] * y * u[k] * eta * eta;
      }
      less *= -more; // min(psi1, psi2) - E
      return (Math.max(less + gap, 0) * less + (2 * less + gap) * rising) / rising;
    };
    tilt(brent(tilt, -LOG_LARGEST, LOG_LARGEST));
    return { lowest: (-less * (less + gap)) / (psi1 * y), start };
  }

  // Sums over pairs of points of a contour, with their mirror images.
  const PARTS = [
    "variance_features",
    "variance_samples",
    "variance_features_samples",
    "variance_noise",
    "variance_features_noise",
  ];
  const sums = new Float64Array(PARTS.length);

  // Add 2 Re w K(z, z') to `sums`, of points j and k, or of j and the mirror image of k (side -1): the
  // kernels of the variances, or, not in `parts`, of all together. With A = mustar^2 + <u eta eta'> and P =
  // <x x'>, x = 1 - eta, psi_i - P and D are sums of products that do not cancel:
  //
  //   psi_i - P = g_i + y A,   D = g_1 g_2' + g_1 y' A + g_2' y A,   g_i = psi_i - E.
  function addPair(model, of, j, k, side, wr, wi, parts) {
    const { m, psi2, noise } = model;
    const { scales, etaR, etaI, learnedR, learnedI } = of;
    let missR = 0, missI = 0, learnR = 0, learnI = 0, rowR = 0, rowI = 0, mateR = 0, mateI = 0;
    for (let i = j * scales, l = k * scales, n = 0; n < scales; i++, l++, n++) {
      const aR = etaR[i], aI = etaI[i], xR = learnedR[i], xI = learnedI[i];
      const bR = m[n] * etaR[l], bI = side * m[n] * etaI[l];
      const vR = m[n] * learnedR[l], vI = side * m[n] * learnedI[l];
      missR += aR * bR - aI * bI;
      missI += aR * bI + aI * bR;
      learnR += xR * vR - xI * vI;
      learnI += xR * vI + xI * vR;
      rowR += xR * bR - xI * bI;
      rowI += xR * bI + xI * bR;
      mateR += aR * vR - aI * vI;
      mateI += aR * vI + aI * vR;
    }
    const riseR = of.floorR[j] + rowR, riseI = of.floorI[j] + rowI; // y A
    const risenR = of.floorR[k] + mateR, risenI = side * of.floorI[k] + mateI; // y' A
    const fR = of.featuresR[j], fI = of.featuresI[j];
    const gR = of.samplesR[k], gI = side * of.samplesI[k];
    const hR = gR + risenR, hI = gI + risenI; // psi_2 - P, too
    const bothR = fR * hR - fI * hI + gR * riseR - gI * riseI;
    const bothI = fR * hI + fI * hR + gR * riseI + gI * riseR;
    const spreadR = riseR * risenR - riseI * risenI, spreadI = riseR * risenI + riseI * risenR;
    const alignR = riseR * mateR - riseI * mateI, alignI = riseR * mateI + riseI * mateR;
    const pR = fR + riseR, pI = fI + riseI; // psi_1 - P
    const scale = 2 / (bothR * bothR + bothI * bothI);
    const overR = (wr * bothR + wi * bothI) * scale, overI = (wi * bothR - wr * bothI) * scale; // 2 w/D
    if (!parts) {
      // psi_2 y y' A <u eta eta'> + (<eta eta'> + noise^2) [y y' A^2 + P (psi_1 - P)]
      const sR = spreadR + learnR * pR - learnI * pI, sI = spreadI + learnR * pI + learnI * pR;
      const tR = missR + noise;
      const kR = psi2 * alignR + tR * sR - missI * sI, kI = psi2 * alignI + tR * sI + missI * sR;
      sums[0] += overR * kR - overI * kI;
      return;
    }
    const square = pR * pR + pI * pI;
    const alR = (alignR * pR + alignI * pI) / square, alI = (alignI * pR - alignR * pI) / square;
    const spR = (spreadR * pR + spreadI * pI) / square, spI = (spreadI * pR - spreadR * pI) / square;
    const other = hR * hR + hI * hI;
    const leR = (learnR * hR + learnI * hI) / other, leI = (learnI * hR - learnR * hI) / other;
    const shR = (spreadR * hR + spreadI * hI) / other, shI = (spreadI * hR - spreadR * hI) / other;
    sums[0] += 2 * (wr * alR - wi * alI);
    sums[1] += 2 * (wr * (missR * leR - missI * leI) - wi * (missR * leI + missI * leR));
    const usR = learnR + spR, usI = learnI + spI;
    const jointR = psi2 * (missR * shR - missI * shI) + alignR * usR - alignI * usI;
    const jointI = psi2 * (missR * shI + missI * shR) + alignR * usI + alignI * usR;
    sums[2] += overR * jointR - overI * jointI;
    sums[3] += 2 * noise * (wr * leR - wi * leI);
    sums[4] += noise * psi2 * (overR * shR - overI * shI);
  }

  // The excess risk at `times` >= 0 of the flow, (T,); with `parts` also what each source of randomness adds
  // to it. question: psi1, psi2, times, and noise, ridge, hermite (of the features, else those of max(u, 0)),
  // scales ([count, strength] each). NaN where a root is not certified.
  function flow(question) {
    const { times, parts = false } = question;
    const model = modelOf(question);
    const { m, ridge } = model;
    const names = ["excess_risk", ...(parts ? ["bias", ...PARTS] : [])];
    const answer = Object.fromEntries(names.map((name) => [name, new Float64Array(times.length)]));
    const { lowest, start } = lowerEdge(model);
    const moving = Array.from(times, (_, t) => t).filter((t) => times[t] > 0);
    const [made] = contours.flow(moving.map((t) => times[t]), lowest + ridge);
    const pole = ridge ? onAxis(model, ridge)[0] : start;
    const extra = ridge || lowest ? 1 : 0; // the pole of 1/v; without ridge it is enclosed where n = N
    const outside = extra ? made.outside(0) : [];
    const of = points(made.size + extra, m.length);
    if (extra) enter(model, of, made.size, ridge, 0, pole, 0);
    const wr = new Float64Array(of.count), wi = new Float64Array(of.count);
    times.forEach((time, t) => {
      if (time === 0) {
        answer.excess_risk[t] = 0.5;
        if (parts) answer.bias[t] = 0.5;
      }
    });
    const error = new Float64Array(m.length);
    const y = [0, 0];
    moving.forEach((t, row) => {
      let sure = true;
      for (let j = 0; j < made.size; j++) {
        const i = row * made.size + j;
        const vr = made.vr[i], vi = made.vi[i];
        const before = j > 0 ? [made.vr[i - 1] + ridge, made.vi[i - 1]] : [0, 0];
        sure &&= equivalent(model, vr + ridge, vi, y, ...before);
        enter(model, of, j, vr + ridge, vi, y[0], y[1]);
        const square = vr * vr + vi * vi;
        wr[j] = (made.wr[i] * vr + made.wi[i] * vi) / square;
        wi[j] = (made.wi[i] * vr - made.wr[i] * vi) / square;
      }
      if (extra) wr[made.size] = outside[row] / 2; // it is real: half for itself, half for its mirror image
      risk(model, of, wr, wi, error, parts);
      let bias = 0;
      for (let k = 0; k < m.length; k++) bias += (m[k] * error[k] * error[k]) / 2;
      answer.excess_risk[t] = sure ? sums.reduce((sum, each) => sum + each / 2, bias) : NaN;
      if (!parts) return;
      answer.bias[t] = sure ? bias : NaN;
      PARTS.forEach((name, i) => (answer[name][t] = sure ? sums[i] / 2 : NaN));
    });
    return answer;
  }

  // y at z, in place, from y at the point before, if any: by a predictor in log y and Newton's method where
  // that ends at a certified root. Whether it does, or a way from the axis does.
  function equivalent(model, zr, zi, y, beforeR, beforeI) {
    if (beforeI !== 0) {
      newton(model, beforeR, beforeI, y[0], y[1]);
      const log = Math.log(size(zr, zi) / size(beforeR, beforeI));
      foretold(y, log, Math.atan2(zi, zr) - Math.atan2(beforeI, beforeR));
      settle(model, zr, zi, y, FINAL);
      if (certified(model, zr, zi, y[0], y[1])) return true;
    }
    return turned(model, zr, zi, y);
  }

  // Fill `sums`, and `error`, the share of each scale that the average student misses, from weights at all
  // points.
  function risk(model, of, wr, wi, error, parts) {
    sums.fill(0);
    error.fill(0);
    for (let j = 0; j < of.count; j++) {
      for (let k = 0; k < of.scales; k++) {
        const i = j * of.scales + k;
        error[k] += 2 * (wr[j] * of.etaR[i] - wi[j] * of.etaI[i]);
      }
      for (let k = j; k < of.count; k++) {
        const twice = k > j ? 2 : 1; // kernels are symmetric
        const rr = wr[j] * wr[k], ii = wi[j] * wi[k], ri = wr[j] * wi[k], ir = wi[j] * wr[k];
        addPair(model, of, j, k, 1, twice * (rr - ii), twice * (ri + ir), parts);
        addPair(model, of, j, k, -1, twice * (rr + ii), twice * (ir - ri), parts);
      }
    }
  }

  // The risk of students of no ridge that are never stopped, as lesson 8 prints it, at psi1 and psi2, (T,)
  // both.
  function ridgeless({ psi1, psi2, noise }) {
    const linear = 1 / 4, rest = 1 / 4 - 1 / (2 * Math.PI);
    const excess_risk = Float64Array.from(psi1, (wide, i) => {
      const many = psi2[i], lowest = Math.min(wide, psi2[i]);
      const half = (rest + linear - linear * lowest) / 2;
      const missed = 1 / (1 + (Math.sqrt(half * half + rest * linear * lowest) - half) / rest);
      const beyond = wide > many ? (missed ** 2 + noise ** 2) / (1 - (1 - missed) ** 2 / many) : 0;
      const peak = ((missed + noise ** 2) * many) / Math.abs(wide - many);
      return (beyond + peak - noise ** 2) / 2;
    });
    return { excess_risk };
  }

  // 22 strong inputs, kappa times as strong as 78 weak ones, seen through features of nonlinear share q: the
  // question of lesson 8.
  function twoStrengths(kappa, q) {
    const weak = 1 / Math.sqrt(0.22 * kappa * kappa + 0.78);
    const hermite = [0, Math.sqrt(1 - q), 0, Math.sqrt(q)];
    return { psi1: 6.5, psi2: 0.55, scales: [[22, kappa * weak], [78, weak]], hermite };
  }

  theory.randomFeatures = { flow, ridgeless, twoStrengths };
})();
