// The gamma function of positive numbers.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  // Lanczos' approximation, with g = 7 and nine terms.
  const G = 7;
  const TERMS = [
    0.99999999999980993227684700473478, 676.520368121885098567009190444019,
    -1259.13921672240287047156078755283, 771.3234287776530788486528258894,
    -176.61502916214059906584551354, 12.507343278686904814458936853,
    -0.13857109526572011689554707, 9.984369578019570859563e-6, 1.50563273514931155834e-7,
  ];

  // Gamma(x), x > 0.
  function gamma(x) {
    if (x < 0.5) return gamma(x + 1) / x;
    const z = x - 1;
    const summed = TERMS.reduce((sum, term, i) => (i ? sum + term / (z + i) : term), 0);
    const t = z + G + 0.5;
    return Math.sqrt(2 * Math.PI) * t ** (z / 2 + 0.25) * Math.exp(-t) * t ** (z / 2 + 0.25) * summed;
  }

  numerics.gamma = { gamma };
})();
