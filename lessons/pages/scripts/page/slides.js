// Slides: arrow keys turn them, the address holds the number, letters shrink until a slide holds all.
"use strict";
(() => {
  const slides = [...document.querySelectorAll("section.slide")];
  let at = 0;

  function show(number) {
    at = Math.min(slides.length - 1, Math.max(0, number));
    slides.forEach((slide, i) => slide.classList.toggle("shown", i === at));
    document.querySelector("nav .place").textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${at + 1}`);
    fit(slides[at]);
  }

  function fit(slide) {
    for (let size = 100; size >= 50; size -= 5) {
      slide.style.fontSize = `${size}%`;
      if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth) return;
    }
  }

  const STEPS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return; // the browser's own
    if (event.key === "f") document.documentElement.requestFullscreen();
    if (!(event.key in STEPS) || event.target.closest("button, input, summary")) return;
    event.preventDefault();
    show(at + STEPS[event.key]);
  });
  document.querySelector(".back").addEventListener("click", () => show(at - 1));
  document.querySelector(".on").addEventListener("click", () => show(at + 1));
  addEventListener("resize", () => fit(slides[at]));
  const asked = () => show((Number.parseInt(location.hash.slice(1), 10) || 1) - 1);
  addEventListener("hashchange", asked);
  asked();
})();
