// Motion driven by stable noise: the mean time at which it first leaves an interval.
// needs: numerics/gamma.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { gamma } = TS.numerics.gamma;

  const SIZES = [50, 100, 200, 400, 800, 1600]; // even polynomials, one number of them after the other
  const SETTLED = 1e-5; // relative change from one number to the next at which the last is told
  const LEAST = 1e-14; // residual of a solved system, relative to its right hand side
  const KEPT = 40; // systems of one stability and size that are kept

  // Mean times without drift (getoor1961), at each radius in `times`.
  function getoor({ stability, noise = 1, start = 0, times }) {
    const inside = ((1 - start) * (1 + start)) ** (stability / 2) / gamma(1 + stability);
    return { exit_time: times.map((radius) => (radius / noise) ** stability * inside) };
  }

  // The power law of one large jump (imkeller2006): little noise in a well, stability below 2.
  function small_noise({ stability, noise = 1, times }) {
    const constant = (2 * gamma(stability) * Math.sin((Math.PI * stability) / 2)) / Math.PI;
    return { exit_time: times.map((radius) => (radius / noise) ** stability / constant) };
  }

  // Mean times at any drift: -a x T' - (sigma/r)^alpha (-Delta)^(alpha/2) T = -1 with T = w sum_n c_n P_n,
  // P_n Jacobi polynomials of the weight w = (1 - x^2)^(alpha/2) (dyda2017). NaN where no number of them
  // settles.
  function spectral({ stability, drift, noise = 1, start = 0, times }) {
    if (drift && stability <= 1) throw new Error("with drift the stability must be above 1");
    return {
      exit_time: times.map((radius) => {
        const unit = (radius / noise) ** stability;
        let before = NaN;
        for (const size of SIZES) {
          const found = unit * system(stability, size).time(drift * unit, start);
          if (Math.abs(found - before) <= SETTLED * found) return found;
          before = found;
        }
        return NaN;
      }),
    };
  }

  const systems = new Map();

  function system(stability, size) {
    const key = `${stability} ${size}`;
    const found = systems.get(key) ?? new System(stability, size);
    systems.delete(key);
    systems.set(key, found); // the last that was asked for
    if (systems.size > KEPT) systems.delete(systems.keys().next().value);
    return found;
  }

  // (E + d M) c = e, E the eigenvalues of the fractional Laplacian and M the drift, at every d: an
  // orthonormal basis of b, K b, K^2 b, ... with K = E^(-1/2) M E^(-1/2), in which the system is small,
  // serves them all.
  class System {
    constructor(stability, size) {
      this.stability = stability;
      this.size = size;
      // norm of w: B(1/2, alpha/2 + 1)
      this.mass = (Math.sqrt(Math.PI) * gamma(stability / 2 + 1)) / gamma(stability / 2 + 1.5);
      // Gamma(alpha + n + 1)/n!, n even
      this.root = new Float64Array(size);
      let eigenvalue = gamma(stability + 1);
      for (let n = 0; n < 2 * size; n++) {
        if (n) eigenvalue *= (stability + n) / n;
        if (n % 2 === 0) this.root[n / 2] = Math.sqrt(eigenvalue);
      }
      this.steps = ratios(2 * size, stability / 2);
      const rule = halfRule(2 * size + 2, stability - 1);
      this.count = rule.nodes.length;
      this.values = new Float64Array(size * this.count);
      this.moved = new Float64Array(size * this.count);
      rule.nodes.forEach((x, j) => {
        const { values, slopes } = this.polynomials(x);
        for (let n = 0; n < size; n++) {
          this.values[n * this.count + j] = values[n];
          // (w P)' = (1 - x^2)^(alpha/2 - 1) ((1 - x^2) P' - alpha x P)
          const slope = (1 - x * x) * slopes[n] - stability * x * values[n];
          this.moved[n * this.count + j] = rule.weights[j] * x * slope;
        }
      });
      // of the right hand side, which has no part beside P_0
      this.length = Math.sqrt(this.mass) / this.root[0];
      const first = new Float64Array(size);
      first[0] = 1;
      this.basis = [first];
      this.columns = []; // of the small matrix, each one longer than the last
    }

    // The even ones of norm 1, and their slopes, at a point.
    polynomials(x) {
      const values = new Float64Array(this.size), slopes = new Float64Array(this.size);
      let last = 0, value = 1 / Math.sqrt(this.mass), lastSlope = 0, slope = 0;
      for (let n = 0; n < 2 * this.size; n++) {
        if (n % 2 === 0) [values[n / 2], slopes[n / 2]] = [value, slope];
        const b = this.steps[n], before = n ? this.steps[n - 1] : 0;
        const next = (x * value - before * last) / b;
        const nextSlope = (value + x * slope - before * lastSlope) / b;
        [last, value, lastSlope, slope] = [value, next, slope, nextSlope];
      }
      return { values, slopes };
    }

    // K times a vector.
    applied(vector) {
      const { size, count, root } = this;
      const at = new Float64Array(count);
      for (let n = 0; n < size; n++) {
        const share = vector[n] / root[n];
        for (let j = 0, i = n * count; j < count; j++, i++) at[j] += share * this.moved[i];
      }
      return Float64Array.from({ length: size }, (_, n) => {
        let sum = 0;
        for (let j = 0, i = n * count; j < count; j++, i++) sum += this.values[i] * at[j];
        return sum / root[n];
      });
    }

    // One more vector of the basis (Arnoldi), orthogonal to the others to all digits.
    grow() {
      const next = this.applied(this.basis.at(-1));
      const column = new Float64Array(this.basis.length + 1);
      for (let round = 0; round < 2; round++) {
        this.basis.forEach((each, i) => {
          let part = 0;
          for (let n = 0; n < this.size; n++) part += each[n] * next[n];
          for (let n = 0; n < this.size; n++) next[n] -= part * each[n];
          column[i] += part;
        });
      }
      const length = Math.hypot(...next);
      column[this.basis.length] = length;
      this.columns.push(column);
      this.basis.push(next.map((each) => each / length));
    }

    // The mean time from `start`, in units of (r/sigma)^alpha; drift d in the inverse of these.
    time(d, start) {
      for (let k = this.columns.length || 1; k <= this.size; k++) {
        while (this.columns.length < k) this.grow();
        const { solution, residual } = solved(this.columns, d, k);
        if (residual > LEAST && k < this.size) continue;
        const { values } = this.polynomials(start);
        let sum = 0;
        for (let n = 0; n < this.size; n++) {
          let coefficient = 0;
          for (let i = 0; i < k; i++) coefficient += solution[i] * this.basis[i][n];
          sum += (coefficient * values[n]) / this.root[n];
        }
        return ((1 - start) * (1 + start)) ** (this.stability / 2) * sum * this.length;
      }
      return NaN;
    }
  }

  // (1 + d H) y = (1, 0, ...) of the first k columns of a Hessenberg matrix H, by elimination with exchange
  // of neighbours; and how much of K's system it leaves, relative to its right hand side and to y.
  function solved(columns, d, k) {
    const rows = Array.from({ length: k }, (_, i) =>
      Float64Array.from({ length: k + 1 }, (_, j) => {
        if (j === k) return i === 0 ? 1 : 0;
        return (i === j ? 1 : 0) + (i <= j + 1 ? d * columns[j][i] : 0);
      }),
    );
    for (let i = 0; i + 1 < k; i++) {
      if (Math.abs(rows[i + 1][i]) > Math.abs(rows[i][i])) [rows[i], rows[i + 1]] = [rows[i + 1], rows[i]];
      const factor = rows[i + 1][i] / rows[i][i];
      for (let j = i; j <= k; j++) rows[i + 1][j] -= factor * rows[i][j];
    }
    const solution = new Float64Array(k);
    for (let i = k - 1; i >= 0; i--) {
      let sum = rows[i][k];
      for (let j = i + 1; j < k; j++) sum -= rows[i][j] * solution[j];
      solution[i] = sum / rows[i][i];
    }
    const left = Math.abs(d * columns[k - 1][k] * solution[k - 1]);
    return { solution, residual: left / Math.max(1, Math.hypot(...solution)) };
  }

  // Off-diagonal entries of the recursion of orthonormal polynomials of the weight (1 - x^2)^power, the first
  // `count`.
  function ratios(count, power) {
    return Float64Array.from({ length: count }, (_, i) => {
      const n = i + 1;
      if (n === 1) return 1 / Math.sqrt(3 + 2 * power); // as below, where that is 0/0
      return Math.sqrt((n * (n + 2 * power)) / ((2 * n + 2 * power + 1) * (2 * n + 2 * power - 1)));
    });
  }

  // Positive nodes of Gauss's rule of that weight, `count` even, and twice their weights: of even functions.
  function halfRule(count, power) {
    const mass = (Math.sqrt(Math.PI) * gamma(power + 1)) / gamma(power + 1.5);
    const steps = ratios(count, power);
    const nodes = new Float64Array(count / 2);
    const weights = new Float64Array(count / 2);
    for (let i = 0; i < count / 2; i++) {
      let x = Math.cos(((i + 1 + power / 2 - 0.25) * Math.PI) / (count + power + 0.5));
      let squares = 0;
      for (let step = 1, left = 30; left > 0; left--) {
        let last = 0, value = 1 / Math.sqrt(mass), lastSlope = 0, slope = 0;
        squares = 0;
        for (let n = 0; n < count; n++) {
          squares += value * value;
          const before = n ? steps[n - 1] : 0;
          const next = (x * value - before * last) / steps[n];
          const nextSlope = (value + x * slope - before * lastSlope) / steps[n];
          [last, value, lastSlope, slope] = [value, next, slope, nextSlope];
        }
        if (Math.abs(step) <= 1e-15) break;
        step = value / slope;
        x -= step;
      }
      nodes[i] = x;
      weights[i] = 2 / squares;
    }
    return { nodes, weights };
  }

  theory.stable_noise = { getoor, small_noise, spectral };
})();
