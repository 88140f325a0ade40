// Features learned at different scales, the limit of many: gradient flow, gradient descent, ridge regression.
// needs: numerics/contours.js theory/resolvent.js theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { contours } = TS.numerics;
  const { spectrum, upperEdge, lowerEdge, resolvent, onAxis, atZero, join } = theory.resolvent;

  // The spectrum of what `scales.of` is asked.
  function spectrumOf(question) {
    const { n, counts, strengths } = theory.scales.of(question);
    return spectrum(n, counts, strengths);
  }

  // The smallest eigenvalue of X^T X other than 0, and the largest, in the limit of many features. 1/upper is
  // the largest learning rate of gradient descent at which no mode overshoots.
  function edges(question) {
    const of = spectrumOf(question);
    return { lower: lowerEdge(of), upper: upperEdge(of) };
  }

  // R, Q, excess risk and generalisation error at `times`, (T,), and the excess risk's parts by scale,
  // (T, K): bias, variance and start. question: dynamics ("flow", "descent" or "ridge"), times, what
  // `scales.of` is asked, noise, ridge and learning_rate. NaN where a root is not certified.
  function curve(question) {
    const { dynamics, times, noise = 0, ridge = 0, learning_rate: rate } = question;
    const of = spectrumOf(question);
    const answer = untrained(of, times.length, noise);
    if (dynamics === "ridge") {
      if (!times.every((time) => time > 0)) throw new Error("a time of ridge regression is not positive");
      atRidge(of, times.map((time) => ridge + 1 / time), noise, answer);
    } else {
      const moving = times.map((_, t) => t).filter((t) => times[t] > 0);
      const later = moving.map((t) => times[t]);
      for (const each of filters(of, dynamics, later, ridge, rate)) {
        filtered(of, each, each.where.map((t) => moving[t]), noise, answer);
      }
    }
    return answer;
  }

  function filters(of, dynamics, times, ridge, rate) {
    const lowest = lowerEdge(of);
    const made = dynamics === "flow"
      ? contours.flow(times, lowest + ridge)
      : descent(times, rate, upperEdge(of) + ridge, lowest + ridge);
    const pole = ridge ? onAxis(of, [ridge]) : lowest ? atZero(of) : null;
    return made.map((each) => onContour(of, each, ridge, pole));
  }

  function descent(steps, rate, largest, smallest) {
    if (!(rate * largest < 2)) {
      throw new Error(`gradient descent diverges: the learning rate ${rate} is not below ${2 / largest}`);
    }
    return contours.descent(steps, rate, 1 - rate * largest, rate * smallest);
  }

  // The filter f = (1 - p)/A of a contour: points z = v + ridge, their equivalents and weights over v. The
  // pole at v = 0 is real: half of what is left out is its own, half its mirror image's. Without ridge, where
  // the spectrum begins at 0 as for n = d, it is enclosed.
  function onContour(of, { where, size, shared, vr, vi, wr, wi, outside }, ridge, pole) {
    const extra = pole ? 1 : 0;
    const rows = shared ? 1 : where.length;
    const all = size + extra;
    const at = resolvent(of, vr.map((v) => v + ridge), vi, rows, extra);
    const overR = new Float64Array(where.length * all), overI = new Float64Array(where.length * all);
    const rest = pole ? outside(0) : [];
    for (let row = 0; row < where.length; row++) {
      for (let j = 0; j < size; j++) {
        const from = row * size + j, to = row * all + j, v = (shared ? 0 : row * size) + j;
        const square = vr[v] * vr[v] + vi[v] * vi[v];
        overR[to] = (wr[from] * vr[v] + wi[from] * vi[v]) / square;
        overI[to] = (wi[from] * vr[v] - wr[from] * vi[v]) / square;
      }
      if (pole) overR[row * all + size] = rest[row] / 2;
    }
    if (pole) for (let row = 0; row < rows; row++) join(at, row * all + size, pole);
    return { where, size: all, shared, at, overR, overI };
  }

  // An answer before all training.
  function untrained({ mu }, count, noise) {
    const nothing = () => Array.from({ length: count }, () => new Float64Array(mu.length));
    const bias = nothing().map((row) => row.map((_, k) => mu[k] / 2));
    const zeros = () => new Float64Array(count);
    return {
      R: zeros(),
      Q: zeros(),
      excess_risk: zeros().fill(0.5),
      generalisation_error: zeros().fill(1 + noise * noise),
      bias,
      variance: nothing(),
      start: nothing(),
    };
  }

  // Enter one time into an answer: of each scale its share learned, the others' share in its bias and Q
  // (`mutual`), its variance, and its share missed, all sums without cancellation.
  function enter(answer, t, { mu }, learned, missed, mutual, variance, noise, certified) {
    let R = 0, Q = 0, twice = 0;
    for (let k = 0; k < mu.length; k++) {
      const bias = mu[k] * missed[k] * missed[k] + mutual[k];
      R += mu[k] * learned[k];
      Q += mu[k] * learned[k] * learned[k] + mutual[k] + variance[k];
      twice += bias + variance[k];
      answer.bias[t][k] = certified ? bias / 2 : NaN;
      answer.variance[t][k] = certified ? variance[k] / 2 : NaN;
      if (!certified) answer.start[t][k] = NaN;
    }
    answer.R[t] = certified ? R : NaN;
    answer.Q[t] = certified ? Q : NaN;
    answer.excess_risk[t] = certified ? twice / 2 : NaN;
    answer.generalisation_error[t] = certified ? twice + noise * noise : NaN;
  }

  // Ridge regression at effective ridges, (T,): one resolvent, taken twice.
  function atRidge(of, ridges, noise, answer) {
    const { alpha, mu, v } = of;
    const at = onAxis(of, ridges);
    const size = v.length;
    const learned = new Float64Array(size), missed = new Float64Array(size);
    const mutual = new Float64Array(size), variance = new Float64Array(size);
    for (let t = 0; t < ridges.length; t++) {
      let left = at.qzr[t], lost = 0;
      for (let k = 0; k < size; k++) {
        learned[k] = at.lr[t * size + k];
        missed[k] = at.hr[t * size + k];
        left += mu[k] * learned[k] * missed[k];
        lost += mu[k] * missed[k] * missed[k];
      }
      const amplified = alpha / left;
      for (let k = 0; k < size; k++) {
        const shared = ((amplified * mu[k]) / alpha) * learned[k] * learned[k]; // T/(1 - T), mode by mode
        mutual[k] = lost * shared;
        variance[k] = noise * noise * shared;
      }
      enter(answer, t, of, learned, missed, mutual, variance, noise, at.certified[t]);
    }
  }

  // The parts of the error of a student that a filter makes, at its times `where`: sums over two points of
  // the contour of the kernels below.
  function filtered(of, { size, shared, at, overR, overI }, where, noise, answer) {
    const { alpha, mu } = of;
    const scales = mu.length;
    const kernels = new Float64Array((8 * size * (size + 1)) / 2);
    const ur = new Float64Array(size * scales), ui = new Float64Array(size * scales);
    const learned = new Float64Array(scales), missed = new Float64Array(scales);
    const mutual = new Float64Array(scales), variance = new Float64Array(scales);
    for (let row = 0; row < where.length; row++) {
      const first = shared ? 0 : row * size;
      if (!shared || row === 0) couple(of, at, first, size, kernels);
      let certified = true;
      learned.fill(0);
      missed.fill(0);
      for (let j = 0; j < size; j++) {
        const wr = overR[row * size + j], wi = overI[row * size + j];
        certified &&= at.certified[first + j] === 1;
        for (let k = 0; k < scales; k++) {
          const place = (first + j) * scales + k;
          ur[j * scales + k] = wr * at.lr[place] - wi * at.li[place];
          ui[j * scales + k] = wr * at.li[place] + wi * at.lr[place];
          learned[k] += 2 * ur[j * scales + k];
          missed[k] += 2 * (wr * at.hr[place] - wi * at.hi[place]);
        }
      }
      twice(kernels, ur, ui, size, scales, mutual, variance);
      for (let k = 0; k < scales; k++) {
        mutual[k] *= mu[k] / alpha;
        variance[k] *= noise * noise * (mu[k] / alpha);
      }
      enter(answer, where[row], of, learned, missed, mutual, variance, noise, certified);
    }
  }

  // Of points j <= j' of half a contour, and of j and the mirror image of j': 1/(1 - T) and that times
  // sum mu h h', with alpha (1 - T) = q z + sum mu (1 - h) h': parts that do not cancel. Eight numbers a
  // pair: of (j, j') and of (j, mirror image) the second kernel and the first, real and imaginary parts.
  function couple({ alpha, mu }, { hr, hi, lr, li, qzr, qzi }, first, size, kernels) {
    const scales = mu.length;
    let to = 0;
    for (let j = 0; j < size; j++) {
      for (let other = j; other < size; other++) {
        const a = (first + j) * scales, b = (first + other) * scales;
        // Products of real and imaginary parts: (j, j') has rr - ii and ir + ri, the mirror image rr + ii
        // and ir - ri.
        let lhRR = 0, lhII = 0, lhRI = 0, lhIR = 0, hhRR = 0, hhII = 0, hhRI = 0, hhIR = 0;
        for (let k = 0; k < scales; k++) {
          const hor = mu[k] * hr[b + k], hoi = mu[k] * hi[b + k];
          lhRR += lr[a + k] * hor;
          lhII += li[a + k] * hoi;
          lhRI += lr[a + k] * hoi;
          lhIR += li[a + k] * hor;
          hhRR += hr[a + k] * hor;
          hhII += hi[a + k] * hoi;
          hhRI += hr[a + k] * hoi;
          hhIR += hi[a + k] * hor;
        }
        for (const side of [1, -1]) {
          const left = qzr[first + j] + lhRR - side * lhII, up = qzi[first + j] + lhIR + side * lhRI;
          const square = (left * left + up * up) / alpha;
          const ampR = left / square, ampI = -up / square;
          const lostR = hhRR - side * hhII, lostI = hhIR + side * hhRI;
          kernels[to++] = ampR * lostR - ampI * lostI;
          kernels[to++] = ampR * lostI + ampI * lostR;
          kernels[to++] = ampR;
          kernels[to++] = ampI;
        }
      }
    }
  }

  // Sums of kernels times u u', mode by mode, over two points of all of a contour.
  function twice(kernels, ur, ui, size, scales, mutual, variance) {
    mutual.fill(0);
    variance.fill(0);
    let from = 0;
    for (let j = 0; j < size; j++) {
      for (let other = j; other < size; other++, from += 8) {
        const times = other === j ? 2 : 4;
        for (let k = 0; k < scales; k++) {
          const ar = times * ur[j * scales + k], ai = times * ui[j * scales + k];
          const br = ur[other * scales + k], bi = ui[other * scales + k];
          const rr = ar * br, ii = ai * bi, ri = ar * bi, ir = ai * br;
          mutual[k] += kernels[from] * (rr - ii) - kernels[from + 1] * (ri + ir)
            + kernels[from + 4] * (rr + ii) - kernels[from + 5] * (ir - ri);
          variance[k] += kernels[from + 2] * (rr - ii) - kernels[from + 3] * (ri + ir)
            + kernels[from + 6] * (rr + ii) - kernels[from + 7] * (ir - ri);
        }
      }
    }
  }

  theory.multiscale = { curve, edges };
})();
