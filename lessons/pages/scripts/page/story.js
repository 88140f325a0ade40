// Pictures of lessons at fixed settings, with the stored simulations: for slides and the speaker's notes.
// needs: page/page.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const { lessons } = JSON.parse(document.getElementById("told").textContent);

  // The lesson whose script runs.
  let current = "";
  const running = () => /lessons\/(\w+)\.js/.exec(document.currentScript?.src ?? "")?.[1] ?? current;
  Object.defineProperty(TS, "given", { get: () => lessons[running()].given });

  // Each lesson's script calls this instead of the function in `page.js`.
  TS.page = ({ compute, pictures }) => {
    current = running();
    const { drawn, free } = lessons[current];
    // The stored simulation for a picture: all controls on which it depends, but those in `free`, are there.
    const stored = (at, needs) => {
      const needed = Object.keys(at).filter((name) => needs.includes(name) && !free.includes(name));
      return drawn.find((one) => needed.every((name) => one.at[name] === at[name]));
    };

    function draw(group) {
      const frames = [...group.querySelectorAll(".frame")];
      const made = frames.map((frame) => {
        const at = JSON.parse(frame.dataset.at);
        const all = pictures(at, compute(at));
        return JSON.parse(group.dataset.pictures).map((i, k) => {
          const simulated = stored(at, JSON.parse(group.dataset.needs)[k]);
          const whole = simulated ? TS.withSimulation(all[i], simulated.pictures[i]) : all[i];
          // Only some frames have residuals: without them all frames are of the same height.
          return frames.length > 1 ? { ...whole, panels: whole.panels.slice(0, all[i].panels.length) } : whole;
        });
      });
      frames.forEach((frame, n) =>
        frame.querySelectorAll(".picture-place").forEach((place, k) => {
          place.innerHTML = TS.say(TS.figure(level(made[n][k], made.map((each) => each[k]))));
        }),
      );
    }
    document.querySelectorAll(`.frames[data-lesson="${current}"]`).forEach(draw);
  };

  // A picture with vertical axes that hold all of the pictures. Axes with both ends given stay: they may have
  // the scale of the horizontal axis.
  function level(picture, all) {
    const panels = picture.panels.map((one, k) => {
      if (one.y.low !== null && one.y.high !== null) return one;
      const ends = all.map(({ panels: each }) => TS.charts.scales(each[k], [0, 1]).yEnds);
      const value = (end) => (one.y.scale === "lin" ? end : 10 ** end);
      const [low, high] = [Math.min(...ends.map((each) => each[0])), Math.max(...ends.map((each) => each[1]))];
      return { ...one, y: { ...one.y, low: value(low), high: value(high) } };
    });
    return { ...picture, panels };
  }
})();
