// Rules of Gauss and Legendre and of Gauss and Hermite, and the double exponential rule.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  const known = new Map();

  // A rule that is made once for each number of its nodes.
  function once(name, count, made) {
    const key = `${name} ${count}`;
    if (!known.has(key)) known.set(key, made(count));
    return known.get(key);
  }

  // Increasing nodes in [-1, 1] and weights, Float64Array each: exact of polynomials of degree 2 count - 1.
  function gaussLegendre(count) {
    return once("Legendre", count, legendre);
  }

  function legendre(count) {
    const [nodes, weights] = [new Float64Array(count), new Float64Array(count)];
    for (let i = 0; i < Math.ceil(count / 2); i++) {
      let x = 2 * i + 1 === count ? 0 : Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
      let slope = 0;
      for (let step = 1, left = 20; left > 0; left--) {
        let [last, value] = [1, x];
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

  // Increasing nodes and weights of averages over a normal law, Float64Array each, up to 200 of them.
  function gaussHermite(count) {
    return once("Hermite", count, hermite);
  }

  // Zeros of the orthonormal polynomials: between two of them lies one of each further degree.
  function hermite(count) {
    const values = (x, degree) => {
      let [last, value] = [0, 1];
      for (let k = 1; k <= degree; k++) {
        [last, value] = [value, (x * value - Math.sqrt(k - 1) * last) / Math.sqrt(k)];
      }
      return [value, Math.sqrt(degree) * last]; // and the slope
    };
    let zeros = [];
    for (let degree = 1; degree <= count; degree++) {
      const end = 2 * Math.sqrt(degree) + 1;
      const edges = [-end, ...zeros, end];
      zeros = edges.slice(1).map((high, i) => zero((x) => values(x, degree), edges[i], high));
    }
    const nodes = Float64Array.from(zeros);
    // 1/sum of squares of all polynomials of lower degree
    const weights = nodes.map((x) => {
      let [last, value, sum] = [0, 1, 1];
      for (let k = 1; k < count; k++) {
        [last, value] = [value, (x * value - Math.sqrt(k - 1) * last) / Math.sqrt(k)];
        sum += value * value;
      }
      return 1 / sum;
    });
    return { nodes, weights };
  }

  // Where a function, given with its slope, changes sign: by Newton's method, or bisection where it leaves.
  function zero(f, low, high) {
    const rising = f(high)[0] > 0;
    let x = (low + high) / 2;
    for (let left = 100; left > 0; left--) {
      const [value, slope] = f(x);
      if (value > 0 === rising) high = x;
      else low = x;
      let next = x - value / slope;
      if (!(next >= low && next <= high)) next = (low + high) / 2;
      if (Math.abs(next - x) <= 1e-15 * Math.max(1, Math.abs(x))) return next;
      x = next;
    }
    return x;
  }

  // The integral of f from low to high, whatever f does at both ends, if it is analytic between them: the
  // double exponential rule, whose step is halved until two answers agree to `relative`. NaN where they never
  // do. f(x, left, right) is also told how far x is from both ends, with all digits.
  function tanhSinh(f, low, high, relative = 1e-13) {
    const half = (high - low) / 2;
    const at = (t) => {
      const u = (Math.PI / 2) * Math.sinh(t);
      const [left, right] = [(2 * half) / (1 + Math.exp(-2 * u)), (2 * half) / (1 + Math.exp(2 * u))];
      const weight = ((Math.PI / 2) * Math.cosh(t) * left * right) / (2 * half);
      return 2 * weight > 0 ? 2 * weight * f(left < right ? low + left : high - right, left, right) : 0;
    };
    let [sum, before] = [at(0), NaN];
    for (let step = 1; step > 1 / 600; step /= 2) {
      for (let t = step; t < 6.5; t += step === 1 ? step : 2 * step) sum += at(t) + at(-t);
      const found = sum * step;
      if (Math.abs(found - before) <= relative * Math.abs(found)) return found;
      before = found;
    }
    return NaN;
  }

  numerics.quadrature = { gaussLegendre, gaussHermite, tanhSinh };
})();
