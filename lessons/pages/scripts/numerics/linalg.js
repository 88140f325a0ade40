// Eigenvalues of symmetric matrices, their rows one after another in a typed array; small linear equations.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const numerics = (TS.numerics ??= {});

  // Eigenvalues of a symmetric A (n, n), increasing, and eigenvectors as rows (n, n), of length 1, by
  // Householder's reflections to three diagonals, then QL with implicit shifts (Bowdler and others 1968).
  function symmetric(A, n) {
    const V = Float64Array.from(A); // rows in place of columns, so that rotations run along memory
    const d = new Float64Array(n);
    const e = new Float64Array(n);
    tridiagonal(V, d, e, n);
    implicit(V, d, e, n);
    const order = Array.from(d.keys()).sort((i, j) => d[i] - d[j]);
    const vectors = new Float64Array(n * n);
    order.forEach((from, to) => vectors.set(V.subarray(from * n, (from + 1) * n), to * n));
    return { values: Float64Array.from(order, (i) => d[i]), vectors };
  }

  // V becomes Q, as columns' rows, with Q^T A Q of diagonal d and e beside it (e[0] = 0).
  function tridiagonal(V, d, e, n) {
    for (let j = 0; j < n; j++) d[j] = V[j * n + n - 1];
    for (let i = n - 1; i > 0; i--) {
      let scale = 0;
      for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
      let h = 0;
      if (scale === 0) {
        e[i] = d[i - 1];
        for (let j = 0; j < i; j++) {
          d[j] = V[j * n + i - 1];
          V[j * n + i] = V[i * n + j] = 0;
        }
      } else {
        for (let k = 0; k < i; k++) {
          d[k] /= scale;
          h += d[k] ** 2;
        }
        const f = d[i - 1];
        const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
        e[i] = scale * g;
        h -= f * g;
        d[i - 1] = f - g;
        e.fill(0, 0, i);
        for (let j = 0; j < i; j++) {
          const at = d[j];
          V[i * n + j] = at;
          let sum = e[j] + V[j * n + j] * at;
          for (let k = j + 1; k < i; k++) {
            sum += V[j * n + k] * d[k];
            e[k] += V[j * n + k] * at;
          }
          e[j] = sum;
        }
        let along = 0;
        for (let j = 0; j < i; j++) {
          e[j] /= h;
          along += e[j] * d[j];
        }
        for (let j = 0; j < i; j++) e[j] -= (along / (2 * h)) * d[j];
        for (let j = 0; j < i; j++) {
          const of = d[j], by = e[j];
          for (let k = j; k < i; k++) V[j * n + k] -= of * e[k] + by * d[k];
          d[j] = V[j * n + i - 1];
          V[j * n + i] = 0;
        }
      }
      d[i] = h;
    }
    for (let i = 0; i < n - 1; i++) {
      V[i * n + n - 1] = V[i * n + i];
      V[i * n + i] = 1;
      const h = d[i + 1];
      if (h !== 0) {
        for (let k = 0; k <= i; k++) d[k] = V[(i + 1) * n + k] / h;
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let k = 0; k <= i; k++) sum += V[(i + 1) * n + k] * V[j * n + k];
          for (let k = 0; k <= i; k++) V[j * n + k] -= sum * d[k];
        }
      }
      for (let k = 0; k <= i; k++) V[(i + 1) * n + k] = 0;
    }
    for (let j = 0; j < n; j++) {
      d[j] = V[j * n + n - 1];
      V[j * n + n - 1] = 0;
    }
    V[n * n - 1] = 1;
    e[0] = 0;
  }

  // Rotates the rows of V until nothing is left beside the diagonal d.
  function implicit(V, d, e, n) {
    e.copyWithin(0, 1);
    e[n - 1] = 0;
    let f = 0, largest = 0;
    for (let l = 0; l < n; l++) {
      largest = Math.max(largest, Math.abs(d[l]) + Math.abs(e[l]));
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * largest) m++;
      for (let tried = 0; m > l && Math.abs(e[l]) > Number.EPSILON * largest; tried++) {
        if (tried > 60) throw new Error("eigenvalues do not converge");
        let g = d[l];
        let p = (d[l + 1] - g) / (2 * e[l]);
        let r = p < 0 ? -Math.hypot(p, 1) : Math.hypot(p, 1);
        d[l] = e[l] / (p + r);
        d[l + 1] = e[l] * (p + r);
        const next = d[l + 1];
        let h = g - d[l];
        for (let i = l + 2; i < n; i++) d[i] -= h;
        f += h;
        p = d[m];
        let c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
        const beside = e[l + 1];
        for (let i = m - 1; i >= l; i--) {
          [c3, c2, s2] = [c2, c, s];
          g = c * e[i];
          h = c * p;
          r = Math.hypot(p, e[i]);
          e[i + 1] = s * r;
          s = e[i] / r;
          c = p / r;
          p = c * d[i] - s * g;
          d[i + 1] = h + s * (c * g + s * d[i]);
          const low = i * n, high = (i + 1) * n;
          for (let k = 0; k < n; k++) {
            h = V[high + k];
            V[high + k] = s * V[low + k] + c * h;
            V[low + k] = c * V[low + k] - s * h;
          }
        }
        p = (-s * s2 * c3 * beside * e[l]) / next;
        e[l] = s * p;
        d[l] = c * p;
      }
      d[l] += f;
      e[l] = 0;
    }
  }

  // x of a x = b, a (rows of numbers) small and well conditioned: elimination with pivots.
  function solve(a, b) {
    const rows = a.map((row, i) => [...row, b[i]]);
    const n = rows.length;
    for (let i = 0; i < n; i++) {
      let best = i;
      for (let k = i + 1; k < n; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[best][i])) best = k;
      [rows[i], rows[best]] = [rows[best], rows[i]];
      for (let k = 0; k < n; k++) {
        if (k === i) continue;
        const factor = rows[k][i] / rows[i][i];
        for (let j = i; j <= n; j++) rows[k][j] -= factor * rows[i][j];
      }
    }
    return rows.map((row, i) => row[n] / row[i]);
  }

  numerics.linalg = { symmetric, solve };
})();
