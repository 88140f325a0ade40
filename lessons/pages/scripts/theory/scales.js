// Features of a few strengths: the sizes and ratios that a question of the multi-scale problem means.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const MOST = 1e12;

  // The whole number nearest to x, a half to the even one, as Python rounds.
  function rounded(x) {
    const whole = Math.round(x);
    return Math.abs(x % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
  }

  // The sizes of {n or alpha; d, p, kappa or scales; noise, ridge, init}: `counts` features of strength
  // `sigmas`, and by them `weights` mu_k = m_k/d, `strengths` v_k = sigma_k^2, `left`, what is left of n - d
  // by the strongest j scales, and `beyond` = (n - d)/d, exact where sizes are whole.
  function of({ n, alpha, d = 100, p = 60, kappa = 50, scales, noise = 0, ridge = 0, init = 0 }) {
    const pairs = scales ?? [[p, 1], [d - p, 1 / kappa]].filter(([count]) => count !== 0);
    const counts = Float64Array.from(pairs, ([count]) => count);
    const sigmas = Float64Array.from(pairs, ([, sigma]) => sigma);
    const size = counts.reduce((sum, each) => sum + each, 0);
    const samples = alpha === undefined ? (n ?? 150) : rounded(alpha * size);
    if (!(samples >= 1 && samples <= MOST && counts.every((each) => each > 0 && each <= MOST))) {
      throw new Error("sizes are whole numbers from 1 to 1e12");
    }
    if (!(sigmas.every((each) => each >= 1e-50 && each <= 1e50) && noise >= 0 && ridge >= 0 && init >= 0)) {
      throw new Error("strengths lie between 1e-50 and 1e50, and noise, ridge and init are not negative");
    }
    const weights = counts.map((each) => each / size);
    const strengths = sigmas.map((each) => each * each);
    const order = Array.from(strengths.keys()).sort((a, b) => strengths[b] - strengths[a]);
    const left = new Float64Array(counts.length + 1);
    let taken = 0;
    left[0] = samples / size;
    order.forEach((k, j) => {
      taken += counts[k];
      left[j + 1] = (samples - taken) / size;
    });
    const beyond = left[counts.length];
    return {
      n: samples, d: size, alpha: samples / size, counts, sigmas, weights, strengths, left, beyond,
      noise, ridge, init,
    };
  }

  theory.scales = { of };
})();
