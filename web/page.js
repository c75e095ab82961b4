"use strict";
// The page: it asks the calls in a worker, and words what they answer. The report is drawn by report.js.
(() => {
  // Elements by id. The tools move into the report of a module, and stay what they are.
  const ui = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
  const make = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };

  // The calls run in workers: in the first one, and for a large library in all of them.
  const unpacked = async () => {
    const packed = Uint8Array.from(atob(ui.wasm.textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const compiled = unpacked().then((wasm) => WebAssembly.compile(wasm));
  const url = URL.createObjectURL(new Blob([ui.calls.textContent], { type: "text/javascript" }));
  const start = () => {
    const worker = new Worker(url), waiting = new Map();
    worker.onmessage = ({ data: { number, value, error } }) => {
      const { resolve, reject } = waiting.get(number);
      waiting.delete(number);
      error ? reject(error) : resolve(value);
    };
    worker.onerror = (event) => problem({ message: `the page does not work here: ${event.message ?? "no worker"}`, kind: "internal" });
    const ready = compiled.then((wasm) => worker.postMessage({ wasm }));
    let last = 0;
    return (call, options, file) => ready.then(() => new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ number: last, call, options, file });
    }));
  };
  const large = 4e6, most = Math.min(4, navigator.hardwareConcurrency || 1);
  const workers = Array.from({ length: most }, start);
  const [ask] = workers;
  // The modules of a file, in the order of the file. Workers share those of a library, and read it themselves.
  const inspect = async (options, { blob, bytes }) => {
    if (blob.size <= large) return ask("inspect", options, await bytes);
    const parts = await Promise.all(workers.map((ask, index) => ask("inspect", { ...options, share: [index, most] }, blob)));
    const [report] = parts[0].files;
    const modules = parts.flatMap((part) => part.files[0].modules).sort((one, other) => one.offset - other.offset);
    // Without a module, the error says why.
    if (!modules.length) return ask("inspect", options, await bytes);
    return { ...parts[0], files: [{ ...report, modules }], failures: parts.flatMap((part) => part.failures) };
  };

  const hints = {
    load: "Compile it again, or drop the file that your compiler wrote: a .spv, or a library with such modules inside.",
    refused: "Choose another device, or remove superfluous declarations if they are what is missing.",
    undecided: "Set these constants, choose a device of which more is known, or let what is not known stay or take its default.",
    request: "Correct what it names, or choose another file.",
    module: "Correct the module, the values or the conditions.",
    internal: "The next try begins anew.",
  };
  const problem = (error, name) => ui.problems.append(make("p", {}, `${[error.module ?? name, error.message].filter(Boolean).join(": ")}\n${hints[error.kind] ?? ""}`));
  const clear = () => [ui.problems, ui.result, ui.status].forEach((element) => element.replaceChildren());

  // The files with modules, each with the texts of its property sets and of annotations. What lies beside them is dropped with them, or later.
  let files = [], newest = 0;
  const kinds = { prop: "properties", yaml: "annotations", yml: "annotations" };
  const kindOf = (file) => kinds[file.name.match(/\.(\w+)$/)?.[1].toLowerCase()];
  const stem = (name) => name.replace(/\.[^.]*$/, "");
  const beside = ({ properties, annotations }) => ({ properties, annotations });

  // Gives the texts to the modules that they are for: properties by name, if there are several modules.
  const give = async (texts, mains) => {
    for (const file of texts) {
      const kind = kindOf(file), text = await file.text();
      const own = mains.filter((main) => kind === "annotations" || mains.length === 1 || stem(main.name) === stem(file.name));
      if (!own.length) ignore(file.name, `none of the modules is ${stem(file.name)}.spv`);
      own.forEach((main) => { main[kind] = text; });
    }
  };
  const ignore = (name, reason) => ui.ignored.append(make("li", {}, `${name} is ignored: ${reason}.`));
  const open = async (chosen) => {
    const own = ++newest;
    clear();
    ui.ignored.replaceChildren();
    const mains = chosen.filter((file) => !kindOf(file)), texts = chosen.filter(kindOf);
    const annotations = texts.filter((file) => kindOf(file) === "annotations");
    if (annotations.length > 1) return problem({ message: `${annotations[1].name} is one too many: one file of annotations at a time`, kind: "request" });
    if (!mains.length && !files.length) return problem({ message: `${chosen[0].name} lies beside a module: drop them together`, kind: "request" });
    ui.status.textContent = `${(mains[0] ?? files[0]).name} is read…`;
    // The bytes stay as they were dropped, whatever becomes of the file.
    const read = mains.map((file) => ({ name: file.name, blob: file, bytes: file.arrayBuffer().then((buffer) => new Uint8Array(buffer)) }));
    const wanted = mains.length ? read : files.map((file) => ({ ...file }));
    await give(texts, wanted);
    const found = [], refused = [];
    for (const file of wanted) {
      try {
        // What takes time is found when a module is opened.
        const { files: [report], failures } = await inspect({ name: file.name, ...beside(file), skipConstants: true, skipRemedies: true }, file);
        found.push({ file, report, failures });
      } catch (error) {
        refused.push({ file, error });
      }
      if (own !== newest) return;
    }
    ui.status.textContent = "";
    for (const { file, error } of refused) {
      const isOther = !/\.spv$/i.test(file.name) && ["load", "request"].includes(error.kind);
      if (found.length && isOther) ignore(file.name, "no SPIR-V module is in it");
      else problem(error, file.name);
    }
    if (!found.length) return;
    files = found.map(({ file }) => file);
    found.forEach(({ file, failures }) => failures.forEach((failure) => problem(failure, file.name)));
    const modules = found.reduce((sum, { report }) => sum + report.modules.length, 0);
    const others = [files.some((file) => file.properties) && "its properties", files.some((file) => file.annotations) && "annotations"].filter(Boolean).join(" and ");
    document.body.classList.add("loaded");
    const answers = found.flatMap(({ report }) => report.modules.map((module) => module.answer));
    const answer = await ask("libraryAnswer", answers);
    if (own !== newest) return;
    ui.report.replaceChildren();
    spirvIfReport({ answer, files: found.map(({ report }) => report) }, ui.report, null, { detailed, tools });
    ui.status.textContent = `${files.length === 1 ? files[0].name : `${files.length} files`} ${files.length === 1 ? "is" : "are"} read${others && ` with ${others}`}: ${modules.toLocaleString("en")} ${modules === 1 ? "module" : "modules"}.`;
  };

  // A module for the calls: of an executable or a library by its place there, since the file has its property sets. Others have them beside.
  const moduleOf = ({ module: { offset }, fileIndex }) => {
    const { name, bytes, properties, annotations } = files[fileIndex];
    return { name, file: bytes, beside: offset ? { part: `0x${offset.toString(16)}`, annotations } : { properties, annotations } };
  };
  const detailed = async (shown) => {
    const { name, file, beside } = moduleOf(shown);
    const found = await ask("inspect", { name, ...beside, devices: "*", details: true }, await file);
    return { ...found.files[0].modules[0], offset: shown.module.offset };
  };

  // The module that the tools are for.
  let current = null;
  const tools = (shown) => {
    current = { ...moduleOf(shown), shown, module: shown.module };
    ui.result.replaceChildren();
    constants();
    const { module } = current;
    offered.pack = module.conditional_calls > 0 || module.spec_constants?.length > 0 || Boolean(current.beside.annotations);
    offered.trim = [...module.capabilities, ...module.extensions].some((declared) => declared.need === "unneeded");
    for (const option of ui.what.options) option.disabled = option.value in offered && !offered[option.value];
    ui.what.value = module.remedy.startsWith("pack") ? "pack" : offered.trim && !module.spec_constants?.length && !module.multi_target ? "trim" : "specialize";
    ui.adapt.checked = false;
    controls();
    ui.tools.hidden = false;
    return ui.tools;
  };
  const offered = { pack: false, trim: false };

  // Only what matters for the result can be chosen.
  const controls = () => {
    const specialize = ui.what.value === "specialize", { module } = current;
    const fields = [...ui.constants.querySelectorAll("input")];
    fields.forEach((field) => { field.disabled = ui.what.value === "trim" || (field.dataset.value !== undefined && !specialize); });
    const isOpen = module.multi_target || module.conditional_calls > 0 || Boolean(current.beside.annotations) || given("when").length > 0;
    const isReady = !specialize || ui.device.value || given("value").length || (isOpen && ui.unset.value === "default");
    ui.device.disabled = !specialize;
    ui.unset.disabled = !specialize || !isOpen;
    ui.adapt.disabled = !specialize || !ui.device.value;
    ui.trim.disabled = !specialize;
    ui.make.disabled = !isReady;
    ui.make.title = isReady ? "" : "Choose a device, or set a constant";
  };

  // The constants of the module: a value, or the condition where it is true.
  const constants = () => {
    const rows = (current.module.spec_constants ?? []).map((constant) => {
      const named = constant.name ?? `SpecId ${constant.spec_id}`;
      const field = (kind, label, placeholder) => {
        const input = make("input", { type: "text", placeholder, autocomplete: "off" });
        input.dataset[kind] = constant.spec_id;
        input.setAttribute("aria-label", `${label} ${named}`);
        return make("label", {}, label, input);
      };
      const { branches } = constant.decides;
      return make("div", { className: "constant" },
        make("div", {}, named, make("small", {}, `SpecId ${constant.spec_id}, ${constant.type}${branches ? `, decides ${branches} ${branches === 1 ? "branch" : "branches"}` : ""}`)),
        field("value", "Value", constant.default), ...(current.beside.annotations ? [] : [field("when", "True where", "such as fp16")]));
    });
    ui.constants.replaceChildren(...(rows.length ? [make("p", {}, "Specialization constants: try values and conditions, and see which devices run the module then."), ...rows] : []));
  };
  const given = (kind) => [...ui.constants.querySelectorAll("input")].filter((input) => input.dataset[kind] && !input.disabled && input.value.trim())
    .map((input) => [input.dataset[kind], input.value.trim()]);
  // JSON is YAML.
  const annotations = () => {
    const conditions = given("when");
    return conditions.length ? { annotations: `{"spec-constants": {${conditions.map(([id, when]) => `${id}: ${JSON.stringify(when)}`).join(", ")}}}\n` } : {};
  };

  // Which devices run the module with the values and conditions that stand in the fields.
  let typed = 0;
  const effect = async () => {
    const own = ++typed, { name, file, beside, shown, module } = current;
    ui.result.replaceChildren();
    const set = Object.fromEntries(given("value"));
    if (!Object.keys(set).length && !given("when").length) return shown.effect(null);
    await new Promise((done) => setTimeout(done, 250));
    if (own !== typed) return;
    try {
      const { files: [{ modules: [{ answer }] }] } = await ask("inspect", { name, ...beside, ...annotations(), set, skipConstants: true }, await file);
      if (own !== typed) return;
      const all = (answer) => answer.run + answer.gains.reduce((sum, gain) => sum + gain.devices, 0);
      const more = all(answer) - all(module.answer);
      shown.effect(answer, `With what you typed, as it is or after a command: ${more === 0 ? "as many devices as before" : `${Math.abs(more)} ${more > 0 ? "more" : "fewer"} than before`}.`);
    } catch (error) {
      if (own !== typed) return;
      shown.effect(null);
      ui.result.replaceChildren(make("span", {}, error.message));
    }
  };

  const offer = (file, content, type) => {
    const link = make("a", { download: file, href: URL.createObjectURL(new Blob([content], { type })) }, `${file} (${content.length.toLocaleString("en")} bytes)`);
    ui.result.append(link);
    return link;
  };
  const verdictText = (device, { verdict, unknown }) =>
    `${device}: ${verdict}${unknown.length ? `, since nothing says if it has ${unknown.join(", ")}` : ""}`;
  const work = async () => {
    clear();
    const what = ui.what.value, { name, file, beside, shown: { module } } = current;
    const own = { name, ...beside, ...(what === "trim" ? {} : annotations()) };
    if (ui.strip.checked) own.strip = true;
    if (what === "specialize") {
      own.set = Object.fromEntries(given("value"));
      if (ui.device.value) own.device = ui.device.value;
      if (ui.unset.value && !ui.unset.disabled) own.unset = ui.unset.value;
      if (ui.adapt.checked && !ui.adapt.disabled) own.adapt = true;
      own.trim = ui.trim.checked;
    }
    const word = { pack: "packed", specialize: own.device ?? "set", trim: "trimmed" }[what];
    const result = `${name.replace(/\.spv$/, "")}${module.offset ? `.0x${module.offset.toString(16)}` : ""}.${word}`;
    try {
      const made = await ask(what, own, await file);
      offer(`${result}.spv`, made.module, "application/octet-stream");
      if (made.properties) offer(`${result}.prop`, new TextEncoder().encode(made.properties), "text/plain");
      if (own.annotations !== beside.annotations) offer(`${result}.yaml`, new TextEncoder().encode(own.annotations), "text/plain");
      const verdict = own.device && await ask("compatibility", own, await file);
      const notes = [...(verdict ? [verdictText(own.device, verdict)] : []), ...(made.adapted ?? []), ...(made.warnings ?? []), ...(made.unsupported ?? []).map((own) => `${own.entryPoint} does not run there: ${own.missing}`),
        ...(made.calls ? made.setByHost.map((own) => `The host sets SpecId ${own.specId} where ${own.when}`) : []),
        ...(what === "trim" ? [made.removed.length ? `Removed: ${made.removed.join(", ")}` : "All declarations are required"] : [])];
      ui.result.append(...notes.map((note) => make("span", {}, note)));
    } catch (error) {
      problem(error, name);
    }
  };

  ui.file.addEventListener("change", () => { if (ui.file.files.length) open([...ui.file.files]); });
  addEventListener("dragover", (event) => { event.preventDefault(); ui.drop.classList.add("over"); });
  addEventListener("dragleave", () => ui.drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    ui.drop.classList.remove("over");
    if (event.dataTransfer.files.length) open([...event.dataTransfer.files]);
  });
  ui.work.addEventListener("input", (event) => {
    controls();
    if (event.target === ui.what || event.target.dataset.value || event.target.dataset.when) effect();
  });
  ui.work.addEventListener("submit", (event) => { event.preventDefault(); work(); });
  ui.save.addEventListener("click", async () => {
    clear();
    const { name, file, beside } = current;
    try {
      offer(`${name}.html`, new TextEncoder().encode(await ask("report", { name, ...beside }, await file)), "text/html").click();
    } catch (error) {
      problem(error, name);
    }
  });
  ask("devices", {}).then((all) => ui.device.append(...all.map((device) => make("option", { value: device.name }, device.name))), problem);
})();
