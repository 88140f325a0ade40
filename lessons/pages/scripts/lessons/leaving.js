// Lesson 15: how one large jump leaves a basin.
// needs: page/page.js theory/stable_noise.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format } = TS;
  const { spectral, small_noise, getoor } = TS.theory.stable_noise;
  const TIME = axis("mean exit time T [time]", { scale: "log", low: 0.02, high: 1e4 });
  const ENDS = [0.2, 10];
  const ACROSS = [0.1, 10];

  // Of a r^alpha: up to here 400 polynomials settle the time; Gaussian waits lose their digits beyond.
  const deepest = (stability) => (stability === 2 ? 24 : 20 * 4 ** ((stability - 1.5) / 0.4));

  const known = new Map();

  // Times at curvature 1 over the radius, as far as they are known: once for each index.
  function units(stability) {
    if (!known.has(stability)) {
      const high = deepest(stability) ** (1 / stability);
      const radii = Array.from({ length: 33 }, (_, i) => 0.1 * (high / 0.1) ** (i / 32));
      known.set(stability, { radii, times: spectral({ stability, drift: 1, times: radii }).exit_time });
    }
    return known.get(stability);
  }

  function compute({ stability, curvature, radius }) {
    const far = Math.sqrt(deepest(2) / curvature);
    const at = { stability, times: [radius] };
    const gaussian = { stability: 2, drift: curvature, times: [Math.min(radius, far)] };
    return {
      stable: spectral({ ...at, drift: curvature }).exit_time[0],
      gaussian: (radius > far ? "more than " : "") + format(spectral(gaussian).exit_time[0], ".3g"),
      jump: small_noise(at).exit_time[0],
      free: getoor(at).exit_time[0],
    };
  }

  // Times over the radius at a curvature: with the unit 1/a of time goes the unit a^(-1/alpha) of distance.
  function overRadius(stability, curvature, look, label) {
    const { radii, times } = units(stability);
    const unit = curvature ** (1 / stability);
    return line(radii.map((r) => r / unit), times.map((t) => t / curvature), look, label);
  }

  // Times over the curvature at a radius.
  function overCurvature(stability, radius, look, label) {
    const { radii, times } = units(stability);
    const curvatures = radii.map((r) => (r / radius) ** stability);
    return line(curvatures, times.map((t, i) => t / curvatures[i]), look, label);
  }

  function pictures({ stability, curvature, radius }, it) {
    const [gaussian, stable] = ["Gaussian noise, α = 2", "stable noise"];
    const power = (time) => ENDS.map((r) => time * (r / radius) ** stability);
    const [soon, last] = [format(it.stable, ".3g"), format(it.jump, ".3g")];
    return [
      chart(axis("half width of the basin r [distance]", { scale: "log", low: 0.2, high: 10 }), TIME, [
        line(ENDS, power(it.free), LOOKS[2], "stable noise, no well", { width: 1 }),
        overRadius(2, curvature, LOOKS[1], gaussian),
        line(ENDS, power(it.jump), LOOKS[0], "one large jump", { dashed: true }),
        overRadius(stability, curvature, LOOKS[0], stable),
        now(radius, it.stable, LOOKS[0]),
      ], {
        alt:
          `The mean exit time over the half width; at ${format(radius)} it is ${soon} for stable noise and ` +
          `${it.gaussian} for Gaussian noise.`,
        caption:
          `Exit time over the width, at curvature ${format(curvature)}. Solid lines end where the ` +
          "expansion no longer converges.",
      }),
      chart(axis("curvature of the well a [1/time]", { scale: "log", low: 0.1, high: 10 }), TIME, [
        overCurvature(2, radius, LOOKS[1], gaussian),
        line(ACROSS, [it.jump, it.jump], LOOKS[0], "one large jump", { dashed: true }),
        overCurvature(stability, radius, LOOKS[0], stable),
        now(curvature, it.stable, LOOKS[0]),
      ], {
        alt: `The mean exit time over the curvature; for stable noise it tends to ${last}.`,
        caption:
          `Exit time over the curvature, at half width ${format(radius)}. For stable noise it tends to ` +
          "the time of one large jump.",
      }),
    ];
  }

  function words({ curvature, radius }, it) {
    const [stable, jump, free] = ["stable", "jump", "free"].map((each) => format(it[each], ".3g"));
    const height = format((curvature * radius ** 2) / 2, ".3g");
    return [
      `<p>At these settings the mean exit time is ${stable} for stable noise and ${it.gaussian} for ` +
        `Gaussian noise. For stable noise the time is ${free} without a well, and ${jump} by one large jump. ` +
        `The height of the wall is ${height}, in units of <i>σ</i><sup>2</sup>.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });

  // What the slider of the index will ask for, before it moves.
  [2, 1.6, 1.7, 1.8, 1.9].forEach((stability, i) => setTimeout(() => units(stability), 200 * (i + 1)));
})();
