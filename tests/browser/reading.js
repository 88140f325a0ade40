// What a reader's eyes meet: every piece of visible text with its size and its contrast (WCAG 2).
() => {
  const parse = (colour) => {
    const context = parse.context ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const parent = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = parent(at)) layers.unshift(parse(getComputedStyle(at).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const chrome = (element) => { // what marimo lays over the page: its menu and outline
    for (let at = element; at; at = parent(at)) if (getComputedStyle(at).position === "fixed") return true;
    return false;
  };
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
      if (!text.replace(/\u200b/g, "") || ["STYLE", "SCRIPT", "TITLE"].includes(element.tagName)) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width < 2 || box.height < 2 || style.visibility === "hidden" || style.opacity === "0") continue;
      if (chrome(element)) continue;
      if (element.closest(".katex-mathml")) continue; // for screen readers, not for eyes
      const svg = element instanceof SVGElement;
      const scale = svg ? element.getScreenCTM().a : 1;
      const ink = over(parse(svg ? style.fill : style.color), background(element));
      const [low, high] = [luminance(ink), luminance(background(element))].sort((a, b) => a - b);
      found.push({
        text: text.slice(0, 60),
        size: parseFloat(style.fontSize) * scale,
        contrast: (high + 0.05) / (low + 0.05),
        right: box.right,
        script: Boolean(element.closest(".katex, tspan, math")),
      });
    }
  };
  look(document);
  return found;
}
