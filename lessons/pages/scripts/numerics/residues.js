// Whole numbers modulo a prime, and the rank of rows of them: exact, without a threshold for zero.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  // The largest prime whose residues have products below 2^53, which doubles hold.
  const PRIME = 94906249;

  // a b modulo PRIME, of residues a and b.
  function times(a, b) {
    const product = a * b;
    const left = product - Math.floor(product / PRIME) * PRIME;
    return left < 0 ? left + PRIME : left >= PRIME ? left - PRIME : left;
  }

  // a + b modulo PRIME.
  function plus(a, b) {
    const sum = a + b;
    return sum < PRIME ? sum : sum - PRIME;
  }

  // The residue whose product with a, which is not 0, is 1.
  function inverse(a) {
    let result = 1;
    for (let square = a, power = PRIME - 2; power > 0; power = Math.floor(power / 2)) {
      if (power % 2 === 1) result = times(result, square);
      square = times(square, square);
    }
    return result;
  }

  // Residues that look drawn, the same for the same seed: each call of the result gives one, never 0.
  function drawn(seed) {
    let state = seed >>> 0;
    const word = () => {
      // mulberry32
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return (mixed ^ (mixed >>> 14)) >>> 0;
    };
    return () => 1 + Math.floor((word() / 2 ** 32) * (PRIME - 1));
  }

  // Independent rows of that width. `add(row)` says whether the row, of residues, depends on none before.
  function echelon(width) {
    const rows = [];
    const pivots = [];
    return {
      add(row) {
        const left = Float64Array.from(row);
        rows.forEach((other, k) => {
          const share = left[pivots[k]];
          if (share === 0) return;
          for (let j = pivots[k]; j < width; j++) left[j] = plus(left[j], PRIME - times(share, other[j]));
        });
        const pivot = left.findIndex((value) => value !== 0);
        if (pivot < 0) return false;
        const scale = inverse(left[pivot]);
        rows.push(left.map((value) => times(value, scale)));
        pivots.push(pivot);
        return true;
      },
      get rank() {
        return rows.length;
      },
    };
  }

  numerics.residues = { PRIME, times, plus, inverse, drawn, echelon };
})();
