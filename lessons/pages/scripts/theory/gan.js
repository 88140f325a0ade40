// Generators and discriminators of infinite width: kernels, the witness of their MMD, clouds, one point.
// needs: numerics/expi.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { expiBetween, expiBelow } = TS.numerics.expi;

  // Of a question, the kernel's name and its one scale: the bias of relu, the length scale of fourier.
  function kernelOf({ discriminator, bias, length_scale: length }) {
    const scale = { relu: bias, fourier: length }[discriminator];
    if (!(scale > 0)) throw new Error(`no kernel ${discriminator} of scale ${scale}`);
    return { fourier: discriminator === "fourier", scale };
  }

  // Adds weight times k(x, y) to sum[0], and weight times its slope over x to what follows. At a kink the
  // slope is the mean of both sides.
  function addPair({ fourier, scale }, x, y, weight, sum) {
    const d = x.length;
    if (fourier) {
      // k = exp(-|x - y|^2/(2 l^2))
      let square = 0;
      for (let j = 0; j < d; j++) square += ((x[j] - y[j]) / scale) ** 2;
      const value = weight * Math.exp(-square / 2);
      sum[0] += value;
      for (let j = 0; j < d; j++) sum[1 + j] -= (value * (x[j] - y[j])) / scale ** 2;
      return;
    }
    // With x~ = (x, beta): what is across y~ of x~ - y~, so that no digits are lost near the kink.
    let size = scale ** 2, product = scale ** 2, along = 0;
    for (let j = 0; j < d; j++) {
      size += y[j] ** 2;
      product += x[j] * y[j];
      along += (x[j] - y[j]) * y[j];
    }
    let across = (along * scale) ** 2;
    for (let j = 0; j < d; j++) across += (size * (x[j] - y[j]) - along * y[j]) ** 2;
    const length = Math.sqrt(across);
    const crossed = length / Math.sqrt(size); // |x~| |y~| sin p
    const rest = Math.PI - Math.atan2(crossed, product);
    // 2 pi k = |x~| |y~| sin p + 2 (pi - p) x~ . y~
    sum[0] += (weight * (crossed + 2 * rest * product)) / (2 * Math.PI);
    const turned = 2 * rest - Math.sin(2 * rest); // 2 (pi - p) + sin 2 p
    const bent = length > 0 ? (Math.cos(2 * rest) * Math.sqrt(size)) / length : 0;
    for (let j = 0; j < d; j++) {
      const aside = size * (x[j] - y[j]) - along * y[j];
      sum[1 + j] += (weight * (turned * y[j] - bent * aside)) / (2 * Math.PI);
    }
  }

  // f and its slope at the points x, of a discriminator trained for the time 1 on generated points and data:
  // the witness of the kernel's MMD, mean_i k(x, x_i) - mean_j k(x, y_j). Points are rows of coordinates.
  function witness({ x, generated, data, ...of }) {
    const kernel = kernelOf(of);
    const rows = x.map((at) => told(kernel, at, generated, data));
    return { f: rows.map((row) => row[0]), slope: rows.map((row) => Array.from(row.subarray(1))) };
  }

  function told(kernel, at, generated, data) {
    const sum = new Float64Array(1 + at.length);
    for (const point of generated) addPair(kernel, at, point, 1 / generated.length, sum);
    for (const point of data) addPair(kernel, at, point, -1 / data.length, sum);
    return sum;
  }

  // MMD^2 of points and data: the difference of the witness's means.
  function discrepancy(kernel, points, data) {
    const mean = (at) => at.reduce((sum, one) => sum + told(kernel, one, points, data)[0], 0) / at.length;
    return mean(points) - mean(data);
  }

  // A cloud that starts at `start` and takes so many steps of that size down the slope of the witness: its
  // places after 0, 1, ... steps, and MMD^2 at every tenth.
  function cloud({ start, data, steps, size, ...of }) {
    const kernel = kernelOf(of);
    const position = [start];
    for (let step = 0; step < steps; step++) {
      const points = position[step];
      position.push(
        points.map((at) => {
          const slope = told(kernel, at, points, data);
          return at.map((value, j) => value - size * slope[1 + j]);
        }),
      );
    }
    const tenth = position.filter((_, step) => step % 10 === 0);
    return { position, discrepancy: tenth.map((points) => discrepancy(kernel, points, data)) };
  }

  // One discriminator while it is trained, the generator's one point at rest at that distance from the data:
  // J (as `separation`) and the slope at the point, in proportion to the times.
  function discriminator({ distance, times, ...of }) {
    const kernel = kernelOf(of);
    const points = [[distance]], data = [[0]];
    const square = discrepancy(kernel, points, data);
    const slope = Math.abs(told(kernel, points[0], points, data)[1]);
    return { separation: times.map((t) => t * square), slope: times.map((t) => t * slope) };
  }

  // -dtheta/ds of one point at theta > 0, data at 0 (the Dirac GAN).
  function speed({ theta, ...of }) {
    const { fourier, scale } = kernelOf(of);
    if (fourier) return { speed: (theta / scale ** 2) * Math.exp(-(theta ** 2) / (2 * scale ** 2)) };
    const bent = (theta ** 2 - scale ** 2) / (theta ** 2 + scale ** 2);
    return { speed: theta - (scale / (2 * Math.PI)) * bent };
  }

  // The place of the one point at the clocks s = tau t, from that distance; 0 once it has arrived.
  function dirac({ distance, times, ...of }) {
    const { fourier, scale } = kernelOf(of);
    // Ei(u_0) - Ei(u) = 2 s/l^2, u = theta^2/(2 l^2)
    const u = (distance / scale) ** 2 / 2;
    const fallen = (s) => Math.min(distance, scale * Math.sqrt(2 * expiBelow(u, (2 * s) / scale ** 2)));
    const place = fourier ? fallen : (s) => scale * kinkedPlace(distance / scale, s);
    return { place: times.map(place) };
  }

  // The clock at which a point has come from each distance to half of it.
  function halving({ distances, ...of }) {
    const { fourier, scale } = kernelOf(of);
    const u = (distance) => (distance / scale) ** 2 / 2;
    const time = fourier
      ? (distance) => (scale ** 2 / 2) * expiBetween(u(distance) / 4, u(distance))
      : (distance) => kinkedTime(distance / scale, distance / scale / 2);
    return { clock: distances.map(time) };
  }

  // The clock at which one point arrives at the data: infinite but for a kink.
  function arrival({ distance, ...of }) {
    const { fourier, scale } = kernelOf(of);
    return { clock: fourier ? Infinity : kinkedTime(distance / scale, 0) };
  }

  // The roots r of z^3 - z^2/(2 pi) + z + 1/(2 pi), one real and one of a pair, and at each
  // (r^2 + 1)/(3 r^2 - r/pi + 1), as [real, imaginary].
  const ROOTS = (() => {
    const b = 1 / (2 * Math.PI);
    let real = -b;
    for (let k = 0; k < 60; k++) {
      real -= (((real - b) * real + 1) * real + b) / ((3 * real - 2 * b) * real + 1);
    }
    const half = (b - real) / 2; // of the sum of the pair, whose product is -b/real
    const pair = [half, Math.sqrt(-b / real - half ** 2)];
    return [[real, 0], pair].map(([re, im]) => {
      const squareRe = re ** 2 - im ** 2, squareIm = 2 * re * im;
      const aboveRe = squareRe + 1, aboveIm = squareIm;
      const belowRe = 3 * squareRe - 2 * b * re + 1, belowIm = 3 * squareIm - 2 * b * im;
      const norm = belowRe ** 2 + belowIm ** 2;
      const residue = [
        (aboveRe * belowRe + aboveIm * belowIm) / norm,
        (aboveIm * belowRe - aboveRe * belowIm) / norm,
      ];
      return { re, im, residue };
    });
  })();

  // s in which z = theta/beta falls from start to end >= 0: sum_r residue_r ln((start - r)/(end - r)), of the
  // pair twice the real part.
  function kinkedTime(start, end) {
    return ROOTS.reduce((sum, { re, im, residue }) => {
      // 1 + w of w = (start - end)/(end - r)
      const norm = (end - re) ** 2 + im ** 2;
      const wRe = ((start - end) * (end - re)) / norm, wIm = ((start - end) * im) / norm;
      const size = Math.log1p(2 * wRe + wRe ** 2 + wIm ** 2) / 2;
      const turn = Math.atan2(wIm, 1 + wRe);
      return sum + (im ? 2 : 1) * (residue[0] * size - residue[1] * turn);
    }, 0);
  }

  // z at that clock: Newton's method between bounds, in arsinh z, in which both ends of the law are smooth.
  function kinkedPlace(start, clock) {
    if (clock >= kinkedTime(start, 0)) return 0;
    let low = 0, high = Math.asinh(start);
    let at = high;
    for (let tried = 0; tried < 200; tried++) {
      const z = Math.sinh(at);
      const left = kinkedTime(start, z) - clock;
      if (left > 0) low = at;
      else high = at;
      const velocity = z - (z ** 2 - 1) / (z ** 2 + 1) / (2 * Math.PI);
      let next = at + (left * velocity) / Math.cosh(at);
      if (!(next >= low && next <= high)) next = (low + high) / 2;
      if (Math.abs(next - at) <= 4e-16 * next) return Math.min(start, Math.sinh(next));
      at = next;
    }
    return Math.min(start, Math.sinh(at));
  }

  theory.gan = { witness, cloud, discriminator, speed, dirac, halving, arrival };
})();
