// Runs before the page does: what has been computed, and how long a curve takes to follow a key.
window.runs = 0; // that the kernel has completed
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", (event) => {
      if (String(event.data).startsWith('{"op": "completed-run"')) window.runs += 1;
    });
  }
};

// Waits until the page has its letters and nothing left to draw; not for ever: a browser may stop drawing
// a page that another one covers.
const soon = (happens) => Promise.race([happens, new Promise((resolve) => setTimeout(resolve, 1000))]);
window.drawn = async () => {
  await soon(document.fonts.ready);
  for (let i = 0; i < 2; i++) {
    await soon(new Promise(requestAnimationFrame));
    await soon(new Promise((resolve) => requestIdleCallback(resolve)));
  }
};

// Gives the milliseconds from the next key to the first curve that has moved; null if none has, once
// all that the key set off has been computed and drawn.
window.followed = () => new Promise((resolve) => {
  const curves = () => [...document.querySelectorAll("path.theory")].map((line) => line.getAttribute("d")).join();
  const before = curves();
  let pressed;
  const finish = (answer) => {
    observer.disconnect();
    resolve(answer);
  };
  const drawing = (record) => record.target instanceof SVGElement || record.addedNodes.length > 0;
  const observer = new MutationObserver((records) => {
    if (!records.some(drawing)) return; // as cheap as can be: its time counts
    const now = curves();
    if (now && now !== before) finish(performance.now() - pressed);
  });
  const onKey = async (event) => {
    pressed = event.timeStamp;
    const runs = window.runs;
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["d"] });
    while (window.runs === runs) await new Promise((resolve) => setTimeout(resolve, 50));
    await window.drawn();
    finish(null); // too late to matter where a curve has moved
  };
  addEventListener("keydown", onKey, { once: true, capture: true });
});

// The numbers of displayed formulas that lie on their formulas.
window.overlaid = () => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (!element.classList.contains("katex-tag")) continue;
      const formula = element.previousElementSibling.getBoundingClientRect();
      if (element.getBoundingClientRect().left < formula.right) found.push(element.textContent);
    }
  };
  look(document);
  return found;
};
