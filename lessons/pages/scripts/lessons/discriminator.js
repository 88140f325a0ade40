// Lesson 12: how the discriminator's kernel moves a generator.
// needs: page/page.js theory/gan.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture, format } = TS;
  const { witness, discriminator, speed, dirac, halving } = TS.theory.gan;
  const TIMES = Array.from({ length: 10 }, (_, i) => 0.1 + 0.1 * i);
  const DISTANCES = Array.from({ length: 116 }, (_, i) => 0.25 + 0.05 * i);
  const KINDS = ["relu", "fourier"];

  // Places that show the slope on both sides of data at 0 and of the point.
  function places(distance) {
    const [low, high] = [-0.5 * distance - 1, 1.5 * distance + 1];
    const grid = Array.from({ length: 240 }, (_, i) => low + (i * (high - low)) / 239);
    const kinks = [-1e-9, 0, 1e-9, distance - 1e-9, distance, distance + 1e-9];
    return [...new Set([...grid, ...kinks])].sort((a, b) => a - b);
  }

  function compute({ kernel, distance, length, bias }) {
    const of = { discriminator: kernel, bias, length_scale: length };
    const at = (kind) => ({ ...of, discriminator: kind });
    const half = halving({ distances: [distance], ...of }).clock[0];
    const end = Math.min(30, Math.max(3, 2 * half));
    const clocks = Array.from({ length: 61 }, (_, i) => (end * i) / 60);
    const [x, points] = [places(distance), { generated: [[distance]], data: [[0]] }];
    const sides = [distance - 1e-9, distance, distance + 1e-9];
    return {
      half, end, clocks, x,
      at: witness({ x: x.map((each) => [each]), ...points, ...of }),
      here: witness({ x: [[distance]], ...points, ...of }).slope[0][0],
      claimed: discriminator({ distance, times: TIMES, ...of }),
      place: dirac({ distance, times: clocks, ...of }).place,
      halves: KINDS.map((kind) => halving({ distances: DISTANCES, ...at(kind) }).clock),
      six: KINDS.map((kind) => halving({ distances: [6], ...at(kind) }).clock[0]),
      kink: witness({ x: sides.map((each) => [each]), ...points, ...at("relu") }).slope.map(([each]) => each),
      truth: speed({ theta: distance, ...at("fourier") }).speed,
    };
  }

  function trained({ distance }, it) {
    const ends = [now(0), now(distance)];
    const told =
      `After the training time 1 the slope at the point is ${format(it.here, ".2g")}. Vertical lines: ` +
      `the data at 0, the point at ${format(distance)}.`;
    const time = axis("training time t [1/output]", { low: 0 });
    const { separation, slope } = it.claimed;
    const over = (label, values) =>
      panel(time, axis(label), [line(TIMES, values, LOOKS[0], "infinite width")]);
    const along = (label, values) =>
      panel(axis("x [input]"), axis(label), [...ends, line(it.x, values, LOOKS[0], "infinite width")]);
    return [
      picture(
        [
          along("discriminator f [output]", it.at.f),
          along("slope of f [output/input]", it.at.slope.map(([each]) => each)),
        ],
        { alt: told, caption: told },
      ),
      picture([over("J [output]", separation)], {
        alt: `J grows in proportion to t, up to ${format(separation.at(-1), ".3g")}.`,
      }),
      picture([over("|slope| at the point [output/input]", slope)], {
        alt: `The slope at the point grows in proportion to t, up to ${format(it.here, ".3g")}.`,
      }),
    ];
  }

  function moved({ kernel, distance, length, bias }, it) {
    const gone = `At s = ${format(it.end, ".3g")} the point is at ${format(it.place.at(-1), ".3g")}.`;
    const [relu, fourier] = it.six.map((each) => format(each, ".2g"));
    const told = `Clock to halve a distance of 6: relu ${relu}, fourier ${fourier}.`;
    const names = [`relu, β = ${format(bias)}`, `fourier (Gaussian), l = ${format(length)}`];
    return [
      chart(axis("clock s = τt [input²/output²]"), axis("position θ of the point [input]"), [
        line(it.clocks, it.place, LOOKS[0], "infinite width, small steps"),
      ], { alt: gone, caption: gone }),
      chart(
        axis("distance D at the start [input]", { low: 0 }),
        axis("clock s to halve D [input²/output²]", { scale: "log", low: 0.1, high: 1e5 }),
        [
          line([0.25, 6], [Math.LN2, Math.LN2], LOOKS[2], "ln 2: relu, large D", { dashed: true }),
          ...KINDS.map((_, k) => line(DISTANCES, it.halves[k], LOOKS[k], names[k])),
          now(distance, it.half, LOOKS[KINDS.indexOf(kernel)]),
        ],
        { alt: told, caption: `${told} The dot marks your distance.` },
      ),
    ];
  }

  const pictures = (at, it) => [...trained(at, it), ...moved(at, it)];

  function words({ distance, length, bias, width }, { truth, kink: [left, here, right] }) {
    const noise = Math.sqrt(1.5 / width) / length;
    const shown = truth < noise
      ? "So chance moves the point, and only the mean of many discriminators leads it to the data."
      : "So a single discriminator leads the point to the data.";
    const slopes = [left, right, -bias / Math.PI, here].map((each) => format(each, ".4f").replace("-", "−"));
    return [
      `<p>With ${width} waves the standard deviation is ${format(noise, ".2g")}; at ` +
        `<i>D</i> = ${format(distance)} the mean slope is ${format(truth, ".2g")}. ${shown}</p>`,
      `<p>At <i>D</i> = ${format(distance)}, <i>β</i> = ${format(bias)} the slope is ${slopes[0]} on the ` +
        `left of the point, ${slopes[1]} on the right, a jump of −<i>β</i>/π = ${slopes[2]}. ` +
        `The mean of both slopes is ` +
        `${slopes[3]}.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
