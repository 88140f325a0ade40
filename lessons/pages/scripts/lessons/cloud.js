// Lesson 20: how a cloud of generated points spreads over the data.
// needs: page/page.js theory/gan.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format } = TS;
  const CLOCK = Array.from({ length: 8 }, (_, i) => 0.5 + 0.5 * i);
  const ANGLES = Array.from({ length: 13 }, (_, i) => (i * Math.PI) / 6);
  const RING = ANGLES.map((angle) => [Math.cos(angle), Math.sin(angle)]);
  const SAME = "infinite width, with the same steps";

  const compute = ({ kernel, distance, length, bias }) =>
    TS.theory.gan.cloud({
      start: TS.given.cloud.map(([a, b]) => [distance + a, b]), data: RING.slice(0, 12),
      steps: 80, size: 0.05, discriminator: kernel, bias, length_scale: length,
    });

  function pictures({ distance }, { position, discrepancy }) {
    const path = (i, axisOf) => position.map((points) => points[i][axisOf]);
    const last = position.at(-1);
    const [low, high] = [-1.6, distance + 1.6];
    const tall = ((high - low) * 240) / 340 / 2; // the same scale on both axes
    const far = last.map(([a, b]) => Math.hypot(a, b));
    const [near, most] = [Math.min(...far), Math.max(...far)].map((each) => format(each, ".2f"));
    const told = `At s = 4 the points are ${near} to ${most} from the middle of the ring.`;
    const mmd = discrepancy.slice(1);
    return [
      chart(
        axis("x₁ [input]", { low, high }),
        axis("x₂ [input]", { low: -tall, high: tall }),
        [
          line(RING.map(([a]) => a), RING.map(([, b]) => b), LOOKS[2], "data: twelve points on the ring", {
            width: 1,
          }),
          ...last.map((_, i) => line(path(i, 0), path(i, 1), LOOKS[0], i === 0 ? SAME : "")),
          ...position[0].map(([a, b]) => now(a, b, LOOKS[0], { line: false })),
          ...RING.slice(0, 12).map(([a, b]) => now(a, b, LOOKS[2], { line: false })),
        ],
        { alt: told, caption: `One draw. Blue dots mark the starts of the paths. ${told}`, height: 240 },
      ),
      chart(
        axis("clock s = τt [input²/output²]", { low: 0 }),
        axis("MMD² of points and data [output²]", { scale: "log" }),
        [line(CLOCK, mmd, LOOKS[2], "infinite width, this draw")],
        { alt: `MMD² over the clock; one draw ends at ${format(mmd.at(-1), ".2g")}.` },
      ),
    ];
  }

  TS.page({ compute, pictures });
})();
