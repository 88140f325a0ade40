// Rows of values, and answers that are kept.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // `count` values from `low` to `high`, both among them: at equal distances, or in equal ratios.
  const even = (low, high, count) =>
    Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
  const spaced = (low, high, count) => even(0, 1, count).map((share) => low * (high / low) ** share);

  // A function that remembers its last answer: what a slider does not change is not computed again.
  function kept(of) {
    let [key, value] = [null, null];
    return (...asked) => {
      const said = JSON.stringify(asked);
      if (said !== key) [key, value] = [said, of(...asked)];
      return value;
    };
  }

  Object.assign(TS, { even, spaced, kept });
})();
