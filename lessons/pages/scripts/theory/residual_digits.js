// A residual network on digits with wrong labels: descent by its tangent kernel, computed from the images.
// needs: numerics/linalg.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { symmetric } = TS.numerics.linalg;

  const CLASSES = 10;
  const BIAS = 0.5; // what a unit's bias is multiplied by
  const known = new WeakMap(); // what was made of images, by the object that holds them

  // Errors and losses of each draw after whole steps, as the front door names them, and means over draws of
  // what it does not tell. bias and variance: both parts of the test loss, averaged over all wrong labels;
  // truth and wrong: shares learned of the truth and of noise; told and true: of images with a wrong label
  // the share that is said as told, or as it is (NaN without any).
  // images: pixels (a letter from `a` to `q` each), classes, training (places, by draw), wrong (their wrong
  // labels) and chance (the share of wrong labels from which on each is wrong).
  function descent({ images, components, times, learning_rate: rate, ...of }) {
    const { label_noise: noise, branch_scale: scale, weight_decay: decay } = of;
    const made = prepared(images, components);
    const strength = 1 - (noise * CLASSES) / (CLASSES - 1);
    const found = made.draws.map((draw, k) => {
      const labels = draw.classes.map((is, i) => (images.chance[k][i] < noise ? images.wrong[k][i] : is));
      return ofDraw(draw, modes(draw, scale), labels, { times, rate, decay, strength });
    });
    const each = (name) => found.map((one) => one[name]);
    const count = found.length;
    const mean = (name) => times.map((_, t) => each(name).reduce((sum, one) => sum + one[t], 0) / count);
    const byDraw = ["test_error", "test_loss", "training_error", "training_loss"];
    const means = ["bias", "variance", "truth", "wrong", "told", "true"];
    return Object.fromEntries([
      ...byDraw.map((name) => [name, each(name)]),
      ...means.map((name) => [name, mean(name)]),
    ]);
  }

  // Makes ready, for later questions of these images, what one scale of the branch needs.
  function prepare({ images, components, branch_scale: scale }) {
    prepared(images, components).draws.forEach((draw) => modes(draw, scale));
  }

  // Pixels standardised, and principal components of variance 1; of each draw its kernels of both parts.
  function prepared(images, components) {
    if (known.has(images)) return known.get(images);
    const N = images.pixels.length;
    const P = images.pixels[0].length;
    const x = Float64Array.from(images.pixels.join(""), (letter) => letter.charCodeAt(0) - 97);
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const spread = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length);
    x.forEach((value, i) => (x[i] = (value - mean) / spread));
    const z = principal(x, N, P, components);
    const a = { row: x, size: P, per: P, more: BIAS ** 2 };
    const skip = { row: z, size: components, per: components, more: 0 };
    const draws = images.training.map((training) => {
      const chosen = new Set(training);
      const tested = [...Array(N).keys()].filter((place) => !chosen.has(place));
      const kernels = [training, tested].map((some) => ({
        skip: products(skip, some, training),
        branch: bent(a, some, training),
      }));
      const [classes, true_] = [training, tested].map((some) => some.map((place) => images.classes[place]));
      return { n: training.length, M: tested.length, classes, tested: true_, kernels, modes: new Map() };
    });
    const result = { draws };
    known.set(images, result);
    return result;
  }

  // Principal components of rows (N, P), scaled to variance 1: (N, d).
  function principal(x, N, P, d) {
    const middle = new Float64Array(P);
    for (let i = 0; i < N; i++) for (let j = 0; j < P; j++) middle[j] += x[i * P + j] / N;
    const centred = x.map((value, at) => value - middle[at % P]);
    const covariance = new Float64Array(P * P);
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < P; j++) {
        for (let k = 0; k < P; k++) covariance[j * P + k] += (centred[i * P + j] * centred[i * P + k]) / N;
      }
    }
    const { values, vectors } = symmetric(covariance, P);
    const z = new Float64Array(N * d);
    for (let i = 0; i < N; i++) {
      for (let c = 0; c < d; c++) {
        const axis = (P - 1 - c) * P;
        let sum = 0;
        for (let j = 0; j < P; j++) sum += centred[i * P + j] * vectors[axis + j];
        z[i * d + c] = sum / Math.sqrt(values[P - 1 - c]);
      }
    }
    return z;
  }

  // Products of rows at some places with others, (some, others), over `per`, and `more`.
  function products({ row, size, per, more }, some, others) {
    const found = new Float64Array(some.length * others.length);
    some.forEach((one, i) => {
      others.forEach((other, j) => {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += row[one * size + k] * row[other * size + k];
        found[i * others.length + j] = sum / per + more;
      });
    });
    return found;
  }

  // The kernel of the branch, [|a||a'| (sin p + (pi - p) cos p) + a.a' (pi - p)]/(2 pi) (cho2009).
  function bent(a, some, others) {
    const inner = products(a, some, others);
    const length = (place) => Math.sqrt(products(a, [place], [place])[0]);
    const sizes = some.map(length), otherSizes = others.map(length);
    return inner.map((product, at) => {
      const size = sizes[Math.floor(at / others.length)] * otherSizes[at % others.length];
      const close = product / size;
      const cosine = 1 - close < 8 * Number.EPSILON ? 1 : Math.max(-1, close); // acos makes 1e-8 of rounding
      const off = Math.PI - Math.acos(cosine);
      return (size * (Math.sqrt(1 - cosine ** 2) + off * cosine) + product * off) / (2 * Math.PI);
    });
  }

  // Rates c of K/n, directions V as rows (n, n), K_* V as rows (n, M), and what the truth needs of them.
  function modes(draw, scale) {
    if (draw.modes.has(scale)) return draw.modes.get(scale);
    const { n, M, kernels } = draw;
    const [K, others] = kernels.map(({ skip, branch }) => skip.map((one, i) => one + scale ** 2 * branch[i]));
    const { values, vectors: V } = symmetric(K.map((value) => value / n), n);
    const tests = new Float64Array(n * M);
    for (let x = 0; x < M; x++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += others[x * n + i] * V[j * n + i];
        tests[j * M + x] = sum;
      }
    }
    const truth = taught(V, draw.classes);
    // means over test images: of directions with each other, also of what they make of the truth, which is
    // crossed with the test images' labels
    const square = new Float64Array(n * n);
    const pairs = new Float64Array(n * n);
    const cross = new Float64Array(n);
    const target = targets(draw.tested);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let x = 0; x < M; x++) sum += tests[i * M + x] * tests[j * M + x];
        square[i * n + j] = square[j * n + i] = sum / M;
        pairs[i * n + j] = pairs[j * n + i] = (sum / M) * shared(truth, i, j);
      }
      for (let x = 0; x < M; x++) {
        let along = 0;
        for (let c = 0; c < CLASSES; c++) along += target[x * CLASSES + c] * truth[i * CLASSES + c];
        cross[i] += (tests[i * M + x] * along) / M;
      }
    }
    const [trained, tested] = [turned(V, n, n), turned(tests, n, M)];
    const result = { c: values.map((each) => Math.max(each, 0)), V, trained, tested, truth, square, pairs, cross };
    draw.modes.set(scale, result);
    return result;
  }

  // One-hot rows less their mean.
  function targets(classes) {
    const rows = new Float64Array(classes.length * CLASSES).fill(-1 / CLASSES);
    classes.forEach((is, i) => (rows[i * CLASSES + is] += 1));
    return rows;
  }

  // V^T y/n of labels, (n, classes).
  function taught(V, labels) {
    const n = labels.length;
    const rows = targets(labels);
    const found = new Float64Array(n * CLASSES);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const weight = V[j * n + i] / n;
        for (let c = 0; c < CLASSES; c++) found[j * CLASSES + c] += weight * rows[i * CLASSES + c];
      }
    }
    return found;
  }

  // phi = (1 - (1 - eta (c + lambda))^k)/(c + lambda); of a rate near 0 no digits are lost.
  function filter(c, k, rate, decay) {
    const taken = rate * (c + decay);
    if (taken === 0) return rate * k;
    const gained = taken < 1 ? -Math.expm1(k * Math.log1p(-taken)) : 1 - (1 - taken) ** k;
    return gained / (c + decay);
  }

  // All that is told of one draw, over the times.
  function ofDraw(draw, mode, labels, { times, rate, decay, strength }) {
    const { n, M, classes, tested } = draw;
    const { c: rates, V, truth, square, pairs, cross } = mode;
    const a = taught(V, labels);
    const learned = new Float64Array(n * CLASSES), own = new Float64Array(n * CLASSES);
    const names = ["test_error", "test_loss", "training_error", "training_loss"];
    const more = ["bias", "variance", "truth", "wrong", "told", "true"];
    const told = Object.fromEntries([...names, ...more].map((name) => [name, []]));
    const weights = Float64Array.from(rates, (_, j) => {
      let sum = 0;
      for (let c = 0; c < CLASSES; c++) sum += truth[j * CLASSES + c] ** 2;
      return sum;
    });
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const mistaken = labels.map((label, i) => label !== classes[i]);
    const wrong = mistaken.filter(Boolean).length;
    for (const k of times) {
      const phi = rates.map((c) => filter(c, k, rate, decay));
      const fitted = rates.map((c, j) => c * phi[j]);
      // f_* = K_* V phi V^T y/n; on training images K V = n c V
      for (let j = 0; j < n; j++) {
        for (let c = 0; c < CLASSES; c++) {
          learned[j * CLASSES + c] = a[j * CLASSES + c] * phi[j];
          own[j * CLASSES + c] = a[j * CLASSES + c] * n * fitted[j];
        }
      }
      const test = said(outputs(mode.tested, learned, n, M), tested);
      const training = said(outputs(mode.trained, own, n, n), labels);
      told.test_error.push(test.error);
      told.test_loss.push(test.loss);
      told.training_error.push(training.error);
      told.training_loss.push(training.loss);
      let quadratic = 0, linear = 0, spread = 0;
      for (let i = 0; i < n; i++) {
        let row = 0;
        for (let j = 0; j < n; j++) row += pairs[i * n + j] * phi[j];
        quadratic += phi[i] * row;
        linear += phi[i] * cross[i];
        spread += phi[i] ** 2 * square[i * n + i];
      }
      const whole = 1 - 1 / CLASSES; // |y|^2
      told.bias.push((whole - 2 * strength * linear + strength ** 2 * quadratic) / 2);
      told.variance.push((whole * (1 - strength ** 2) * spread) / n ** 2 / 2);
      told.truth.push(fitted.reduce((sum, one, j) => sum + one * weights[j], 0) / weight);
      told.wrong.push(fitted.reduce((sum, one) => sum + one, 0) / n);
      const count = (as) => mistaken.filter((is, i) => is && training.answers[i] === as[i]).length;
      told.told.push(count(labels) / (wrong || NaN));
      told.true.push(count(classes) / (wrong || NaN));
    }
    return told;
  }

  // The product of two rows of (n, classes).
  function shared(rows, i, j) {
    let sum = 0;
    for (let c = 0; c < CLASSES; c++) sum += rows[i * CLASSES + c] * rows[j * CLASSES + c];
    return sum;
  }

  // Outputs (M, classes) of rows (M, n) with coefficients (n, classes): for two rows and five classes at a time,
  // whose sums need not be stored.
  function outputs(rows, learned, n, M) {
    const found = new Float64Array((M + 1) * CLASSES);
    for (let x = 0; x < M; x += 2) {
      const one = x * n, other = Math.min(x + 1, M - 1) * n;
      for (let c = 0; c < CLASSES; c += 5) {
        let a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0;
        for (let j = 0, i = c; j < n; j++, i += CLASSES) {
          const a = rows[one + j], b = rows[other + j];
          const w0 = learned[i], w1 = learned[i + 1], w2 = learned[i + 2];
          const w3 = learned[i + 3], w4 = learned[i + 4];
          a0 += a * w0;
          a1 += a * w1;
          a2 += a * w2;
          a3 += a * w3;
          a4 += a * w4;
          b0 += b * w0;
          b1 += b * w1;
          b2 += b * w2;
          b3 += b * w3;
          b4 += b * w4;
        }
        const at = x * CLASSES + c, next = at + CLASSES;
        found[at] = a0;
        found[at + 1] = a1;
        found[at + 2] = a2;
        found[at + 3] = a3;
        found[at + 4] = a4;
        found[next] = b0;
        found[next + 1] = b1;
        found[next + 2] = b2;
        found[next + 3] = b3;
        found[next + 4] = b4;
      }
    }
    return found;
  }

  // Error and loss of outputs (M, classes) for images of these classes, and the classes told.
  function said(found, classes) {
    const M = classes.length;
    const answers = new Uint8Array(M);
    let mistakes = 0, loss = 0;
    for (let x = 0; x < M; x++) {
      const first = x * CLASSES, is = classes[x];
      let answer = 0;
      for (let c = 0; c < CLASSES; c++) {
        const value = found[first + c];
        const missed = value - (c === is ? 1 : 0) + 1 / CLASSES;
        loss += missed * missed;
        if (value > found[first + answer]) answer = c;
      }
      answers[x] = answer;
      if (answer !== is) mistakes++;
    }
    // of numbers that exceed all no class is told
    return { error: Number.isFinite(loss) ? mistakes / M : NaN, loss: loss / M / 2, answers };
  }

  // The transpose of (n, M).
  function turned(rows, n, M) {
    const found = new Float64Array(n * M);
    for (let j = 0; j < n; j++) for (let x = 0; x < M; x++) found[x * n + j] = rows[j * M + x];
    return found;
  }

  theory.residual_digits = { descent, prepare };
})();
