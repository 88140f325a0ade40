// Pictures whose point is dragged along its curve, by pointer and by keyboard, and tabs to choose a picture.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const PAGE = 10; // stops that Page Up and Page Down pass

  const element = (name, attributes) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // Tabs, one for each picture; the style shows one picture at a time where the page is narrow.
  TS.tabs = (names) => {
    const places = [...document.querySelectorAll("[data-picture]")];
    const list = element("div", { class: "tabs", role: "tablist", "aria-label": "Pictures" });
    const tabs = names.map((name, i) => {
      const tab = element("button", { type: "button", role: "tab", "aria-controls": `picture-${i}` });
      tab.textContent = name;
      tab.addEventListener("click", () => choose(i));
      places[i].id = `picture-${i}`;
      return tab;
    });
    list.append(...tabs);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
      choose(next);
      tabs[next].focus();
    });
    places[0].parentElement.prepend(list);

    function choose(chosen) {
      tabs.forEach((tab, i) => {
        tab.setAttribute("aria-selected", String(i === chosen));
        tab.tabIndex = i === chosen ? 0 : -1;
        places[i].classList.toggle("shown", i === chosen);
      });
      dispatchEvent(new Event("resize"));
    }
    choose(0);
  };

  // Let the point of some pictures be dragged along the first curve. ways: of each picture, by its number,
  // whether it follows the pointer "across" or goes to the nearest place "along" the curve. Gives what is to be
  // called after each redraw, with the curve's values of the coordinate (`times`), the stops at which the point
  // may stand, the present one, its words, and what moves it to another (`move`).
  TS.dragging = (ways, label) => {
    let now = null;
    const handles = Object.entries(ways).map(([number, way]) => {
      const place = document.querySelector(`[data-picture="${number}"]`);
      const handle = element("div", { class: "handle", role: "slider", tabindex: "0", "aria-label": label });
      place.after(handle);
      for (const grabbed of [handle, place]) follow(grabbed, place, way);
      handle.addEventListener("keydown", (event) => pressed(event));
      return { place, handle };
    });

    function follow(grabbed, place, way) {
      grabbed.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || (grabbed === place && !event.target.closest("svg.picture"))) return;
        grabbed.setPointerCapture(event.pointerId);
        event.preventDefault();
        to(nearest(place, way, event));
      });
      grabbed.addEventListener("pointermove", (event) => {
        if (grabbed.hasPointerCapture(event.pointerId)) to(nearest(place, way, event));
      });
    }

    function pressed(event) {
      const at = now.stops.indexOf(now.stop);
      const arrows = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
      const steps = { ...arrows, PageUp: PAGE, PageDown: -PAGE };
      const ends = { Home: 0, End: now.stops.length - 1 };
      const wanted = event.key in steps ? at + steps[event.key] : ends[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      now.move(now.stops[Math.min(now.stops.length - 1, Math.max(0, wanted))]);
    }

    function to(time) {
      const away = (stop) => Math.abs(Math.log(stop / time));
      const stop = now.stops.reduce((best, each) => (away(each) < away(best) ? each : best));
      if (stop !== now.stop) now.move(stop);
    }

    // The time at the place of the curve that is nearest to the pointer.
    function nearest(place, way, { clientX, clientY }) {
      const curve = place.querySelector("path.theory");
      const { a, d, e, f } = curve.getScreenCTM();
      const ends = curve.getAttribute("d").slice(1).split(/[MLC]/).map((each) => each.split(" ").slice(-2).map(Number));
      const away = ends.map(([x, y]) => {
        const across = a * x + e - clientX;
        return way === "across" ? Math.abs(across) : Math.hypot(across, d * y + f - clientY);
      });
      return now.times[away.indexOf(Math.min(...away))];
    }

    // Each handle lies on its point.
    function laid() {
      for (const { place, handle } of handles) {
        const point = place.querySelector("circle.now");
        const at = point?.getBoundingClientRect();
        handle.hidden = !at?.width;
        if (handle.hidden) continue;
        const from = place.parentElement.getBoundingClientRect();
        handle.style.left = `${at.x + at.width / 2 - from.x}px`;
        handle.style.top = `${at.y + at.height / 2 - from.y}px`;
      }
    }
    addEventListener("resize", laid);

    return (next) => {
      now = next;
      for (const { handle } of handles) {
        handle.setAttribute("aria-valuemin", "0");
        handle.setAttribute("aria-valuemax", String(now.stops.length - 1));
        handle.setAttribute("aria-valuenow", String(now.stops.indexOf(now.stop)));
        handle.setAttribute("aria-valuetext", now.words);
      }
      laid();
    };
  };
})();
