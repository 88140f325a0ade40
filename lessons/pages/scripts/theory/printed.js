// The replica formulas for two scales exactly as printed (Eqs. 4.2.11-4.2.16), with a ridge in place of time.
// needs: theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  const ROUNDING = 1024 * Number.EPSILON;

  // What one ridge makes of both scales: m/d, h, a - 1 and h + a - 1, and 1 - beta. The printed expressions
  // cancel late in training; they are summed in terms of h = scaled/(a - 1), with alpha_k = a (1 - h).
  function scalesAt({ n, d, counts, strengths }, ridge) {
    if (counts.length !== 2) throw new Error("the printed formulas are for exactly two scales");
    let left = (n - d) / n;
    const both = Array.from(counts, (m, k) => {
      const scaled = ((d / m) * ridge) / strengths[k]; // 4.2.12
      const gap = (m - n) / m - scaled;
      const root = Math.sqrt(gap * gap + 4 * scaled);
      const above = gap > 0 ? (2 * scaled) / (gap + root) : (root - gap) / 2; // a - 1 of 4.2.13
      const h = scaled / above;
      left += (m / n) * h * (2 - h);
      return { share: m / d, h, above, root };
    });
    return { both, left };
  }

  const total = (both, of) => of(both[0]) + of(both[1]);

  // R, Q, excess risk and generalisation error at a ridge.
  function at(sizes, ridge) {
    const { n, d } = sizes;
    const noise = sizes.noise * sizes.noise;
    const { both, left } = scalesAt(sizes, ridge);
    const R = total(both, ({ share, h }) => share * (1 - h)); // 4.2.14
    const beta = total(both, ({ h, above }) => (1 - h) / (1 + above));
    const c = noise + (n - d) / d + 2 * total(both, ({ share, h }) => share * h); // 1 + noise + n/d - 2 R
    const excess = (noise * beta + total(both, ({ share, h }) => share * h * h)) / (2 * left); // 4.2.6
    return [R, (c * beta) / left, excess, 2 * excess + noise]; // Q of 4.2.15-4.2.16
  }

  // Those at `times`: with dynamics "ridge" at ridge + 1/time; with "flow" the same, untrained at time 0.
  function curve({ dynamics, times, ...question }) {
    const sizes = theory.scales.of(question);
    if (dynamics === "flow" && sizes.init) throw new Error("the printed formulas know no other start than 0");
    const answer = { R: [], Q: [], excess_risk: [], generalisation_error: [] };
    for (const time of times) {
      const untrained = dynamics === "flow" && time === 0;
      const values = untrained ? [0, 0, 0.5, 1 + sizes.noise ** 2] : at(sizes, sizes.ridge + 1 / time);
      Object.values(answer).forEach((each, i) => each.push(values[i]));
    }
    return answer;
  }

  // The excess risk at a ridge, its slope by log ridge, the sum of that one's parts, and its error.
  function change(sizes, ridge) {
    const { n, d } = sizes;
    const noise = sizes.noise * sizes.noise;
    const { both, left } = scalesAt(sizes, ridge);
    const moved = both.map(({ share, h, above, root }) => ({
      share, h, above, dh: (h * above * (1 - h)) / root, dabove: (h * above * (1 + above)) / root,
    }));
    const beta = total(moved, ({ h, above }) => (1 - h) / (1 + above));
    const top = noise * beta + total(moved, ({ share, h }) => share * h * h);
    const falls = noise
      * total(moved, ({ h, above, dh, dabove }) => dh / (1 + above) + ((1 - h) * dabove) / (1 + above) ** 2);
    const grows = total(moved, ({ share, h, dh }) => share * 2 * h * dh);
    const turned = ((top / left) * total(moved, ({ share, h, dh }) => share * 2 * (1 - h) * dh) * d) / n;
    const sharp = (1 + Math.abs(n - d) / n / Math.abs(left)) * ROUNDING;
    const size = (falls + grows + Math.abs(turned)) / (2 * Math.abs(left));
    const slope = (grows - falls - turned) / (2 * left);
    return { value: top / (2 * left), slope, size, error: sharp * size };
  }

  theory.printed = { curve, change };
})();
