// Fields for the specialization constants of a module: a check box for a Boolean, a number for others, with its bits if it has no sign. A field that
// nobody touched sets nothing.
const spirvIfConstants = (() => {
  const make = spirvIfElement;
  const nameOf = ({ name, spec_id: id }) => name ?? `SpecId ${id}`;

  // The bits of a number, beside its field. Bits that the module tests are known by the values that were tried.
  const bitsOf = (constant, field) => {
    const width = Number(constant.type.match(/^uint(\d+)$/)?.[1] ?? 0);
    if (!width) return null;
    const tested = new Set((constant.decides.values ?? []).filter(({ value }) => value !== constant.default).map(({ value }) => BigInt(value)).filter((value) => value > 0n && (value & (value - 1n)) === 0n).map((value) => value.toString(2).length - 1));
    const number = () => { try { return BigInt(field.value.trim() || constant.default); } catch { return 0n; } };
    const boxes = Array.from({ length: width }, (_, bit) => make("input", { type: "checkbox", "data-bit": bit, "aria-label": `Bit ${bit} of ${nameOf(constant)}`, onchange: (event) => {
      const mask = 1n << BigInt(bit);
      field.value = String(event.target.checked ? number() | mask : number() & ~mask);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } }));
    const show = () => boxes.forEach((box, bit) => { box.checked = (number() >> BigInt(bit) & 1n) === 1n; });
    field.addEventListener("input", show);
    show();
    return make("details", { class: "bits", open: [...tested].some((bit) => bit > 1) },
      make("summary", {}, "Bits"), make("div", {}, boxes.map((box, bit) => make("label", { class: tested.has(bit) ? "tested" : null, title: tested.has(bit) ? "The module tests it" : null }, box, `${bit}`))));
  };

  const row = (constant, hasConditions) => {
    const { spec_id: id, type, decides } = constant;
    const named = nameOf(constant), isBoolean = type === "bool";
    const value = make("input", isBoolean ? { type: "checkbox", checked: constant.default === "true" } : { type: "text", inputmode: "text", placeholder: constant.default, autocomplete: "off" });
    value.dataset.value = id;
    value.dataset.default = constant.default;
    value.setAttribute("aria-label", `Value of ${named}`);
    const reset = make("button", { type: "button", class: "reset", hidden: true, "aria-label": `Do not set ${named}`, onclick: () => set(value, null) }, "as it is");
    if (isBoolean) value.addEventListener("click", () => { value.dataset.touched = ""; });
    value.addEventListener("input", () => { reset.hidden = valueOf(value) === null; });
    const when = hasConditions ? make("input", { type: "text", placeholder: "such as fp16", autocomplete: "off", spellcheck: "false", "data-when": id, "aria-label": `Condition where ${named} is true` }) : null;
    const branches = decides.branches ? `, decides ${decides.branches} ${decides.branches === 1 ? "branch" : "branches"}` : "";
    return make("div", { class: "constant" },
      make("div", {}, make("strong", {}, named), make("small", {}, `SpecId ${id}, ${type}, ${constant.default} by default${branches}`)),
      make("div", { class: "value" }, isBoolean ? make("label", { class: "check" }, value, "true") : make("label", {}, "Value", value), reset),
      when ? make("label", {}, "True where", when) : null,
      isBoolean ? null : bitsOf(constant, value));
  };

  const valueOf = (field) => (field.type === "checkbox" ? ("touched" in field.dataset ? String(field.checked) : null) : field.value.trim() || null);
  // Gives a field a value, or with null none.
  const set = (field, value) => {
    if (field.type === "checkbox") {
      field.checked = (value ?? field.dataset.default) === "true";
      if (value === null) delete field.dataset.touched;
      else field.dataset.touched = "";
    } else field.value = value ?? "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  return { row, set, valueOf };
})();
