"use strict";
// The page: it asks the calls in a worker, and words what they answer. The report is drawn by report.js.
(() => {
  const at = (id) => document.getElementById(id);
  const make = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };

  const url = URL.createObjectURL(new Blob([at("calls").textContent], { type: "text/javascript" }));
  const worker = new Worker(url);
  const waiting = new Map();
  worker.onmessage = ({ data: { number, value, error } }) => {
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    error ? reject(error) : resolve(value);
  };
  worker.onerror = (event) => problem({ message: `the page does not work here: ${event.message ?? "no worker"}`, kind: "internal" });
  let last = 0;
  const ask = (call, options, file) => ready.then(() => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    worker.postMessage({ number: last, call, options, file });
  }));
  const unpacked = async () => {
    const packed = Uint8Array.from(atob(at("wasm").textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const ready = unpacked().then((wasm) => worker.postMessage({ wasm }, [wasm]));

  // What lies beside the module: the texts of its property sets and of an annotations file.
  let bytes = null, name = "", beside = {}, modules = [], newest = 0;
  const kinds = { prop: "properties", yaml: "annotations", yml: "annotations" };
  const kindOf = (file) => kinds[file.name.match(/\.(\w+)$/)?.[1].toLowerCase()];
  const hints = {
    load: "Compile it again, or drop the file that your compiler wrote: a .spv, or a library with such modules inside.",
    refused: "Choose another device, or remove superfluous declarations if they are what is missing.",
    undecided: "Set these constants, choose a device of which more is known, or let what is not known stay or take its default.",
    request: "Correct what it names, or choose another file.",
    module: "Correct the module, the values or the conditions.",
    internal: "The next try begins anew.",
  };
  const problem = (error) => at("problems").append(make("p", {}, `${error.module ?? name}: ${error.message}\n${hints[error.kind] ?? ""}`));
  const clear = () => [at("problems"), at("result"), at("status")].forEach((element) => element.replaceChildren());
  const offer = (file, content, type) => {
    const link = make("a", { download: file, href: URL.createObjectURL(new Blob([content], { type })) }, `${file} (${content.length.toLocaleString("en")} bytes)`);
    at("result").append(link);
    return link;
  };

  // Files that are dropped together: a module with what lies beside it, or that alone for the module that is there.
  const open = async (files) => {
    const own = ++newest;
    clear();
    const mains = files.filter((file) => !kindOf(file)), texts = files.filter(kindOf);
    const twice = texts.find((file, index) => texts.findIndex((other) => kindOf(other) === kindOf(file)) !== index);
    if (mains.length > 1 || twice) {
      return problem({ message: `${(twice ?? mains[1]).name} is one too many: one module at a time, with its .prop and .yaml`, kind: "request" });
    }
    if (!mains.length && !bytes) {
      return problem({ message: `${files[0].name} lies beside a module: drop them together`, kind: "request" });
    }
    ["work", "save"].forEach((id) => { at(id).hidden = true; });
    ["report", "summary"].forEach((id) => at(id).replaceChildren());
    if (mains.length) [name, bytes, beside] = [mains[0].name, null, {}];
    at("status").textContent = `${name} is read…`;
    try {
      const read = mains.length ? new Uint8Array(await mains[0].arrayBuffer()) : bytes;
      const given = { ...beside };
      for (const file of texts) given[kindOf(file)] = await file.text();
      const found = await ask("inspect", { name, ...given }, read);
      if (own !== newest) return;
      [bytes, beside] = [read, given];
      modules = found.files[0].modules;
      const { failures, ...data } = found;
      failures.forEach(problem);
      at("module").replaceChildren(...modules.map((module, index) => make("option", { value: index }, module.offset ? `at 0x${module.offset.toString(16)}` : name)));
      constants();
      ["work", "save"].forEach((id) => { at(id).hidden = false; });
      spirvIfReport(data, at("report"), at("summary"), (module) => detailed(read, name, given, module));
      const others = [given.properties && "its properties", given.annotations && "annotations"].filter(Boolean).join(" and ");
      at("status").textContent = `${name} is read${others && ` with ${others}`}: ${modules.length.toLocaleString("en")} ${modules.length === 1 ? "module" : "modules"}.`;
    } catch (error) {
      if (own !== newest) return;
      at("status").textContent = "";
      problem(error);
    }
  };
  const partOf = (module) => module.offset ? { part: `0x${module.offset.toString(16)}` } : {};
  // Of a library, the bytes of the module are enough. Properties are those of a whole file.
  const detailed = async (read, file, { properties, annotations }, module) => {
    const own = read.slice(module.offset, module.offset + module.size);
    const texts = module.offset ? { annotations } : { properties, annotations };
    const found = await ask("inspect", { name: file, ...texts, devices: "*", details: true }, own);
    return { ...found.files[0].modules[0], offset: module.offset };
  };

  // The constants of the chosen module: a value, or the condition where it is true.
  const constants = () => {
    const own = modules[Number(at("module").value)]?.spec_constants ?? [];
    const rows = own.map((constant) => {
      const named = constant.name ?? `SpecId ${constant.spec_id}`;
      const field = (kind, label) => {
        const input = make("input", { type: "text" });
        input.dataset[kind] = constant.spec_id;
        input.setAttribute("aria-label", `${label} ${named}`);
        return make("td", {}, input);
      };
      return make("tr", {}, make("th", { scope: "row" }, named), make("td", {}, String(constant.spec_id)), make("td", {}, constant.type), make("td", {}, constant.default),
        field("value", "Value of"), ...(beside.annotations ? [] : [field("when", "Condition where it is true:")]));
    });
    const heads = ["Constant", "SpecId", "Type", "Default", "Value, to specialize", ...(beside.annotations ? [] : ["True where, such as fp16"])];
    at("constants").replaceChildren(...(rows.length ? [make("table", {}, make("caption", {}, "Specialization constants"),
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows))] : []));
  };
  const given = (kind) => [...at("constants").querySelectorAll("input")].filter((input) => input.dataset[kind] && input.value.trim())
    .map((input) => [input.dataset[kind], input.value.trim()]);

  const verdictText = (device, { verdict, unknown }) =>
    `${device}: ${verdict}${unknown.length ? `, since nothing says if it has ${unknown.join(", ")}` : ""}`;
  const work = async () => {
    clear();
    const what = at("what").value, module = modules[Number(at("module").value)];
    const own = { name, ...partOf(module), ...beside };
    if (at("strip").checked) own.strip = true;
    const conditions = given("when");
    if (conditions.length && what !== "trim") {
      // JSON is YAML.
      own.annotations = `{"spec-constants": {${conditions.map(([id, when]) => `${id}: ${JSON.stringify(when)}`).join(", ")}}}\n`;
    }
    if (what === "specialize") {
      own.set = Object.fromEntries(given("value"));
      if (at("device").value) own.device = at("device").value;
      if (at("unset").value) own.unset = at("unset").value;
      own.trim = at("trim").checked;
      if (!own.device && !given("value").length && own.unset !== "default") {
        return problem({ message: "there is nothing to specialize for: choose a device, or set a constant", kind: "" });
      }
    }
    const word = { pack: "packed", specialize: own.device ?? "set", trim: "trimmed" }[what];
    const stem = `${name.replace(/\.spv$/, "")}${own.part ? `.${own.part}` : ""}.${word}`;
    try {
      const made = await ask(what, own, bytes);
      offer(`${stem}.spv`, made.module, "application/octet-stream");
      if (made.properties) offer(`${stem}.prop`, new TextEncoder().encode(made.properties), "text/plain");
      if (own.annotations !== beside.annotations) offer(`${stem}.yaml`, new TextEncoder().encode(own.annotations), "text/plain");
      const verdict = own.device && await ask("compatibility", own, bytes);
      const notes = [...(verdict ? [verdictText(own.device, verdict)] : []), ...(made.warnings ?? []), ...(made.unsupported ?? []).map((own) => `${own.entryPoint} does not run there: ${own.missing}`),
        ...(made.calls ? made.setByHost.map((own) => `The host sets SpecId ${own.specId} where ${own.when}`) : []),
        ...(what === "trim" ? [made.removed.length ? `Removed: ${made.removed.join(", ")}` : "All declarations are required"] : [])];
      at("result").append(...notes.map((note) => make("span", {}, make("br"), note)));
    } catch (error) {
      problem(error);
    }
  };

  at("file").addEventListener("change", () => { if (at("file").files.length) open([...at("file").files]); });
  addEventListener("dragover", (event) => { event.preventDefault(); at("drop").classList.add("over"); });
  addEventListener("dragleave", () => at("drop").classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    at("drop").classList.remove("over");
    if (event.dataTransfer.files.length) open([...event.dataTransfer.files]);
  });
  at("module").addEventListener("change", constants);
  at("work").addEventListener("submit", (event) => { event.preventDefault(); work(); });
  at("save").querySelector("button").addEventListener("click", async () => {
    clear();
    try {
      offer(`${name}.html`, new TextEncoder().encode(await ask("report", { name, ...beside }, bytes)), "text/html").click();
    } catch (error) {
      problem(error);
    }
  });
  ask("devices", {}).then((all) => at("device").append(...all.map((device) => make("option", { value: device.name }, device.name))), problem);
})();
