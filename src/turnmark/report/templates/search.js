(() => {
  "use strict";
  const field = document.getElementById("search");
  if (!field) return;
  const said = field.closest(".search").querySelector("output");
  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  const turns = [...document.querySelectorAll("details.turn")].map((turn) => [turn, null]);
  const search = () => {
    const wanted = plain(field.value).trim();
    let found = 0;
    for (const one of turns) {
      if (one[1] === null) one[1] = plain(one[0].textContent);
      one[0].hidden = !one[1].includes(wanted);
      if (!one[0].hidden) found += 1;
    }
    said.textContent = wanted ? said.dataset.text.replace("{count}", found).replace("{total}", turns.length) : "";
  };
  field.addEventListener("input", search);
  field.closest(".search").hidden = false;
  if (field.value) search();
})();
