// How a page is shown: light or dark, whole or embedded in another page. It runs before anything is drawn.
"use strict";
(() => {
  const KEY = "teacherstudent-theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  // Browsers refuse storage in some frames, and to files.
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice holds until the page is left.
    }
  }

  let chosen = remembered();

  function show() {
    root.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
    for (const button of document.querySelectorAll("button.theme")) {
      button.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));
    }
  }

  root.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  show();
  system.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("button.theme")) return;
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    remember(chosen);
    show();
  });
})();
