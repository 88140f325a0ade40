// How the excess risk moves with log time: value, slope and bend, by derivatives and not by differences.
// needs: numerics/contours.js theory/resolvent.js theory/printed.js theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { contours } = TS.numerics;
  const { spectrum, upperEdge, lowerEdge, resolvent, onAxis, atZero, join } = theory.resolvent;

  const CONTOUR = 5e-11; // relative error of a slope's parts on a contour
  const ROUNDING = 1024 * Number.EPSILON; // and of those at a ridge
  const GONE = 330; // where e^-(s lambda) is below e^-GONE on all of the spectrum there is no more to say
  const MARGIN = 1e-3; // distance in log time from there
  const STEP = 1e-4; // in log time, on either side, between which the slope changes at a ridge
  const DIFFERENCE = 1e-4; // distance in log time from where the printed risk is infinite
  const SETTLED = 1e9; // how much later than its slowest part or best ridge a curve over 1/ridge ends
  const LATEST = 600; // log time after which no curve goes on
  const PER_DECADE = 8;

  const spectrumOf = ({ n, counts, strengths }) => spectrum(n, Array.from(counts), Array.from(strengths));

  // Log times between which everything happens: before the fastest feature, after the slowest.
  function range({ strengths, alpha, ridge }, of) {
    const gap = Math.max((1 - Math.sqrt(alpha)) ** 2, 1e-6);
    const slowest = Math.max(Math.min(...strengths) * gap, ridge);
    return [Math.log(0.03 / (upperEdge(of) + ridge)), Math.log(1e3 / slowest)];
  }

  // The same for log 1/(added ridge), which settles like 1/time; the best ridge is noise^2 times a mean of the
  // strengths, so with little noise it is added late. With a ridge the curve ends where training does.
  function penaltyRange(sizes, of) {
    const [low, high] = range(sizes, of);
    if (sizes.ridge) return [low, high];
    const best = 2 * Math.log(sizes.noise) + Math.log(Math.min(...sizes.strengths));
    const late = Math.max(high + Math.log(SETTLED / 1e3), sizes.noise ? Math.log(SETTLED) - best : -Infinity);
    return [low, Math.max(high, Math.min(late, LATEST))];
  }

  // Points in log time, from end to end, at which a curve is first looked at.
  function grid({ low, high }) {
    const count = Math.floor(((high - low) / Math.LN10) * PER_DECADE) + 2;
    return Float64Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
  }

  // Gradient flow from weights 0. With e^{us} the propagator and D = d/d log s, the derivatives of p = e^{us}
  // are polynomials of us times p, and the risk is a quadratic form F: E = F(p, p), DE = 2 F(p, Dp),
  // D^2 E = 2 F(Dp, Dp) + 2 F(p, D^2 p). Only weights differ, so one set of kernels gives all three.
  function flow(sizes) {
    if (sizes.init) throw new Error("gradient flow here starts from weights 0");
    const of = spectrumOf(sizes);
    const { alpha, mu, v } = of;
    const scales = v.length;
    const { noise, ridge } = sizes;
    const lowest = lowerEdge(of);
    const slowest = lowest + ridge;
    const pole = ridge ? onAxis(of, [ridge]) : lowest ? atZero(of) : null;
    const [low, high] = range(sizes, of);
    const last = slowest > 0 ? Math.log(GONE / slowest) - MARGIN : Infinity;

    function at(x) {
      const s = Math.exp(x);
      const [{ size: half, vr, vi, wr, wi, outside }] = contours.flow([s], slowest);
      const size = half + (pole ? 1 : 0);
      const point = resolvent(of, vr.map((each) => each + ridge), vi, 1, pole ? 1 : 0);
      if (pole) join(point, half, pole);
      const { hr, hi, lr, li, qzr, qzi, certified } = point;
      if (!certified.every(Boolean)) return { value: NaN, slope: NaN, bend: NaN, size: NaN, error: NaN };
      // Weights of f over z, and those of its first and second derivative: times us, and us + (us)^2.
      const weights = new Float64Array(6 * size);
      for (let j = 0; j < half; j++) {
        const square = vr[j] * vr[j] + vi[j] * vi[j];
        const re = s * wr[j], im = s * wi[j];
        weights[6 * j] = (wr[j] * vr[j] + wi[j] * vi[j]) / square;
        weights[6 * j + 1] = (wi[j] * vr[j] - wr[j] * vi[j]) / square;
        weights[6 * j + 2] = re;
        weights[6 * j + 3] = im;
        weights[6 * j + 4] = re + s * (re * vr[j] - im * vi[j]);
        weights[6 * j + 5] = im + s * (re * vi[j] + im * vr[j]);
      }
      if (pole) weights[6 * half] = outside(0)[0] / 2;

      // Each mode's error, and its derivatives: that of M = 1 - f C is that of -f C.
      let form = 0, slope = 0, bend = 0, parts = 0;
      for (let k = 0; k < scales; k++) {
        let missed = 0, first = 0, second = 0;
        for (let j = 0; j < size; j++) {
          const w = 6 * j, place = j * scales + k;
          missed += 2 * (weights[w] * hr[place] - weights[w + 1] * hi[place]);
          first -= 2 * (weights[w + 2] * lr[place] - weights[w + 3] * li[place]);
          second -= 2 * (weights[w + 4] * lr[place] - weights[w + 5] * li[place]);
        }
        form += mu[k] * missed * missed;
        slope += mu[k] * missed * first;
        bend += mu[k] * (first * first + missed * second);
        parts += mu[k] * Math.abs(missed * first);
      }

      // Sums over two points of the contour of what couples them: `inner` is the inner one for p and Dp.
      const inner = new Float64Array(4 * size);
      for (let j = 0; j < size; j++) {
        for (let other = j; other < size; other++) {
          // Products of real and imaginary parts.
          let tRR = 0, tII = 0, tRI = 0, tIR = 0; // sum t (1 - h)(1 - h')
          let hRR = 0, hII = 0, hRI = 0, hIR = 0; // sum mu h h'
          let mRR = 0, mII = 0, mRI = 0, mIR = 0; // sum mu (1 - h) h'
          for (let k = 0; k < scales; k++) {
            const a = j * scales + k, b = other * scales + k;
            const or = mu[k] * hr[b], oi = mu[k] * hi[b], nr = mu[k] * lr[b], ni = mu[k] * li[b];
            tRR += lr[a] * nr;
            tII += li[a] * ni;
            tRI += lr[a] * ni;
            tIR += li[a] * nr;
            hRR += hr[a] * or;
            hII += hi[a] * oi;
            hRI += hr[a] * oi;
            hIR += hi[a] * or;
            mRR += lr[a] * or;
            mII += li[a] * oi;
            mRI += lr[a] * oi;
            mIR += li[a] * or;
          }
          for (let side = 1; side >= -1; side -= 2) { // the point itself, and its mirror image
            const left = qzr[j] + mRR - side * mII, leftI = qzi[j] + mIR + side * mRI; // alpha (1 - T)
            const square = left * left + leftI * leftI;
            const lost = hRR - side * hII + noise * noise, lostI = hIR + side * hRI;
            const over = tRR - side * tII, overI = tIR + side * tRI;
            const top = lost * over - lostI * overI, topI = lost * overI + lostI * over;
            const kr = (top * left + topI * leftI) / square, ki = (topI * left - top * leftI) / square;
            for (let n = 0; n < 4; n += 2) {
              const xr = weights[6 * other + n], xi = side * weights[6 * other + n + 1];
              inner[4 * j + n] += kr * xr - ki * xi;
              inner[4 * j + n + 1] += kr * xi + ki * xr;
              if (other === j) continue;
              const yr = weights[6 * j + n], yi = weights[6 * j + n + 1];
              inner[4 * other + n] += kr * yr - ki * yi;
              inner[4 * other + n + 1] += side * (kr * yi + ki * yr);
            }
          }
        }
      }
      for (let j = 0; j < size; j++) {
        const w = 6 * j, i = 4 * j;
        form += 2 * (weights[w] * inner[i] - weights[w + 1] * inner[i + 1]);
        slope += 2 * (weights[w] * inner[i + 2] - weights[w + 1] * inner[i + 3]);
        bend += 2 * (weights[w + 2] * inner[i + 2] - weights[w + 3] * inner[i + 3]
          + weights[w + 4] * inner[i] - weights[w + 5] * inner[i + 1]);
        const square = (weights[w] ** 2 + weights[w + 1] ** 2) * (inner[i + 2] ** 2 + inner[i + 3] ** 2);
        parts += 2 * Math.sqrt(square);
      }
      return { value: form / 2, slope, bend, size: parts, error: CONTOUR * parts };
    }

    return { at, low, high: Math.min(high, last) };
  }

  // The excess risk of ridge regression at a ridge, its slope by log ridge, the sum of that one's parts, and
  // its error. D = d/d log ridge: each scale keeps the share h of its error, and D h = g h (1 - h).
  function change(sizes, of, ridge) {
    const { mu } = of;
    const { hr: h, lr: learned, qzr: [lost], certified } = onAxis(of, [ridge]);
    if (!certified[0]) return { value: NaN, slope: NaN, size: NaN, error: NaN };
    const total = (f) => mu.reduce((sum, weight, k) => sum + weight * f(h[k], learned[k]), 0);
    const whole = lost + total((a, b) => a * b); // alpha (1 - T)
    const g = lost / whole;
    const noise = sizes.noise * sizes.noise;
    const kept = total((a) => a * a) + noise, fitted = total((_, b) => b * b);
    const grown = g * total((a, b) => a * a * b); // sum mu h D h
    const back = g * total((a, b) => a * b * b); // sum mu (1 - h) D h
    // D whole = q z (1 - g) + g sum mu h (1 - h) (1 - 2 h)
    const factor = kept / whole / 2;
    const grows = grown + (grown * fitted) / whole + ((factor * fitted) / whole) * grown;
    const shrinks = factor * 2 * back + ((factor * fitted) / whole) * (lost * (1 - g) + back);
    const size = grows + shrinks;
    const value = (total((a) => a * a) + (kept * fitted) / whole) / 2;
    return { value, slope: grows - shrinks, size, error: ROUNDING * size };
  }

  // A curve over x = log(1/added ridge) from its change with the logarithm of the whole ridge.
  function byRidge(sizes, by) {
    const turned = (x) => {
      const added = Math.exp(-x);
      return [by(sizes.ridge + added), -added / (sizes.ridge + added)]; // d log(ridge)/dx
    };
    const sloped = (x) => {
      const [{ slope }, factor] = turned(x);
      return slope * factor;
    };
    const at = (x) => {
      const [here, factor] = turned(x);
      const size = Math.abs(factor);
      const bend = (sloped(x + STEP) - sloped(x - STEP)) / (2 * STEP);
      return {
        value: here.value, slope: factor * here.slope, bend, size: size * here.size, error: size * here.error,
      };
    };
    const [low, high] = penaltyRange(sizes, spectrumOf(sizes));
    return { at, low, high };
  }

  function ridge(sizes) {
    if (sizes.init) throw new Error("ridge regression has no start");
    const of = spectrumOf(sizes);
    return byRidge(sizes, (each) => change(sizes, of, each));
  }

  // The printed risk may become infinite for n < d, and then negative: the curve ends before that.
  function printed(sizes) {
    const by = (each) => theory.printed.change(sizes, each);
    const whole = byRidge(sizes, by);
    const negative = (x) => by(sizes.ridge + Math.exp(-x)).value < 0;
    const points = grid(whole);
    const first = points.findIndex(negative);
    if (first < 0) return whole;
    let last = points[first - 1], beyond = points[first];
    while (beyond - last > DIFFERENCE) {
      const middle = (last + beyond) / 2;
      if (negative(middle)) beyond = middle;
      else last = middle;
    }
    return { ...whole, high: last - 2 * DIFFERENCE };
  }

  // By the name of a curve: the ends of its log times, `low` and `high`, and what its risk does `at` one:
  // value, slope, bend, the sum of the slope's parts without their signs (`size`), and its error.
  theory.motion = { curves: { flow, ridge, printed }, grid };
})();
