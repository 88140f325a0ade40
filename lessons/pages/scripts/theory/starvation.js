// Two features under the logistic loss: how their responses grow and end, and which starves the other.
// needs: numerics/ode.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const MOST = 100; // Newton steps, after which no answer is given
  const CLOSE = 1e-3; // a change of margins below which a step squares it: one that does not shows rounding

  const expit = (x) => 1 / (1 + Math.exp(-x));

  // U S, by examples and features: the gradients of the margins (6.3.15).
  function examples({ s1, s2, delta }) {
    const c = Math.sqrt(1 - delta ** 2);
    return [c * s1, -delta * s2, delta * s1, c * s2];
  }

  // Responses z1 and z2 at increasing times, along the descent from theta = 0 on the sum of
  // ln(1 + e^-m) + pull m^2/2 over examples, plus decay |theta|^2/2.
  function descent(question, decay, pull) {
    const { s1, s2, times } = question;
    const [a, b, c, d] = examples(question);
    const field = (_, theta, slope) => {
      const first = a * theta[0] + b * theta[1];
      const second = c * theta[0] + d * theta[1];
      const one = expit(-first) - pull * first;
      const two = expit(-second) - pull * second;
      slope[0] = a * one + c * two - decay * theta[0];
      slope[1] = b * one + d * two - decay * theta[1];
    };
    const path = TS.numerics.ode.solve(field, [0, 0], times, { relative: 1e-13, absolute: 1e-15 });
    return { z1: path.map((theta) => s1 * theta[0]), z2: path.map((theta) => s2 * theta[1]) };
  }

  // z1 and z2 at `times` under gradient flow on the ridge loss (6.3.5), of strengths s1, s2, coupling delta.
  const primal = (question) => descent(question, question.ridge, 0);

  // z1 and z2 at `times` under gradient flow on the spectrally decoupled loss (6.3.17).
  const decoupled = (question) => descent(question, 0, question.ridge);

  // The end of training under ridge, S^2 U^T alpha/ridge (6.3.11): z1, z2 and the derivatives of z_j by
  // s_i^2.
  //
  // The minimum of sum l(m) + |y|^2/2 over y = sqrt(ridge) theta, m = X y, by damped Newton steps: l is
  // self-concordant, so the fraction ln(1 + r)/r of a step that changes margins by r at most lowers the sum.
  function end(question) {
    const { s1, s2, ridge } = question;
    const scale = 1 / Math.sqrt(ridge);
    const [a, b, c, d] = examples(question).map((each) => each * scale);
    let y1 = 0, y2 = 0, before = Infinity, inverse = null;
    for (let steps = 0; ; steps++) {
      if (steps === MOST) throw new Error("Newton's method did not settle");
      const m1 = a * y1 + b * y2, m2 = c * y1 + d * y2;
      const one = expit(-m1), two = expit(-m2);
      inverse = curvature([a, b, c, d], one * expit(m1), two * expit(m2));
      const p = a * one + c * two - y1, q = b * one + d * two - y2;
      const step1 = inverse[0] * p + inverse[1] * q, step2 = inverse[1] * p + inverse[2] * q;
      const longest = Math.max(Math.abs(a * step1 + b * step2), Math.abs(c * step1 + d * step2));
      if (longest === 0 || (before < CLOSE && longest > before / 4)) break;
      before = longest;
      const fraction = Math.log1p(longest) / longest;
      y1 += fraction * step1;
      y2 += fraction * step2;
    }
    // dz_j/d(s_i^2) = (s_j/s_i) [1/H]_ji (u_i.alpha)/ridge, where u_i.alpha = sqrt(ridge) y_i/s_i.
    const pull1 = (y1 / s1) * scale, pull2 = (y2 / s2) * scale;
    return {
      z1: s1 * scale * y1,
      z2: s2 * scale * y2,
      dz1_ds1sq: inverse[0] * pull1,
      dz1_ds2sq: (s1 / s2) * inverse[1] * pull2,
      dz2_ds1sq: (s2 / s1) * inverse[1] * pull1,
      dz2_ds2sq: inverse[2] * pull2,
    };
  }

  // 1/H of H = 1 + X^T diag(k1, k2) X: its entries 11, 12 and 22.
  function curvature([a, b, c, d], k1, k2) {
    const first = 1 + k1 * a * a + k2 * c * c;
    const mixed = k1 * a * b + k2 * c * d;
    const second = 1 + k1 * b * b + k2 * d * d;
    // The determinant as a sum of positive terms: nothing cancels where one feature is strong.
    const area = a * d - b * c;
    const whole = first + (second - 1) + k1 * k2 * area * area;
    return [second / whole, -mixed / whole, first / whole];
  }

  // The end of training under spectral decoupling, z1 and z2: each margin is where ridge m = 1/(1 + e^m),
  // whatever the strengths.
  function decoupledEnd({ delta, ridge }) {
    let m = 0;
    for (let before = Infinity; ; ) {
      const left = expit(-m);
      const step = (left - ridge * m) / (ridge + left * (1 - left)); // convex: never beyond the root
      if (!(Math.abs(step) < before)) break;
      before = Math.abs(step);
      m += step;
    }
    const c = Math.sqrt(1 - delta ** 2);
    return { z1: m * (c + delta), z2: m * (c - delta) };
  }

  theory.starvation = { primal, decoupled, end, decoupledEnd };
})();
