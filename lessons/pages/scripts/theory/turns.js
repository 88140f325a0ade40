// Where the excess risk of the multi-scale problem turns: every minimum and maximum, however brief.
// needs: numerics/roots.js theory/motion.js theory/scales.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { brent } = TS.numerics.roots;

  const ACCURACY = 1e-11; // of the log times of turns
  const OF_SUMMITS = 1e-9; // of those of the slope's own extrema

  // How a curve of `theory.motion` runs: the log times and values of its turns, and whether it starts by
  // falling. Two extrema that have just been born lie arbitrarily close together; so the slope's own extrema,
  // where the bend is zero, are solved first, and the slope's sign is read there as well as on the grid.
  function shape(curve) {
    const points = Array.from(theory.motion.grid(curve), (x) => ({ x, ...curve.at(x) }));
    if (!points.every(({ slope, bend }) => Number.isFinite(slope) && Number.isFinite(bend))) {
      throw new Error("the slope is not finite everywhere");
    }
    const clear = ({ slope, error }) => Math.abs(slope) > error;
    const summits = [];
    for (let i = 1; i < points.length; i++) {
      const before = points[i - 1], after = points[i];
      if (before.bend > 0 !== after.bend > 0 && (clear(before) || clear(after))) {
        const x = brent((at) => curve.at(at).bend, before.x, after.x, { accuracy: 0, smallest: OF_SUMMITS });
        summits.push({ x, ...curve.at(x) });
      }
    }
    const all = [...points, ...summits].filter(clear).sort((a, b) => a.x - b.x);
    const turns = [];
    for (let i = 1; i < all.length; i++) {
      const before = all[i - 1], after = all[i];
      if (before.slope > 0 === after.slope > 0) continue;
      const x = brent((at) => curve.at(at).slope, before.x, after.x, { accuracy: 0, smallest: ACCURACY });
      turns.push({ x, value: curve.at(x).value, isMinimum: after.slope > 0 });
    }
    return { turns, falls: all.length > 0 && all[0].slope <= 0 };
  }

  // How often the excess risk descends: at once where it starts by falling, and again after each maximum.
  // curve: "flow", "ridge" or "printed"; the other entries are those of `scales.of`.
  function descents({ curve = "flow", ...question }) {
    const { turns, falls } = shape(theory.motion.curves[curve](theory.scales.of(question)));
    return Number(falls) + turns.filter(({ isMinimum }) => !isMinimum).length;
  }

  // Time, excess risk and kind of each turn, in order of time, asked for as `descents`.
  function of({ curve = "flow", ...question }) {
    const { turns } = shape(theory.motion.curves[curve](theory.scales.of(question)));
    return {
      time: turns.map(({ x }) => Math.exp(x)),
      excess_risk: turns.map(({ value }) => value),
      is_minimum: turns.map(({ isMinimum }) => isMinimum),
    };
  }

  theory.turns = { of, descents };
})();
