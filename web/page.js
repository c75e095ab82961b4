// The page: it asks the calls in a worker, and words what they answer. The report is drawn by report.js.
(() => {
  // Elements by id. The tools move into the report of a module, and stay what they are.
  const ui = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
  const make = spirvIfElement;

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
    source: "glslangValidator -V, glslc, dxc -spirv, slangc and clang make SPIR-V of it. Drop the .spv that they write.",
    refused: "Choose another device, or remove superfluous declarations if they are what is missing.",
    undecided: "Set these constants, choose a device of which more is known, or let what is not known stay or take its default.",
    request: "Correct what it names, or choose another file.",
    module: "Correct the module, the values or the conditions.",
    internal: "The next try begins anew.",
  };
  // A message stands beside the control that caused it: the files, or the button.
  const said = (error, name) => make("p", {}, `${[error.module ?? name, error.message].filter(Boolean).join(": ")}\n${hints[error.kind] ?? ""}`);
  const problem = (error, name) => ui.problems.append(said(error, name));
  // Counts the results that were cleared. An answer to what was asked before the last clearing is not shown.
  let clearings = 0;
  const clearResult = () => {
    clearings += 1;
    [ui.refusal, ui.result, ui.outcome].forEach((element) => element.replaceChildren());
  };
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

  // What is chosen stands in the address, for a link to it: not the file, which stays here.
  const state = new URLSearchParams(location.hash.slice(1));
  const remember = (entries) => {
    for (const [key, value] of Object.entries(entries)) value ? state.set(key, value) : state.delete(key);
    history.replaceState(null, "", `#${state}`);
  };
  const options = { make: ui.what, device: ui.device, unset: ui.unset, adapt: ui.adapt, lower: ui.lower, trim: ui.trim, strip: ui.strip };
  const rememberTools = () => {
    const chosen = Object.fromEntries(Object.entries(options).map(([key, { type, checked, value }]) => [key, type === "checkbox" ? checked && "yes" : value]));
    const constants = Object.fromEntries([...ui.constants.querySelectorAll("[data-value], [data-when]")].map((field) => [keyOf(field), spirvIfConstants.valueOf(field)]));
    remember({ ...chosen, ...constants });
  };
  const keyOf = ({ dataset: { value, when } }) => (value === undefined ? `when.${when}` : `set.${value}`);
  const restoreTools = () => {
    for (const [key, control] of Object.entries(options)) {
      const value = state.get(key);
      if (control.type === "checkbox") control.checked = value === "yes";
      else if (value && [...control.options].some((option) => option.value === value && !option.disabled)) control.value = value;
    }
    const fields = [...ui.constants.querySelectorAll("[data-value], [data-when]")].map((field) => [field, state.get(keyOf(field))]);
    fields.filter(([, value]) => value !== null).forEach(([field, value]) => spirvIfConstants.set(field, value));
  };
  // Values are those of one module.
  let toolsOf = null;
  const forgetConstants = (name) => {
    if (toolsOf !== null && toolsOf !== name) remember(Object.fromEntries([...state.keys()].filter((key) => /^(set|when)\./.test(key)).map((key) => [key, null])));
    toolsOf = name;
  };

  // The files with modules, each with the texts of its property sets and of annotations. What lies beside them is dropped with them, or later.
  let files = [], newest = 0;
  const kinds = { prop: "properties", yaml: "annotations", yml: "annotations" };
  const kindOf = (file) => kinds[file.name.match(/\.(\w+)$/)?.[1].toLowerCase()];
  const isSource = ({ name }) => /\.(vert|frag|comp|geom|tesc|tese|mesh|task|rgen|rint|rahit|rchit|rmiss|rcall|glsl|hlsl|slang|wgsl|metal|cl|cl?cpp|cu)$/i.test(name);
  const stem = (name) => name.replace(/\.[^.]*$/, "");
  const beside = ({ properties, annotations }) => ({ properties, annotations });

  // Gives the texts to the modules that they are for: properties by name, if there are several modules. Returns the files that belong to none.
  const give = async (texts, mains) => {
    const unmatched = [];
    for (const file of texts) {
      const kind = kindOf(file), text = await file.text();
      const receivers = mains.filter((main) => kind === "annotations" || mains.length === 1 || stem(main.name) === stem(file.name));
      if (!receivers.length) unmatched.push(file);
      receivers.forEach((main) => { main[kind] = text; });
    }
    return unmatched;
  };
  const ignore = (name, reason) => ui.ignored.append(make("li", {}, `${name} is ignored: ${reason}.`));
  // The bytes stay as they were dropped, whatever becomes of the file. A bundle becomes its shaders.
  const read = async (file) => {
    const bytes = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
    const isBundle = new TextDecoder().decode(await file.slice(0, 4).arrayBuffer()) === "SPVB" || /\.spvb$/i.test(file.name);
    if (!isBundle) return [{ name: file.name, blob: file, bytes }];
    const shaders = await ask("shaders", {}, await bytes), read = [];
    for (const { name: shader, variants } of shaders) {
      for (let variant = 0; variant < variants.length; variant += 1) {
        const module = await ask("unbundle", { shader, variant }, await bytes);
        read.push({ name: `${file.name}#${shader}${variants.length > 1 ? ` variant ${variant}` : ""}`, blob: new Blob([module]), bytes: Promise.resolve(module) });
      }
    }
    return read;
  };
  const close = () => {
    current = null;
    typed += 1;
    ui.tools.hidden = true;
    ui.report.replaceChildren();
    [ui.problems, ui.status, ui.ignored].forEach((element) => element.replaceChildren());
    clearResult();
    document.body.classList.remove("loaded");
  };
  const open = async (chosen) => {
    const opening = ++newest;
    // No report stands beside the name of another file.
    close();
    const mains = chosen.filter((file) => !kindOf(file)), texts = chosen.filter(kindOf);
    if (mains.length) files = [];
    if (mains.length && mains[0] !== example) remember({ example: null });
    const annotations = texts.filter((file) => kindOf(file) === "annotations");
    if (annotations.length > 1) return problem({ message: `${annotations[1].name} is one too many: one file of annotations at a time`, kind: "request" });
    if (!mains.length && !files.length) return problem({ message: `${chosen[0].name} lies beside a module: drop them together`, kind: "request" });
    ui.status.textContent = `${(mains[0] ?? files[0]).name} is read…`;
    const wanted = mains.length ? [] : files.map((file) => ({ ...file })), found = [], refused = [];
    for (const file of mains) {
      try {
        wanted.push(...await read(file));
      } catch (error) {
        refused.push({ file, error });
      }
      if (opening !== newest) return;
    }
    const unmatched = await give(texts, wanted);
    if (opening !== newest) return;
    unmatched.forEach(({ name }) => ignore(name, `none of the modules is ${stem(name)}.spv`));
    for (const file of wanted) {
      try {
        // What takes time is found when a module is opened.
        const { files: [report], failures } = await inspect({ name: file.name, ...beside(file), skipConstants: true, skipRemedies: true }, file);
        found.push({ file, report, failures });
      } catch (error) {
        refused.push({ file, error });
      }
      if (opening !== newest) return;
    }
    ui.status.textContent = "";
    for (const { file, error } of refused) {
      const isOther = error.kind === "load" && !/\.spv$/i.test(file.name);
      if (isOther && isSource(file)) problem({ message: error.message, kind: "source" }, file.name);
      else if (isOther && found.length) ignore(file.name, "no SPIR-V module is in it");
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
    const devices = await known;
    if (opening !== newest) return;
    const chose = (device) => remember({ of: device });
    // A module that is still examined when other files are opened has no tools.
    const toolsIfOpen = (shown) => (opening === newest ? tools(shown) : null);
    spirvIfReport({ answer, files: found.map(({ report }) => report) }, ui.report, null, { detailed, tools: toolsIfOpen, devices, verdicts, compared, chose, device: state.get("of") });
    ui.status.textContent = `${files.length === 1 ? files[0].name : `${files.length} files`} ${files.length === 1 ? "is" : "are"} read${others && ` with ${others}`}: ${plural(modules, "module")}.`;
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
  // The results of one device for modules.
  const verdicts = async (device, modules) => {
    const reports = await Promise.all(files.map((file) => inspect({ name: file.name, ...beside(file), devices: device, skipConstants: true }, file)));
    const groups = reports.map(({ files: [{ modules }] }) => new Map(modules.map((module) => [module.offset, module.device_groups?.[0]])));
    return new Map(modules.map((shown) => [shown, groups[shown.fileIndex].get(shown.module.offset)]));
  };

  // Two modules, the older one first: what entry points require and which devices run them, and both disassemblies.
  const bytesOf = async ({ module: { offset, size }, fileIndex }) => (await files[fileIndex].bytes).slice(offset, offset + size);
  const compared = (modules) => {
    if (modules.length > 100) return null;
    const choice = (index) => make("select", {}, modules.map(({ name }, at) => make("option", { value: at, selected: at === index }, name)));
    const [older, newer] = [choice(0), choice(1)], outcome = make("div", { "aria-live": "polite" });
    const compare = async () => {
      const [one, other] = [modules[older.value], modules[newer.value]];
      outcome.replaceChildren(make("p", {}, "Compared…"));
      try {
        const [before, after] = [await bytesOf(one), await bytesOf(other)];
        const both = new Uint8Array(after.length + before.length);
        both.set(after);
        both.set(before, after.length);
        const { properties, annotations } = moduleOf(other).beside;
        const report = await ask("inspect", { part: "0x0", against: `0x${after.length.toString(16)}`, properties, annotations, devices: "*", skipConstants: true, skipRemedies: true }, both);
        const { against } = report.files[0].modules[0];
        const texts = await Promise.all([before, after].map((module) => ask("disassemble", {}, module)));
        outcome.replaceChildren(spirvIfDifferences(against), spirvIfChanges({ module: one.module, text: texts[0] }, { module: other.module, text: texts[1] }, [one.name, other.name]));
      } catch (error) {
        outcome.replaceChildren(said(error));
      }
    };
    if (modules.length === 2) compare();
    return make("section", { class: "compare", "aria-label": "Compare two modules" }, make("h2", {}, "Compare"),
      make("div", { class: "tools" }, make("label", {}, "The older module", older), make("label", {}, "The newer module", newer), make("button", { type: "button", onclick: compare }, "Compare them")), outcome);
  };

  // The module that the tools are for.
  let current = null;
  const tools = (shown) => {
    current = { ...moduleOf(shown), shown, module: shown.module };
    typed += 1;
    clearResult();
    const { module } = current;
    const rows = (module.spec_constants ?? []).map((constant) => spirvIfConstants.row(constant, !current.beside.annotations));
    ui.constants.replaceChildren(...(rows.length ? [make("p", {}, "Specialization constants: try values and conditions, and see which devices run the module then."), ...rows] : []));
    offered.pack = hasConditions() || module.answer.gains.some((gain) => gain.lowered?.length);
    offered.trim = [...module.capabilities, ...module.extensions].some((declared) => declared.need === "unneeded");
    for (const option of ui.what.options) option.disabled = option.value in offered && !offered[option.value];
    ui.what.value = module.remedy.startsWith("pack") ? "pack" : offered.trim && !module.spec_constants?.length && !module.multi_target ? "trim" : "specialize";
    forgetConstants(shown.name);
    restoreTools();
    controls();
    ui.tools.hidden = false;
    if (given("value").length || given("when").length) effect();
    return ui.tools;
  };
  const offered = { pack: false, trim: false };
  // What pack makes conditional without lowering.
  const hasConditions = () => current.module.conditional_calls > 0 || current.module.spec_constants?.length > 0 || Boolean(current.beside.annotations);

  // Only what matters for the result can be chosen.
  const controls = () => {
    const specialize = ui.what.value === "specialize", { module } = current;
    const isOpen = module.multi_target || module.conditional_calls > 0 || Boolean(current.beside.annotations) || given("when").length > 0;
    const reason = specialize && !ui.device.value && !given("value").length && !(isOpen && ui.unset.value === "default") ? "Choose a device, or set a constant"
      : ui.what.value === "pack" && !hasConditions() && !ui.lower.checked ? "Choose to lower: nothing else in it depends on devices" : "";
    ui.device.disabled = !specialize;
    ui.unset.disabled = !specialize || !isOpen;
    ui.adapt.disabled = !specialize || !ui.device.value;
    ui.lower.disabled = ui.what.value === "trim" || (specialize && !ui.device.value);
    ui.trim.disabled = !specialize;
    ui.make.disabled = Boolean(reason);
    ui.make.title = reason;
  };

  // Values are for specialize alone, and conditions for what keeps or decides them.
  const takes = { value: ["specialize"], when: ["specialize", "pack"] };
  const given = (kind) => [...ui.constants.querySelectorAll(`[data-${kind}]`)].filter((field) => takes[kind].includes(ui.what.value) && spirvIfConstants.valueOf(field) !== null)
    .map((field) => [field.dataset[kind], spirvIfConstants.valueOf(field)]);
  // JSON is YAML.
  const annotations = () => {
    const conditions = given("when");
    return conditions.length ? { annotations: `{"spec-constants": {${conditions.map(([id, when]) => `${id}: ${JSON.stringify(when)}`).join(", ")}}}\n` } : {};
  };

  // Which devices run the module with the values and conditions that stand in the fields.
  let typed = 0;
  const effect = async () => {
    const turn = ++typed, { name, file, beside, shown, module } = current;
    clearResult();
    const set = Object.fromEntries(given("value"));
    if (!Object.keys(set).length && !given("when").length) return shown.effect?.(null);
    await new Promise((done) => setTimeout(done, 250));
    if (turn !== typed) return;
    try {
      const { files: [{ modules: [{ answer }] }] } = await ask("inspect", { name, ...beside, ...annotations(), set, skipConstants: true }, await file);
      if (turn !== typed) return;
      const all = (answer) => answer.run + answer.gains.reduce((sum, gain) => sum + gain.devices, 0);
      const more = all(answer) - all(module.answer);
      shown.effect(answer, `With what you chose, as it is or after a command: ${more === 0 ? "as many devices as before" : `${Math.abs(more)} ${more > 0 ? "more" : "fewer"} than before`}.`);
    } catch (error) {
      if (turn !== typed) return;
      shown.effect(null);
      ui.refusal.replaceChildren(said(error));
    }
  };

  const download = (file, content, type) => make("a", { download: file, href: URL.createObjectURL(new Blob([content], { type })) }, `${file} (${plural(content.length, "byte")})`);
  const offer = (...parts) => ui.result.append(download(...parts));
  const verdictText = (device, { verdict, unknown }) => `${device}: ${verdict}${unknown.length ? `, since nothing says if it has ${unknown.join(", ")}` : ""}`;
  const work = async () => {
    clearResult();
    const turn = clearings, what = ui.what.value, { name, file, beside, module } = current;
    const device = `${ui.device.selectedOptions[0].textContent} (${ui.device.value})`;
    const request = { name, ...beside, ...(what === "trim" ? {} : annotations()) };
    if (ui.strip.checked) request.strip = true;
    if (ui.lower.checked && !ui.lower.disabled) request.lower = true;
    if (what === "specialize") {
      request.set = Object.fromEntries(given("value"));
      if (ui.device.value) request.device = ui.device.value;
      if (ui.unset.value && !ui.unset.disabled) request.unset = ui.unset.value;
      if (ui.adapt.checked && !ui.adapt.disabled) request.adapt = true;
      request.trim = ui.trim.checked;
    }
    const word = { pack: "packed", specialize: request.device ?? "set", trim: "trimmed" }[what];
    const result = `${name.replace(/\.spv$/, "").replace(/[#/\\]/g, ".")}${module.offset ? `.0x${module.offset.toString(16)}` : ""}.${word}`;
    try {
      const bytes = await file;
      const answer = await ask(what, request, bytes);
      if (turn !== clearings) return;
      const verdict = request.device && await ask("compatibility", request, bytes);
      if (turn !== clearings) return;
      offer(`${result}.spv`, answer.module, "application/octet-stream");
      if (answer.properties) offer(`${result}.prop`, new TextEncoder().encode(answer.properties), "text/plain");
      if (request.annotations !== beside.annotations) offer(`${result}.yaml`, new TextEncoder().encode(request.annotations), "text/plain");
      const notes = [...(verdict ? [verdictText(device, verdict)] : []), ...(answer.report?.adapted ?? []), ...(answer.report?.lowered ?? []),
        ...(answer.summary?.twins ?? []).flatMap(({ condition, lowered }) => lowered.map((lowered) => `where ${condition}: ${lowered}`)), ...(answer.summary ?? answer).warnings ?? [],
        ...(answer.report?.unsupported ?? []).map(({ entryPoint, missing }) => `${entryPoint} does not run there: ${missing}`),
        ...(answer.summary?.setByHost ?? []).map(({ specId, condition }) => `The host sets SpecId ${specId} where ${condition}`),
        ...(what === "trim" ? [answer.removed.length ? `Removed: ${answer.removed.join(", ")}` : "All declarations are required"] : [])];
      ui.result.append(...notes.map((note) => make("span", {}, note)));
      // What went, and what came.
      const { files: [{ modules: [after] }] } = await ask("inspect", { properties: answer.properties ?? undefined, skipConstants: true, skipRemedies: true }, answer.module);
      const texts = await Promise.all([ask("disassemble", { part: beside.part }, bytes), ask("disassemble", {}, answer.module)]);
      if (turn === clearings) ui.outcome.replaceChildren(spirvIfChanges({ module, text: texts[0] }, { module: after, text: texts[1] }));
    } catch (error) {
      if (turn === clearings) ui.refusal.append(said(error, name));
    }
  };

  ui.file.addEventListener("change", () => { if (ui.file.files.length) open([...ui.file.files]); });
  addEventListener("dragover", (event) => { event.preventDefault(); ui.drop.classList.add("over"); });
  addEventListener("dragleave", () => ui.drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    ui.drop.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    // The field has no name that is not that of the report.
    ui.file.value = "";
    open([...event.dataTransfer.files]);
  });
  ui.work.addEventListener("input", ({ target }) => {
    const kind = ["value", "when"].find((kind) => target.dataset[kind] !== undefined);
    // Whoever gives a value wants it to count.
    if (kind && spirvIfConstants.valueOf(target) !== null && !takes[kind].includes(ui.what.value)) ui.what.value = takes[kind].find((what) => offered[what] !== false);
    clearResult();
    controls();
    rememberTools();
    if (kind || target === ui.what) effect();
  });
  ui.work.addEventListener("submit", (event) => { event.preventDefault(); work(); });
  ui.save.addEventListener("click", async () => {
    clearResult();
    const turn = clearings, { name, file, beside } = current;
    try {
      const link = download(`${name}.html`, new TextEncoder().encode(await ask("report", { name, ...beside }, await file)), "text/html");
      if (turn === clearings) ui.result.append(link);
      link.click();
    } catch (error) {
      if (turn === clearings) ui.refusal.append(said(error, name));
    }
  });

  // The example, with its answer.
  const example = new File([Uint8Array.from(atob(ui.shader.textContent), (letter) => letter.charCodeAt(0))], "reduce.spv");
  const openExample = () => {
    ui.file.value = "";
    remember({ example: "yes" });
    open([example]);
  };
  ui.example.addEventListener("click", openExample);
  const answerExample = async () => {
    const { files: [{ modules: [{ answer }] }] } = await ask("inspect", { skipConstants: true, skipRemedies: true }, new Uint8Array(await example.arrayBuffer()));
    // The number of devices, and what pack gains.
    const first = answer.undecided_calls ? 1 : 0;
    ui["example-answer"].textContent = answer.text.replaceAll("`", "").split(/(?<=\.) /).slice(first, first + 2).join(" ");
  };

  const known = ask("devices", {});
  known.then((all) => {
    ui.device.append(...spirvIfDeviceOptions(all));
    if (state.has("example")) openExample();
    return answerExample();
  }).catch((error) => problem(error));
})();
