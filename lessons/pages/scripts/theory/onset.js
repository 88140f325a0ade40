// Where the number of descents of the excess risk changes with a parameter, by bisection.
// needs: numerics/roots.js theory/turns.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  // The boundary between the two ends of the one entry that is a pair, such as kappa: [1.5, 60], to a
  // relative `accuracy`, and the counts on both sides. The other entries are those of `turns.of`. Throws
  // where both ends count the same.
  function of({ accuracy = 1e-6, ...question }) {
    const [sought, [low, high]] = Object.entries(question).find(
      ([name, value]) => name !== "scales" && Array.isArray(value),
    );
    const count = (value) => theory.turns.descents({ ...question, [sought]: value });
    const [before, after] = TS.numerics.roots.bracket(count, low, high, accuracy);
    return { value: (before + after) / 2, below: count(before), above: count(after) };
  }

  theory.onset = { of };
})();
