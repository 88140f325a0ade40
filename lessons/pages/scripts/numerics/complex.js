// Complex numbers as pairs [real, imaginary], for what is computed a few thousand times at most.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  // a + b.
  const add = ([a, b], [c, d]) => [a + c, b + d];

  // a b.
  const multiply = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

  // a times a real factor.
  const scale = ([a, b], factor) => [a * factor, b * factor];

  // a/b by Smith's method: no square overflows.
  function divide([a, b], [c, d]) {
    if (Math.abs(c) >= Math.abs(d)) {
      const ratio = d / c;
      const size = c + d * ratio;
      return [(a + b * ratio) / size, (b - a * ratio) / size];
    }
    const ratio = c / d;
    const size = c * ratio + d;
    return [(a * ratio + b) / size, (b * ratio - a) / size];
  }

  // e^a.
  function exp([a, b]) {
    const size = Math.exp(a);
    return [size * Math.cos(b), size * Math.sin(b)];
  }

  // e^a - 1, to all its digits where a is small.
  function expm1([a, b]) {
    const half = Math.sin(b / 2);
    return [Math.expm1(a) * Math.cos(b) - 2 * half * half, Math.exp(a) * Math.sin(b)];
  }

  numerics.complex = { add, multiply, scale, divide, exp, expm1 };
})();
