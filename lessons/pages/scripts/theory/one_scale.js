// Features of one strength: errors of gradient flow as averages over the Marchenko-Pastur law (Eq. 2.3.30).
// needs: numerics/quadrature.js theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const GAUSS_POINTS = 32;
  const FINEST = 0.1; // width of the first panel relative to the narrowest structure that it has to resolve

  // Eigenvalues above zero and their weights, exact of functions that change with them at that rate.
  // In the angle psi of lambda = (1 - sqrt alpha)^2 + 4 sqrt(alpha) sin^2(psi/2) the density is smooth on the
  // scale of the gap, and the function on that of steepest^(-1/2): panels in psi double in width from there.
  function quadrature(alpha, beyond, steepest) {
    const low = (beyond / (1 + Math.sqrt(alpha))) ** 2;
    const first = FINEST * Math.min(1, steepest ** -0.5, low ? Math.sqrt(low) : 1);
    const count = Math.ceil(Math.log2(Math.PI / first));
    const ends = Array.from({ length: count + 1 }, (_, i) => (i < count ? first * 2 ** i : Math.PI));
    const { nodes, weights } = TS.numerics.quadrature.gaussLegendre(GAUSS_POINTS);
    const eigenvalues = new Float64Array(ends.length * GAUSS_POINTS);
    const shares = new Float64Array(eigenvalues.length);
    ends.forEach((end, panel) => {
      const start = panel ? ends[panel - 1] : 0;
      const half = (end - start) / 2;
      nodes.forEach((node, i) => {
        const psi = start + half * (1 + node);
        const lambda = low + 4 * Math.sqrt(alpha) * Math.sin(psi / 2) ** 2;
        const at = panel * GAUSS_POINTS + i;
        eigenvalues[at] = lambda;
        shares[at] = (half * weights[i] * ((2 * alpha) / Math.PI) * Math.sin(psi) ** 2) / lambda;
      });
    });
    return { eigenvalues, shares };
  }

  // R, Q and the errors of gradient flow with ridge at flow times. The filter is f = (1 - e^{-sa})/a with
  // a = c + ridge, c = v lambda; the teacher less the student is M = 1 - f c of the teacher, less the noise
  // learned (Eq. 2.3.13).
  function flow({ times, ...question }) {
    const sizes = theory.scales.of(question);
    const { alpha, beyond, ridge, init } = sizes;
    const v = sizes.strengths[0];
    if (!sizes.strengths.every((each) => each === v)) throw new Error("features have one strength here");
    const noise = sizes.noise * sizes.noise;
    const start = v * init * init;
    const steepest = times.reduce((most, time) => Math.max(most, v * time), 1);
    const { eigenvalues, shares } = quadrature(alpha, beyond, steepest);
    const zeros = Math.max(-beyond, 0);
    const names = ["R", "Q", "excess_risk", "generalisation_error", "training_error"];
    const answer = Object.fromEntries(names.map((name) => [name, new Float64Array(times.length)]));
    times.forEach((s, t) => {
      let R = 0, Q = 0, twice = 0, fitted = 0;
      for (let i = 0; i < eigenvalues.length; i++) {
        const lambda = eigenvalues[i], a = v * lambda + ridge;
        const f = -Math.expm1(-a * s) / a, p = Math.exp(-a * s);
        const missed = p + ridge * f, learned = v * f * lambda;
        const noisy = noise * (v * f) ** 2 * lambda, kept = start * p * p;
        R += shares[i] * learned;
        Q += shares[i] * (learned * learned + noisy + kept);
        twice += shares[i] * (missed * missed + noisy + kept);
        fitted += shares[i] * (lambda * (missed * missed + kept) + noise * missed * missed); // 2.3.29
      }
      const still = zeros * start * Math.exp(-2 * ridge * s); // where no data reach
      twice += zeros + still;
      answer.R[t] = R;
      answer.Q[t] = Q + still;
      answer.excess_risk[t] = twice / 2;
      answer.generalisation_error[t] = twice + noise; // 2.3.14
      answer.training_error[t] = (fitted + noise * Math.max(beyond, 0)) / alpha;
    });
    return answer;
  }

  theory.one_scale = { flow };
})();
