// Slides: arrow keys turn them and move their pictures, letters shrink until a slide holds all.
"use strict";
(() => {
  const PACE = 1000; // milliseconds from one step of a moving picture to the next
  const slides = [...document.querySelectorAll("section.slide")];
  const play = document.querySelector("nav .play");
  let [at, step, playing] = [0, 0, 0];

  const steps = (number) => [...slides[number].querySelectorAll(".frame")];

  function show(number, frame = 0) {
    at = Math.min(slides.length - 1, Math.max(0, number));
    step = frame;
    slides.forEach((slide, i) => slide.classList.toggle("shown", i === at));
    steps(at).forEach((each, i) => each.classList.toggle("shown", i === step));
    play.hidden = steps(at).length < 2;
    document.querySelector("nav .place").textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${at + 1}`);
  }

  // Go on or back by one picture, then by one slide.
  function turn(by) {
    const next = step + by;
    if (next >= 0 && next < steps(at).length) show(at, next);
    else if (by > 0 && at + 1 < slides.length) show(at + 1);
    else if (by < 0 && at > 0) show(at - 1, Math.max(0, steps(at - 1).length - 1));
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
  }

  function animate() {
    if (steps(at).length < 2) return;
    show(at);
    playing = setInterval(() => (step + 1 < steps(at).length ? show(at, step + 1) : stop()), PACE);
  }

  function note() {
    document.body.classList.toggle("noted");
    fit();
  }

  // Also of the slides that are not shown: they may be printed.
  function fit() {
    for (const [i, slide] of slides.entries()) {
      slide.classList.add("shown");
      const whole = () => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
      const largest = slide.querySelector(".frames") ? 100 : 130;
      const least = innerWidth < innerHeight ? 90 : 50; // on a telephone a slide scrolls
      for (let size = largest; size >= least; size -= 5) {
        slide.style.fontSize = `${size}%`;
        if (whole()) break;
      }
      slide.classList.toggle("shown", i === at);
    }
  }

  const KEYS = {
    ArrowRight: () => turn(1),
    " ": () => turn(1),
    ArrowLeft: () => turn(-1),
    PageDown: () => show(at + 1),
    PageUp: () => show(at - 1),
    Home: () => show(0),
    End: () => show(slides.length - 1),
    a: animate,
    n: note,
    f: () => document.documentElement.requestFullscreen(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return; // the browser's own
    if (!Object.hasOwn(KEYS, event.key) || (event.key === " " && event.target.closest("button, a"))) return;
    event.preventDefault();
    stop();
    KEYS[event.key]();
  });
  const buttons = { ".back": () => turn(-1), ".on": () => turn(1), ".play": animate, ".notes": note };
  for (const [name, act] of Object.entries(buttons)) {
    document.querySelector(`nav ${name}`).addEventListener("click", () => {
      stop();
      act();
    });
  }
  addEventListener("resize", fit);
  const asked = () => show((Number.parseInt(location.hash.slice(1), 10) || 1) - 1);
  addEventListener("hashchange", asked);
  asked();
  fit();
})();
