// Flexible activations: how many parameters examples leave free, by a rank in exact arithmetic.
// needs: numerics/residues.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { plus, times, drawn, echelon } = TS.numerics.residues;

  // Counts after 1, 2, ... examples, by network: no slider's move counts twice.
  const counted = new Map();

  // The parameters that so many examples leave free, beside scales, of almost every teacher, and those that
  // turn a direction. Question: inputs, outputs, units, degree, lowest, times (numbers of examples).
  function rank({ inputs, outputs, units, degree, lowest, times: counts }) {
    const sizes = [inputs, outputs, units, degree, lowest];
    if (!sizes.every((each) => Number.isInteger(each) && each > 0) || lowest > 2 || degree < lowest) {
      throw new Error(`no network of sizes ${sizes}`);
    }
    const found = ranks(...sizes);
    const powers = degree - lowest + 1;
    const free = [];
    const turning = [];
    for (const count of counts) {
      const [whole, ofC] = found[Math.min(Math.round(count), found.length) - 1];
      const left = units * (inputs + outputs + powers) - 2 * units - whole;
      free.push(left);
      turning.push(left - (units * powers - ofC));
    }
    return { ambiguity: free, direction_ambiguity: turning };
  }

  // The rank of the Jacobian after 1, 2, ... examples, and that of its columns by c, up to the first that
  // adds nothing: no later one does. As high at random residues as almost everywhere, but for a chance below
  // 1e-5.
  function ranks(inputs, outputs, units, degree, lowest) {
    const key = [inputs, outputs, units, degree, lowest].join();
    if (counted.has(key)) return counted.get(key);
    const next = drawn(1);
    const numbers = (count) => Array.from({ length: count }, next);
    const powers = degree - lowest + 1;
    const V = numbers(inputs * units);
    const W = numbers(outputs * units);
    const c = numbers(powers * units);
    const whole = echelon(units * (inputs + outputs + powers));
    const ofC = echelon(units * powers);
    const found = [[0, 0]];
    for (;;) {
      for (const row of jacobian(V, W, c, numbers(inputs), outputs, units, degree, lowest)) {
        whole.add(row);
        ofC.add(row.slice(row.length - units * powers));
      }
      const last = found[found.length - 1];
      found.push([whole.rank, ofC.rank]);
      if (last[0] === whole.rank && last[1] === ofC.rank) break;
    }
    found.shift();
    counted.set(key, found);
    return found;
  }

  // d f_k/d (W, V, c) at one input modulo the prime, a row for each output. f_k = sum_i W_ki g_i(z_i) with
  // z = V^T x: by W_li delta_kl g_i, by V_ji W_ki g_i' x_j, by c_is W_ki z_i^s.
  function jacobian(V, W, c, x, outputs, units, degree, lowest) {
    const z = each(units, (i) => x.reduce((sum, at, j) => plus(sum, times(at, V[j * units + i])), 0));
    const upto = [z.map(() => 1)];
    for (let s = 1; s <= degree; s++) upto.push(z.map((at, i) => times(upto[s - 1][i], at)));
    const s = each(degree - lowest + 1, (p) => lowest + p);
    const sum = (of) => (i) =>
      s.reduce((all, power, p) => plus(all, times(c[p * units + i], of(power, i))), 0);
    const g = each(units, sum((power, i) => upto[power][i]));
    const slope = each(units, sum((power, i) => times(power, upto[power - 1][i])));
    return each(outputs, (k) => [
      ...each(outputs, (l) => each(units, (i) => (k === l ? g[i] : 0))).flat(),
      ...x.flatMap((at) => each(units, (i) => times(W[k * units + i], times(at, slope[i])))),
      ...s.flatMap((power) => each(units, (i) => times(W[k * units + i], upto[power][i]))),
    ]);
  }

  // The values of a function at 0, ..., count - 1.
  function each(count, value) {
    return Array.from({ length: count }, (_, i) => value(i));
  }

  theory.flexible_activations = { rank };
})();
