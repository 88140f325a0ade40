// The limiting spectrum of X^T X of the multi-scale problem: bands, density and share below.
// needs: numerics/roots.js theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { brent } = TS.numerics.roots;

  const WIDER = 1e-9; // how much wider than necessary an edge is bracketed: far above rounding
  const FROM_ZERO = 1e-6; // a band that starts at zero is drawn from here, relative to its end
  const PER_BAND = 200;
  const POLISH = 4; // Newton steps: two reach rounding, at the end of a band more are needed

  // Weights and strengths, the strongest first, equal ones taken together.
  function merged({ weights, strengths }) {
    const found = new Map();
    strengths.forEach((v, k) => found.set(v, (found.get(v) ?? 0) + weights[k]));
    const v = Float64Array.from(found.keys()).sort().reverse();
    return { mu: v.map((each) => found.get(each)), v };
  }

  // sum_k mu_k v_k^i/(x + v_k)^j.
  function sum({ mu, v }, x, i, j) {
    let total = 0;
    for (let k = 0; k < v.length; k++) total += mu[k] * v[k] ** i * (x + v[k]) ** -j;
    return total;
  }

  // sum_k mu_k (v_k/(x + v_k))^2 - alpha, without underflow: its roots are the edges.
  function excess({ mu, v }, alpha, x) {
    let total = 0;
    for (let k = 0; k < v.length; k++) total += mu[k] * (v[k] / (x + v[k])) ** 2;
    return total - alpha;
  }

  // Both such x between two neighbouring poles, or none: the sum is convex there.
  function aroundGap(scales, alpha, low, high) {
    const falling = (x) => sum(scales, x, 2, 3);
    if (low >= high || falling(low) <= 0 || falling(high) >= 0) return [];
    const lowest = brent(falling, low, high);
    if (excess(scales, alpha, lowest) >= 0) return [];
    const at = (x) => excess(scales, alpha, x);
    return [brent(at, low, lowest), brent(at, lowest, high)];
  }

  // Ends [low, high] of each band, increasing, and the share below the first band, in each gap and above.
  // With x = 1/q, lambda = x (sum mu v/(x + v) - alpha) is stationary at the ends.
  function bands(sizes) {
    const { alpha, beyond } = sizes;
    const scales = merged(sizes);
    const { mu, v } = scales;
    const last = v.length - 1;
    const at = (x) => excess(scales, alpha, x);
    const apart = v.map((each, k) => (1 - WIDER) * each * Math.sqrt(mu[k] / alpha));
    const far = ((1 + WIDER) * v[0]) / Math.sqrt(alpha);
    const x = [brent(at, -v[0] - far, -v[0] - apart[0])];
    const below = [1];
    for (let k = 0; k < last; k++) {
      const around = aroundGap(scales, alpha, apart[k] - v[k], -v[k + 1] - apart[k + 1]);
      if (around.length) {
        x.push(...around);
        below.push(mu.slice(k + 1).reduce((total, each) => total + each, 0));
      }
    }
    x.push(beyond === 0 ? 0 : brent(at, apart[last] - v[last], Math.max(0, far - v[0])));
    below.push(Math.max(1 - alpha, 0));
    const levels = x.map((each) => (each ? each * (sum(scales, each, 1, 1) - alpha) : 0)).reverse();
    const ends = [];
    for (let k = 0; k < levels.length; k += 2) ends.push([levels[k], levels[k + 1]]);
    return { ends, below: below.reverse() };
  }

  // Whether an eigenvalue lies inside a band, and how many bands end at or below it.
  function located(ends, lambda) {
    let ended = 0;
    while (ended < ends.length && ends[ended][1] <= lambda) ended++;
    return [ended < ends.length && lambda > ends[ended][0], ended];
  }

  // q at z = -lambda inside a band, below the real axis, as [Re q, Im q].
  //
  // The equation of x = 1/q is a polynomial of degree K + 1. One root lies between every two poles -v_k, at a
  // distance delta_k beyond the stronger; the sum and the product of all roots then give the other two.
  function within({ mu, v }, alpha, lambda) {
    let twice = -v[v.length - 1] - lambda / alpha, product = (lambda / alpha) * v[v.length - 1];
    for (let k = 0; k < v.length; k++) twice += (mu[k] * v[k]) / alpha;
    for (let k = 0; k < v.length - 1; k++) {
      const delta = besidePole({ mu, v }, alpha, lambda, k);
      twice -= delta;
      product *= v[k] / (v[k] - delta);
    }
    // x = twice/2 +- i sqrt(product - (twice/2)^2), and q = 1/x
    const re = twice / 2;
    const im = Math.sqrt(Math.max(product - re * re, (1e-16 * product)));
    return polished({ mu, v }, alpha, lambda, re / product, -im / product);
  }

  // The distance of the root x beyond the pole -v_k: between that and the next weaker one.
  function besidePole({ mu, v }, alpha, lambda, k) {
    const width = v[k] - v[k + 1];
    // The level, less lambda, times the distances of both poles: it keeps its size where one is close.
    const level = (delta) => {
      const x = delta - v[k];
      let rest = -alpha;
      for (let j = 0; j < v.length; j++) if (j !== k && j !== k + 1) rest += (mu[j] * v[j]) / (x + v[j]);
      const near = mu[k] * v[k] * (delta - width) + mu[k + 1] * v[k + 1] * delta;
      return x * near + (x * rest - lambda) * delta * (delta - width);
    };
    return brent(level, 0, width, { accuracy: 1e-14 });
  }

  // q by Newton's method from close by.
  function polished({ mu, v }, alpha, lambda, re, im) {
    for (let i = 0; i < POLISH; i++) {
      let offRe = alpha + lambda * re, offIm = lambda * im, slopeRe = lambda, slopeIm = 0;
      for (let k = 0; k < v.length; k++) {
        // h = 1/(1 + q v); sum mu v q h, and sum mu v h^2
        const aRe = 1 + re * v[k], aIm = im * v[k];
        const size = aRe * aRe + aIm * aIm;
        const hRe = aRe / size, hIm = -aIm / size, weight = mu[k] * v[k];
        offRe -= weight * (re * hRe - im * hIm);
        offIm -= weight * (re * hIm + im * hRe);
        slopeRe -= weight * (hRe * hRe - hIm * hIm);
        slopeIm -= weight * 2 * hRe * hIm;
      }
      const size = slopeRe * slopeRe + slopeIm * slopeIm;
      re -= (offRe * slopeRe + offIm * slopeIm) / size;
      im -= (offIm * slopeRe - offRe * slopeIm) / size;
    }
    return [re, -Math.abs(im)];
  }

  // Eigenvalues in each band from end to end, denser towards its ends.
  function along(ends) {
    const found = new Float64Array(ends.length * PER_BAND);
    ends.forEach(([low, high], band) => {
      const start = low > 0 ? low : FROM_ZERO * high;
      for (let i = 0; i < PER_BAND; i++) {
        const share = Math.sin((i / (PER_BAND - 1)) * (Math.PI / 2)) ** 2;
        found[band * PER_BAND + i] = i === PER_BAND - 1 ? high : start * (high / start) ** share;
      }
    });
    return found;
  }

  // Density and share below at `eigenvalues` > 0, or on a grid in each band; the ends of bands and the share
  // of zeros. The other entries are those of `scales.of`. One strength gives the Marchenko-Pastur law
  // (Eq. 2.3.30).
  function of({ eigenvalues, ...question }) {
    const sizes = theory.scales.of(question);
    const scales = merged(sizes);
    const { alpha } = sizes;
    const { ends, below } = bands(sizes);
    const eigenvalue = eigenvalues ? Float64Array.from(eigenvalues) : along(ends);
    const density = new Float64Array(eigenvalue.length);
    const shareBelow = new Float64Array(eigenvalue.length);
    eigenvalue.forEach((lambda, i) => {
      const [inside, ended] = located(ends, lambda);
      shareBelow[i] = below[ended];
      if (!inside) return;
      const [re, im] = within(scales, alpha, lambda);
      let angle = -lambda * im - alpha * Math.atan2(im, re);
      for (let k = 0; k < scales.v.length; k++) {
        angle += scales.mu[k] * Math.atan2(im * scales.v[k], 1 + re * scales.v[k]);
      }
      density[i] = -im / Math.PI;
      shareBelow[i] = 1 - alpha + angle / Math.PI;
    });
    return { eigenvalue, density, share_below: shareBelow, band_edge: ends, zeros: below[0], alpha };
  }

  theory.spectrum = { of };
})();
