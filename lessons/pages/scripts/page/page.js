// A page that moves: controls, theory computed here, pictures, and simulations drawn beforehand.
// needs: page/charts.js page/language.js page/settings.js page/teaching.js page/values.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const told = JSON.parse(document.getElementById("told").textContent);
  const [LOW, LOW_RESIDUALS] = [122, 50]; // heights of panels
  TS.given = told.given;

  // Settings for which theory has no answer; the message says why.
  TS.NoAnswer = class extends Error {};

  const all = (selector) => [...document.querySelectorAll(selector)];

  // Make a page move. compute: theory at the settings; pictures and words: all of the page, in its order, from both.
  // moved: called after each redraw.
  TS.page = ({ compute, pictures, words = () => [], moved = () => {} }) => {
    const settings = new TS.Settings(told.controls);
    let it = null;

    // What is drawn at settings, without simulation: for the tests that hold it to the notebook.
    TS.shown = (at) => {
      const answer = compute(at);
      return { pictures: pictures(at, answer), words: words(at, answer) };
    };

    // The stored simulation for a place: all controls on which it depends, but those in `free`, are there.
    const drawnFor = ({ dataset }, free = []) => {
      const needed = dataset.needs.split(" ").filter((name) => !free.includes(name));
      return told.drawn.find((each) => settings.are(each.at, needed));
    };
    const simulated = Object.keys(told.controls).filter((name) => !told.free.includes(name));

    function redraw() {
      const { at } = settings;
      let made = null;
      let written = null;
      try {
        it = compute(at);
        made = pictures(at, it);
        written = words(at, it);
      } catch (error) {
        tell(`These settings have no answer: ${error.message}.`);
        document.body.classList.add("unanswered"); // what is drawn still is of other settings
        if (!(error instanceof TS.NoAnswer)) throw error;
        return;
      }
      document.body.classList.remove("unanswered");
      tell(settings.inVain.map((each) => `The address asks for ${each}, which is not available.`).join(" "));
      all("[data-picture]").forEach((place) => {
        const i = Number(place.dataset.picture);
        const drawn = drawnFor(place, told.free);
        const whole = drawn ? withSimulation(made[i], drawn.pictures[i]) : made[i];
        const low = place.closest(".first-screen") && narrow.matches;
        place.innerHTML = TS.say(TS.figure(low ? lowered(whole) : whole));
      });
      all("[data-more]").forEach((place) => {
        const more = drawnFor(place, told.free)?.more[place.dataset.more] ?? [];
        place.innerHTML = TS.say(more.map(revived).map(TS.figure).join(""));
      });
      all("[data-words]").forEach((place) => {
        const i = Number(place.dataset.words);
        place.innerHTML = TS.say(drawnFor(place)?.words[i] || written[i]);
      });
      all("[data-verdict]").forEach((place) => {
        const verdict = drawnFor(place, told.free)?.verdicts[Number(place.dataset.verdict)];
        place.innerHTML = TS.say(verdict ?? place.dataset.none);
      });
      all(".drawn button").forEach((button, k) => {
        button.setAttribute("aria-pressed", String(settings.are(told.drawn[k].at, simulated)));
      });
      moved({ settings, it, redraw: change });
    }

    function tell(message) {
      all(".told").forEach((place) => (place.textContent = TS.sayText(message)));
    }

    let waiting = 0;
    let noting = 0;
    // Draw again soon, once for all that changes until then; and keep the address.
    function change(wishes) {
      settings.set(wishes);
      show();
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(redraw);
      clearTimeout(noting);
      noting = setTimeout(() => history.replaceState(null, "", `#${settings.address()}`), 150);
    }

    // The controls stand where the settings are; those that matter only at other settings are hidden.
    function show() {
      for (const [name, at] of Object.entries(told.shown_if)) {
        const hidden = !settings.are(at, Object.keys(at));
        all(`[name="${name}"]`).forEach((each) => (each.closest(".control").hidden = hidden));
      }
      for (const [name, value] of Object.entries(settings.at)) {
        const control = told.controls[name];
        const inputs = all(`[name="${name}"]`);
        if (control.kind === "choice") inputs.forEach((each) => (each.checked = each.value === value));
        else {
          inputs.forEach((each) => {
            each.value = String(control.values.indexOf(value));
            each.setAttribute("aria-valuetext", control.words[control.values.indexOf(value)]);
          });
          all(`output[for="${name}"]`).forEach((each) => {
            each.textContent = control.words[control.values.indexOf(value)];
          });
        }
      }
    }

    for (const [name, control] of Object.entries(told.controls)) {
      all(`[name="${name}"]`).forEach((input) =>
        input.addEventListener("input", () =>
          change({ [name]: control.kind === "choice" ? input.value : control.values[Number(input.value)] }),
        ),
      );
    }
    all(".drawn button").forEach((button, i) => {
      const here = told.drawn[i];
      button.textContent = TS.sayText(settings.differing(here.at)) || TS.sayText("first settings");
      button.addEventListener("click", () => change(here.at));
    });
    const wished = () => change(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    addEventListener("hashchange", () => {
      settings.set(Object.fromEntries(Object.entries(told.controls).map(([name, each]) => [name, each.value])));
      wished();
    });
    narrow.addEventListener("change", redraw);
    if (location.hash.length > 1) wished();
    else {
      show();
      redraw();
    }
  };

  // On a telephone the first screen has room for low panels only, if there are several.
  const narrow = matchMedia("(max-width: 640px)");
  const lowered = (made) => ({
    ...made,
    panels: made.panels.map((one, _, { length }) => ({
      ...one,
      height: length === 1 ? one.height : one.height > TS.charts.TALL ? LOW : LOW_RESIDUALS,
    })),
  });

  // A picture with the marks of a simulation, in its panels and in panels of their own.
  function withSimulation(made, extra) {
    const isPoint = ({ kind, y }) => kind === "now" && y !== null; // it lies on what was drawn, and is dragged
    const panels = made.panels.map((one, k) => ({
      ...one,
      marks: [
        ...one.marks.filter((mark) => !isPoint(mark)),
        ...(extra[k]?.marks ?? []).map(looked),
        ...one.marks.filter(isPoint),
      ],
    }));
    return { ...made, panels: [...panels, ...extra.slice(made.panels.length).map(revivedPanel)] };
  }


  const looked = (mark) => (typeof mark.look === "number" ? { ...mark, look: TS.LOOKS[mark.look] } : mark);
  const revivedPanel = (one) => ({ ...one, marks: one.marks.map(looked) });
  const revived = (made) => ({ ...made, panels: made.panels.map(revivedPanel) });
  Object.assign(TS, { withSimulation, revived }); // slides and the catalogue of strings draw with them too

  all("form.think-first").forEach(TS.teaching.thinkFirst);
  all("form.code-exercise").forEach(TS.teaching.codeExercise);
  all("button.full-screen").forEach((button) => {
    button.hidden = !document.fullscreenEnabled; // as on some telephones
    button.addEventListener("click", () =>
      document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
    );
  });
  all("button.copy-link").forEach((button) => {
    const name = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = TS.sayText("Copied");
      } catch {
        // Browsers refuse the clipboard to pages that come by http.
        button.textContent = TS.sayText("Copy the link from the address bar");
      }
    });
    addEventListener("input", () => (button.textContent = name)); // the link is another now
  });
})();
