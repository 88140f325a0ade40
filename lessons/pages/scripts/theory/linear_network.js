// Modes of two-layer linear networks that start from small random weights, and when half of each is learned.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});

  // R of the QR factorisation of a matrix by rows, upper triangular by rows, by Householder's reflections.
  function triangular(matrix, rows, columns, R) {
    for (let j = 0; j < columns; j++) {
      let size = 0;
      for (let i = j; i < rows; i++) size = Math.max(size, Math.abs(matrix[i * columns + j]));
      let squares = 0;
      for (let i = j; i < rows; i++) squares += (matrix[i * columns + j] / size) ** 2;
      const length = size * Math.sqrt(squares) * (matrix[j * columns + j] > 0 ? -1 : 1);
      const first = matrix[j * columns + j] - length;
      R[j * columns + j] = length;
      for (let k = j + 1; k < columns; k++) {
        let along = first * matrix[j * columns + k];
        for (let i = j + 1; i < rows; i++) along += matrix[i * columns + j] * matrix[i * columns + k];
        along /= length * first;
        R[j * columns + k] = matrix[j * columns + k] + along * first;
        for (let i = j + 1; i < rows; i++) matrix[i * columns + k] += along * matrix[i * columns + j];
      }
    }
  }

  // The inverse of an upper triangular matrix by rows.
  function inverted(R, size, inverse) {
    for (let j = 0; j < size; j++) {
      inverse[j * size + j] = 1 / R[j * size + j];
      for (let i = j - 1; i >= 0; i--) {
        let sum = 0;
        for (let k = i + 1; k <= j; k++) sum += R[i * size + k] * inverse[k * size + j];
        inverse[i * size + j] = -sum / R[i * size + i];
      }
    }
  }

  // u of one network, by times and modes: u_k = 1/2 [(E^-1 G^-1 E^-1 + D)^-1]_kk, from the R of its growing
  // part B^T = Q R. The matrix in brackets is M^T M, M = [R^-T E^-1; D^1/2], and is never formed: the
  // factorisation of M does not see how its columns are scaled.
  function network(R, fading, grown, times, modes) {
    const own = new Float64Array(modes * modes);
    inverted(R, modes, own);
    const M = new Float64Array(2 * modes * modes);
    const factor = new Float64Array(modes * modes);
    const inverse = new Float64Array(modes * modes);
    const u = new Float64Array(times * modes);
    for (let t = 0; t < times; t++) {
      M.fill(0);
      for (let j = 0; j < modes; j++) {
        for (let i = j; i < modes; i++) M[i * modes + j] = own[j * modes + i] * fading[t * modes + j];
        M[(modes + j) * modes + j] = grown[t * modes + j];
      }
      triangular(M, 2 * modes, modes, factor);
      inverted(factor, modes, inverse);
      for (let k = 0; k < modes; k++) {
        let squares = 0;
        for (let j = k; j < modes; j++) squares += inverse[k * modes + j] ** 2;
        u[t * modes + k] = squares / 2;
      }
    }
    return u;
  }

  // The time at which mode k of a network first reaches a level, linear between times; NaN if it never does.
  function reached(u, times, k, modes, level) {
    const after = times.findIndex((_, t) => u[t * modes + k] >= level);
    if (after <= 0) return NaN;
    const low = u[(after - 1) * modes + k];
    const share = (level - low) / (u[after * modes + k] - low);
    return times[after - 1] + share * (times[after] - times[after - 1]);
  }

  // Mean over networks of each mode's strength, `u` by times and modes, and of the time until half is
  // learned, `half` by modes (NaN where one network never reaches it).
  //
  // growing: of each network, (W_1 V + W_2^T U)/sqrt(2) by hidden units and modes, for entries of W of unit
  // standard deviation; any matrix with the same Gram matrix serves, such as its R. init: the standard
  // deviation. singular_values: s. times: t/tau, increasing.
  function effective({ growing, init, singular_values: s, times }) {
    const modes = s.length;
    const fading = new Float64Array(times.length * modes);
    const grown = new Float64Array(times.length * modes);
    times.forEach((time, t) => s.forEach((each, k) => {
      fading[t * modes + k] = Math.exp(-each * time);
      grown[t * modes + k] = Math.sqrt(-Math.expm1(-2 * each * time) / (2 * each));
    }));
    const sum = new Float64Array(times.length * modes);
    const half = new Float64Array(modes);
    const R = new Float64Array(modes * modes);
    for (const own of growing) {
      triangular(Float64Array.from(own.flat(), (each) => init * each), own.length, modes, R);
      const u = network(R, fading, grown, times.length, modes);
      u.forEach((each, i) => { sum[i] += each; });
      s.forEach((each, k) => { half[k] += reached(u, times, k, modes, each / 2); });
    }
    const mean = Array.from(times, (_, t) => Array.from(s, (_, k) => sum[t * modes + k] / growing.length));
    return { u: mean, half: half.map((each) => each / growing.length) };
  }

  theory.linear_network = { effective };
})();
