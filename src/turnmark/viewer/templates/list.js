(() => {
  "use strict";
  const rows = [...document.querySelectorAll("[data-row]")];
  let at = -1;
  const go = (step) => {
    if (!rows.length) return;
    at = Math.min(Math.max(at + step, 0), rows.length - 1);
    const link = rows[at].querySelector("th a");
    if (link) link.focus();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  for (const [place, row] of rows.entries()) row.addEventListener("focusin", () => { at = place; });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const act = { j: () => go(1), k: () => go(-1), "/": () => document.querySelector('input[type="search"]').focus() }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
