// Strings of a page in another language: `lessons/pages/language.py` in a page, for what moves.
// needs: page/charts.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  const STASHED = /<(math|code)\b[^]*?<\/\1>/g;
  const INLINE = "a|b|br|em|i|kbd|span|strong|sub|sup|tspan";
  const NUMBER = "(?<![\\p{L}\\p{N}_.])[-−]?\\d+(?:\\.\\d+)?(?:e[-+−]?\\d+)?";
  const KEPT = new RegExp(`\ue000\\d+\ue001|</?(?:${INLINE})\\b[^>]*>|${NUMBER}`, "gu");
  const BETWEEN = new RegExp(`(<(?!/?(?:${INLINE})\\b)[^>]*>)`, "u");
  const AROUND = new RegExp(`^((?:\\s|<(?:${INLINE})\\b[^>]*>)+)([^]*?)((?:\\s|</(?:${INLINE})>)+)$`, "u");
  const LABEL = /((?:aria-label|aria-valuetext|title|alt|placeholder)=")([^"]*)(")/gu;
  const WORDS = /\p{L}{2}/u;
  const SIGNS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };
  const UNESCAPED = { ...SIGNS, "&#123;": "{", "&#125;": "}" };
  const unescaped = (text) => text.replace(/&(?:amp|lt|gt|quot|#x27|#123|#125);/g, (each) => UNESCAPED[each]);

  // A string in the language of the page: HTML, or plain text.
  function said(text, escape = TS.escape) {
    const kept = [];
    const plain = text.replace(/[{}]/g, (each) => (each === "{" ? "&#123;" : "&#125;"));
    const places = plain.replace(KEPT, (found) => `{${kept.push(found) - 1}}`);
    const asked = unescaped(places).split(/\s+/u).filter(Boolean).join(" ");
    if (!WORDS.test(asked)) return text;
    TS.heard?.(asked);
    const given = TS.texts?.[asked];
    return given ? escape(given).replace(/\{(\d+)\}/g, (_, place) => kept[Number(place)]) : text;
  }

  // A text that goes into the page as text.
  TS.sayText = (text) => (TS.texts || TS.heard ? said(text, (given) => given) : text);

  // HTML that goes into the page.
  TS.say = (html) => {
    if (!TS.texts && !TS.heard) return html;
    const stash = [];
    return html
      .replace(STASHED, (found) => `\ue000${stash.push(found) - 1}\ue001`)
      .split(BETWEEN)
      .map((piece, i) => {
        if (i % 2) return piece.replace(LABEL, (_, before, text, after) => before + said(text) + after);
        if (!WORDS.test(piece.replace(KEPT, ""))) return piece;
        const [, before, inside, after] = AROUND.exec(`\n${piece}\n`);
        return before.slice(1) + said(inside) + after.slice(0, -1);
      })
      .join("")
      .replace(/\ue000(\d+)\ue001/g, (_, place) => stash[Number(place)]);
  };
})();
