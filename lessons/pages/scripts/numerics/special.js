// The error function and the normal law, to all their digits in the tails too.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  const ROOT_PI = Math.sqrt(Math.PI);
  const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);
  const FINE = 1024; // a square of so many parts of 1 is exact

  // Rational approximations of Cody (1969, Math. Comp. 23, 631): near 0, to 4, and beyond.
  const NEAR = {
    above: [3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02, 3.20937758913846947e03],
    first: 1.85777706184603153e-1,
    below: [2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03],
  };
  const MIDDLE = {
    above: [
      5.64188496988670089e-1, 8.88314979438837594e00, 6.61191906371416295e01, 2.98635138197400131e02,
      8.81952221241769090e02, 1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
    ],
    first: 2.15311535474403846e-8,
    below: [
      1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02, 1.62138957456669019e03,
      3.29079923573345963e03, 4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03,
    ],
  };
  const FAR = {
    above: [3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1, 1.60837851487422766e-2,
      6.58749161529837803e-4],
    first: 1.63153871373020978e-2,
    below: [2.56852019228982242e00, 1.87295284992346725e00, 5.27905102951428412e-1, 6.05183413124413191e-2,
      2.33520497626869185e-3],
  };

  // A quotient of two polynomials whose leading coefficients are `first` and 1.
  function quotient({ above, first, below }, x) {
    let over = first, under = 1;
    for (let i = 0; i < above.length; i++) {
      over = over * x + above[i];
      under = under * x + below[i];
    }
    return over / under;
  }

  // e^(sign x^2), of x with all its digits.
  function squared(x, sign) {
    const whole = Math.round(x * FINE) / FINE;
    return Math.exp(sign * whole * whole) * Math.exp(sign * (x - whole) * (x + whole));
  }

  // The error function.
  function erf(x) {
    const size = Math.abs(x);
    return size <= 0.46875 ? x * quotient(NEAR, x * x) : Math.sign(x) * (1 - erfc(size));
  }

  // e^(x^2) erfc(x).
  function erfcx(x) {
    if (x < -0.46875) return 2 * squared(x, 1) - erfcx(-x);
    if (x <= 0.46875) return Math.exp(x * x) * (1 - erf(x));
    if (x <= 4) return quotient(MIDDLE, x);
    const y = 1 / (x * x);
    return (1 / ROOT_PI - y * quotient(FAR, y)) / x;
  }

  // 1 - erf(x).
  function erfc(x) {
    if (x < -0.46875) return 2 - erfc(-x);
    return x <= 0.46875 ? 1 - erf(x) : squared(x, -1) * erfcx(x);
  }

  // The normal density.
  function normalPdf(x) {
    return squared(x, -0.5) / ROOT_TWO_PI;
  }

  // The probability that a normal number is below x.
  function normalCdf(x) {
    return x < -1 ? 0.5 * squared(x, -0.5) * erfcx(-x * Math.SQRT1_2) : 0.5 * erfc(-x * Math.SQRT1_2);
  }

  // Its logarithm.
  function normalLogCdf(x) {
    if (x < -1) return Math.log(0.5 * erfcx(-x * Math.SQRT1_2)) - 0.5 * x * x;
    return Math.log1p(-0.5 * erfc(x * Math.SQRT1_2));
  }

  numerics.special = { erf, erfc, erfcx, normalPdf, normalCdf, normalLogCdf };
})();
