// Stiff ordinary differential equations over long times: the linearly implicit Euler method, extrapolated
// (Hairer and Wanner 1996, IV.9). Its steps are as long as the solution is smooth.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  const COLUMNS = 12; // of the extrapolation, at most
  const AIM = 9; // the column that steps are made for
  const SAFETY = 0.8;
  const NEAR = 1e-6; // of a Jacobian's differences, whose square is an error

  // The state at time `to` of y' = field(y, slope) that is `state` at time `from`; field writes into `slope`.
  // `relative` and `absolute` (one number, or n) bound the error of a step, `first` is the first one, `most`
  // bounds the evaluations of the field. Throws an `Error` where no step is small enough.
  function solve(field, from, state, to, { relative = 1e-11, absolute = 1e-13, first, most = 100000 } = {}) {
    const n = state.length;
    const bound = typeof absolute === "number" ? new Float64Array(n).fill(absolute) : absolute;
    const table = Array.from({ length: COLUMNS }, () => new Float64Array(n)); // table[k]: the latest row
    const slope = new Float64Array(n), row = new Float64Array(n), matrix = new Float64Array(n * n);
    const pivots = new Int32Array(n);
    let y = Float64Array.from(state), t = from, h = first ?? (to - from) * 1e-3, evaluations = 0;

    const asked = (at, into) => {
      if (++evaluations > most) throw new Error(`the integrator is stuck at time ${t}`);
      field(at, into);
    };

    // Euler's steps of width h/parts from y, into `row`.
    const euler = (J, parts) => {
      const width = h / parts;
      for (let i = 0; i < n * n; i++) matrix[i] = -width * J[i];
      for (let i = 0; i < n; i++) matrix[i * n + i] += 1;
      factorise(matrix, pivots, n);
      row.set(y);
      for (let part = 0; part < parts; part++) {
        asked(row, slope);
        for (let i = 0; i < n; i++) slope[i] *= width;
        substitute(matrix, pivots, n, slope);
        for (let i = 0; i < n; i++) row[i] += slope[i];
      }
    };

    // The column in which the extrapolation has converged, its error in units of that allowed.
    const extrapolated = (J) => {
      let error = Infinity;
      for (let j = 0; j < COLUMNS; j++) {
        euler(J, j + 1);
        // Aitken's and Neville's scheme over steps h/1, h/2, ..., in place.
        for (let k = 0; k <= j; k++) {
          for (let i = 0; i < n; i++) {
            const former = table[k][i];
            table[k][i] = row[i];
            if (k < j) row[i] += ((row[i] - former) * (j - k)) / (k + 1);
          }
        }
        if (j < 2) continue;
        const before = error;
        let sum = 0;
        for (let i = 0; i < n; i++) {
          const scale = bound[i] + relative * Math.max(Math.abs(y[i]), Math.abs(table[j][i]));
          sum += ((table[j][i] - table[j - 1][i]) / scale) ** 2;
        }
        error = Math.sqrt(sum / n);
        if (error <= 1) return [j, error];
        if (!(error < before * 10)) break;
      }
      return [COLUMNS, error];
    };

    while (t < to) {
      if (!(t + h > t)) throw new Error(`no step is small enough at time ${t}`);
      h = Math.min(h, to - t);
      const J = jacobian(asked, y);
      for (;;) {
        const [column, error] = extrapolated(J);
        if (column < COLUMNS) {
          y = Float64Array.from(table[column]);
          t = to - t <= h ? to : t + h;
          // Shorter where it came late, longer where it came early.
          h *= Math.min(8, SAFETY * Math.max(error, 1e-10) ** (-1 / (column + 1)) * 1.6 ** (AIM - column));
          break;
        }
        h *= 0.3;
        if (!(t + h > t)) throw new Error(`no step is small enough at time ${t}`);
      }
    }
    return y;
  }

  // d field_i/d y_j by rows, by central differences.
  function jacobian(field, y) {
    const n = y.length;
    const J = new Float64Array(n * n), high = new Float64Array(n), low = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      const moved = Float64Array.from(y), step = NEAR * Math.max(1, Math.abs(y[j]));
      moved[j] = y[j] + step;
      field(moved, high);
      moved[j] = y[j] - step;
      field(moved, low);
      for (let i = 0; i < n; i++) J[i * n + j] = (high[i] - low[i]) / (2 * step);
    }
    return J;
  }

  // L U of a matrix by rows, in place, with rows exchanged as in `pivots`.
  function factorise(A, pivots, n) {
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(A[i * n + k]) > Math.abs(A[best * n + k])) best = i;
      pivots[k] = best;
      for (let j = 0; best !== k && j < n; j++) {
        [A[k * n + j], A[best * n + j]] = [A[best * n + j], A[k * n + j]];
      }
      for (let i = k + 1; i < n; i++) {
        A[i * n + k] /= A[k * n + k];
        for (let j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
      }
    }
  }

  // x with A x = b, in place of b, of a matrix that was factorised.
  function substitute(A, pivots, n, b) {
    for (let k = 0; k < n; k++) {
      [b[k], b[pivots[k]]] = [b[pivots[k]], b[k]];
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) b[i] -= A[i * n + j] * b[j];
    for (let i = n - 1; i >= 0; i--) {
      for (let j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
      b[i] /= A[i * n + i];
    }
  }

  numerics.stiff = { solve };
})();
