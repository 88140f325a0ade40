// Worst groups under a spurious correlation: where training sets out, and the direction of largest margin.
// needs: numerics/special.js numerics/linalg.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { normalCdf, normalPdf } = TS.numerics.special;
  const { solve } = TS.numerics.linalg;

  const MOST_STEPS = 200;
  const SHORTEST = 2 ** -30; // fraction of a Newton step tried
  const CERTIFIED = 1e-8; // Newton step, relative to theta, up to which the minimum is certified
  const STATIONARY = 1e-8; // relative gain that a Newton step promises, up to which the fewest features are
  const ROUNDING = 16 * Number.EPSILON;
  const SIGNS = [1, -1]; // which way the spurious feature points in the majority and in the minority

  const sum = (values) => values.reduce((total, each) => total + each, 0);
  const dot = (a, b) => sum(a.map((each, i) => each * b[i]));
  const norm = (a) => Math.sqrt(dot(a, a));

  // What margins lack to kappa on average, at logits e = (e_s, e_c, r): E[(kappa - m)_+^2] with derivatives
  // by (kappa, e_s, e_c, r), and the share of examples below kappa. m is normal in each group.
  function shortfall(kappa, e, sigma, minority) {
    const curvature = [0, 2 * sigma ** 2, 2 * sigma ** 2, 2]; // of the variance V
    const slope = [0, curvature[1] * e[0], curvature[2] * e[1], curvature[3] * e[2]];
    const V = (slope[1] * e[0] + slope[2] * e[1] + slope[3] * e[2]) / 2;
    const root = Math.sqrt(V);
    let square = 0, share = 0;
    const gradient = [0, 0, 0, 0];
    const hessian = SIGNS.concat(SIGNS).map(() => [0, 0, 0, 0]);
    SIGNS.forEach((sign, g) => {
      const weight = g ? minority : 1 - minority;
      const gap = [1, -sign, -1, 0]; // of kappa - mean
      const t = (kappa - e[1] - sign * e[0]) / root;
      const density = weight * normalPdf(t), below = weight * normalCdf(t);
      const first = t * below + density; // E[(t + z)_+]
      square += V * (below + t * first);
      share += below;
      for (let i = 0; i < 4; i++) {
        gradient[i] += 2 * root * first * gap[i] + below * slope[i];
        hessian[i][i] += below * curvature[i];
        for (let j = 0; j < 4; j++) {
          const mixed = gap[i] * slope[j] + slope[i] * gap[j];
          hessian[i][j] += 2 * below * gap[i] * gap[j];
          hessian[i][j] += (density / root) * (mixed - (t / (2 * root)) * slope[i] * slope[j]);
        }
      }
    });
    return { square, gradient, hessian, share };
  }

  // Logits (e_s, e_c) at r = 1 whose mean square shortfall from 0 is below `enough`, or the least there is:
  // damped Newton steps on its root, which is convex.
  function separate(sigma, minority, enough) {
    const rootAt = (e) => {
      const lacking = shortfall(0, [...e, 1], sigma, minority);
      return { lacking, root: Math.sqrt(lacking.square) };
    };
    let e = [0, 0], ratio = 0.5;
    for (let step = 0; step < MOST_STEPS && ratio >= enough; step++) {
      const { lacking, root } = rootAt(e);
      const gradient = [1, 2].map((i) => lacking.gradient[i] / (2 * root));
      const hessian = [1, 2].map((i) =>
        [1, 2].map((j) => (lacking.hessian[i][j] / 2 - gradient[i - 1] * gradient[j - 1]) / root),
      );
      const move = solve(hessian, gradient.map((each) => -each));
      const gain = -dot(gradient, move);
      if (!(gain > STATIONARY * root)) break;
      let fraction = 1;
      for (; fraction >= SHORTEST; fraction /= 2) {
        const trial = e.map((each, i) => each + fraction * move[i]);
        const reached = rootAt(trial).root;
        if (reached <= root - (fraction / 4) * gain) {
          [e, ratio] = [trial, reached ** 2];
          break;
        }
      }
      if (fraction < SHORTEST) break;
    }
    return { logits: e, ratio };
  }

  // The mean square alone, and its slope by kappa.
  function lacking(kappa, e, sigma, minority) {
    const root = Math.sqrt(sigma ** 2 * (e[0] ** 2 + e[1] ** 2) + e[2] ** 2);
    let square = 0, slope = 0;
    for (let g = 0; g < 2; g++) {
      const weight = g ? minority : 1 - minority;
      const t = (kappa - e[1] - SIGNS[g] * e[0]) / root;
      const below = normalCdf(t);
      const first = t * below + normalPdf(t);
      square += weight * root * root * (below + t * first);
      slope += weight * 2 * root * first;
    }
    return { square, slope };
  }

  // The largest margin kappa at theta: Newton steps on the root of the mean square, which is convex, from
  // above.
  function largest(cone, theta) {
    const e = theta.map((each, i) => each * cone.scales[i]);
    const allowed = Math.sqrt(cone.ratio) * e[2];
    let kappa = e[1] + (1 - 2 * cone.minority) * e[0] + allowed; // above, by Jensen's inequality
    for (let left = MOST_STEPS; left > 0; left--) {
      const { square, slope } = lacking(kappa, e, cone.sigma, cone.minority);
      const root = Math.sqrt(square);
      const step = ((root - allowed) * 2 * root) / slope;
      kappa -= step;
      if (Math.abs(step) <= ROUNDING * sum(e.map(Math.abs))) break; // what is left is of its square
    }
    return kappa;
  }

  // That margin with its gradient and Hessian by theta, those of an implicit function.
  function margin(cone, theta) {
    const kappa = largest(cone, theta);
    const e = theta.map((each, i) => each * cone.scales[i]);
    const { gradient, hessian, share } = shortfall(kappa, e, cone.sigma, cone.minority);
    gradient[3] -= 2 * cone.ratio * e[2];
    hessian[3][3] -= 2 * cone.ratio;
    const slope = [1, 2, 3].map((i) => -gradient[i] / gradient[0]);
    const bend = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => {
        const along = hessian[i + 1][j + 1] + slope[i] * hessian[0][j + 1] + hessian[i + 1][0] * slope[j];
        return -(along + slope[i] * slope[j] * hessian[0][0]) / gradient[0];
      }),
    );
    return {
      kappa,
      share,
      gradient: slope.map((each, i) => each * cone.scales[i]),
      hessian: bend.map((row, i) => row.map((each, j) => each * cone.scales[i] * cone.scales[j])),
    };
  }

  // The one minimum of |theta|^2/2 - kappa(theta), or undefined where none is certified.
  function minimum(cone) {
    const start = separate(cone.sigma, cone.minority, cone.ratio);
    if (!(start.ratio < cone.ratio)) return undefined; // cannot be separated
    let theta = [...start.logits, 1].map((each, i) => each / cone.scales[i]);
    const size = norm(theta);
    theta = theta.map((each) => each / size);
    const best = largest(cone, theta); // the best length
    theta = theta.map((each) => each * best);
    for (let left = MOST_STEPS; left > 0; left--) {
      const here = margin(cone, theta);
      const slope = theta.map((each, i) => each - here.gradient[i]);
      const bent = here.hessian.map((row, i) => row.map((each, j) => (i === j ? 1 : 0) - each));
      const step = solve(bent, slope.map((each) => -each));
      const value = dot(theta, theta) / 2 - here.kappa;
      const logits = theta.map((each, i) => Math.abs(each * cone.scales[i]));
      const slack = ROUNDING * (dot(theta, theta) + sum(logits));
      if (norm(step) <= CERTIFIED * norm(theta)) return theta.map((each, i) => each + step[i]);
      const descent = dot(slope, step);
      const moved = shorter(cone, theta, step, (fraction) => value + (fraction / 4) * descent + slack);
      if (!moved) return undefined;
      theta = moved;
    }
    return undefined;
  }

  // theta after the first of ever shorter steps that lowers the value as far as `bound(fraction)`.
  function shorter(cone, theta, step, bound) {
    for (let fraction = 1; fraction >= SHORTEST; fraction /= 2) {
      const trial = theta.map((each, i) => each + fraction * step[i]);
      if (!(trial[2] > 0)) continue;
      if (dot(trial, trial) / 2 - largest(cone, trial) <= bound(fraction)) return trial;
    }
    return undefined;
  }

  // What a method trains on: of shares of a != y among n examples with d noise features, n = 1.
  function kept(method, minority, ratio) {
    return method === "subg" ? { minority: 1 / 2, ratio: ratio / (2 * minority) } : { minority, ratio };
  }

  // The end of training without weight decay: the direction of largest margin of the examples that are kept,
  // in the limit of large n and d. method: "erm", "rwg" or "subg"; classes are as large as each other,
  // `minority` is the share of a != y and `ratio` d/n before any example is left out. Accuracies are of the
  // majority and of the minority on examples with fresh noise. All NaN where the examples cannot be
  // separated.
  function end(question) {
    const { method, minority, ratio, feature_std = 0.15 } = question;
    const { gamma_spurious, gamma_core = 1, gamma_noise } = question;
    const keeps = kept(method, minority, ratio);
    const scales = [gamma_spurious, gamma_core, gamma_noise];
    const cone = { scales, sigma: feature_std, ...keeps };
    const theta = minimum(cone);
    if (!theta) return told([NaN, NaN, NaN], feature_std, { margin: NaN, support_fraction: NaN });
    const length = norm(theta);
    const e = theta.map((each, i) => (each * scales[i]) / length);
    return told(e, feature_std, { margin: length, support_fraction: margin(cone, theta).share });
  }

  // The start of training: the direction of the gradient at weights 0.
  function begin(question) {
    const { method, minority, ratio, feature_std = 0.15 } = question;
    const { gamma_spurious, gamma_core = 1, gamma_noise } = question;
    const sampled = method === "erm" ? minority : 1 / 2;
    // d sum_i pi_i^2 over examples of weight pi_i
    const reweighted = (ratio / 4) * (1 / minority + 1 / (1 - minority));
    const squares = method === "rwg" ? reweighted : kept(method, minority, ratio).ratio;
    const e = [
      (gamma_spurious ** 2 * (1 - 2 * sampled)) / 2,
      gamma_core ** 2 / 2,
      (gamma_noise ** 2 * Math.sqrt(squares)) / 2,
    ];
    const length = norm([e[0] / gamma_spurious, e[1] / gamma_core, e[2] / gamma_noise]);
    return told(e.map((each) => each / length), feature_std, {});
  }

  // A direction, and its accuracies (pezeshki2022 Eq. 8.4.1).
  function told(weights, sigma, others) {
    const [e_s, e_c, r] = weights;
    const spread = Math.sqrt(sigma ** 2 * (e_s ** 2 + e_c ** 2) + r ** 2);
    return {
      weights,
      majority: normalCdf((e_c + e_s) / spread),
      minority: normalCdf((e_c - e_s) / spread),
      spread,
      ...others,
    };
  }

  theory.spurious_groups = { end, begin };
})();
