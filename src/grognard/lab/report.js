(() => {
  const map = document.querySelector(".map");
  if (!map) return;
  const slider = document.getElementById("turn");
  const told = document.getElementById("told");
  const layers = [...map.querySelectorAll("[data-turn]")];
  const show = () => {
    layers.forEach((layer, n) => layer.classList.toggle("now", n === Number(slider.value)));
    told.textContent = layers[slider.value].dataset.label;
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  slider.addEventListener("input", show);
  for (const choice of document.querySelectorAll("input[name=layer]")) {
    choice.addEventListener("change", () => {
      for (const box of document.querySelectorAll(".layers")) {
        box.classList.remove("show-front", "show-held");
        box.classList.add(`show-${choice.value}`);
      }
    });
  }
  document.getElementById("large").addEventListener("change", (event) => {
    map.classList.toggle("large", event.target.checked);
    map.scrollLeft = (map.scrollWidth - map.clientWidth) / 2;
  });
  show();
})();
