// Quadrature by the rules of Gauss and Legendre.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  const known = new Map();

  // Increasing nodes in [-1, 1] and weights, Float64Array each: exact of polynomials of degree 2 count - 1.
  // A rule is made once for each number of its nodes.
  function gaussLegendre(count) {
    if (!known.has(count)) known.set(count, legendre(count));
    return known.get(count);
  }

  function legendre(count) {
    const nodes = new Float64Array(count), weights = new Float64Array(count);
    for (let i = 0; i < Math.ceil(count / 2); i++) {
      let x = 2 * i + 1 === count ? 0 : Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
      let slope = 0;
      for (let step = 1, left = 20; left > 0; left--) {
        let last = 1, value = x;
        for (let k = 2; k <= count; k++) {
          [last, value] = [value, ((2 * k - 1) * x * value - (k - 1) * last) / k];
        }
        slope = (count * (last - x * value)) / (1 - x * x);
        if (Math.abs(step) <= 1e-15) break;
        step = value / slope;
        x -= step;
      }
      nodes[i] = -x;
      nodes[count - 1 - i] = x;
      weights[i] = weights[count - 1 - i] = 2 / ((1 - x * x) * slope * slope);
    }
    return { nodes, weights };
  }

  numerics.quadrature = { gaussLegendre };
})();
