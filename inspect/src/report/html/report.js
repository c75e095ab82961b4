"use strict";
// Returns JSON in which equal parts were stored once (packed.rs). They are one object here, too.
function spirvIfUnpacked({ shapes, parts, root }) {
  const known = [];
  const value = (packed) => {
    if (!Array.isArray(packed)) return packed;
    const [shape, ...values] = packed;
    if (shape === -2) return {};
    if (shape === -1) return values.map(value);
    return values.length ? Object.fromEntries(values.map((member, index) => [shapes[shape][index], value(member)])) : known[shape];
  };
  parts.forEach((part) => known.push(value(part)));
  return value(root);
}
// Returns an element. An attribute `on...` is a listener.
function spirvIfElement(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
// Returns options for devices by their products, in groups by vendor. The value is the name of the device.
function spirvIfDeviceOptions(devices) {
  const vendors = new Map();
  for (const { name, vendor, products = [] } of devices) {
    const options = (products.length ? products : [name]).map((product) => spirvIfElement("option", { value: name }, product));
    vendors.set(vendor, [...(vendors.get(vendor) ?? []), ...options]);
  }
  return [...vendors].map(([vendor, options]) => spirvIfElement("optgroup", { label: vendor ?? "Other devices" }, options));
}
// Returns a list of the differences of entry points from those of another module.
function spirvIfDifferences(against) {
  const make = spirvIfElement;
  const texts = against.map((difference) => make("li", {}, make("code", {}, difference.entry_point),
    difference.added ? " is new" : difference.removed ? " is gone" : "",
    ...[["requires now", difference.requires], ["no longer requires", difference.no_longer], ["lost the devices", difference.lost], ["gained the devices", difference.gained]]
      .filter(([, names]) => names.length).map(([text, names]) => make("div", {}, `${text} ${names.join(", ")}`))));
  return texts.length ? make("ul", { class: "differences" }, texts) : make("p", {}, "There are none in requirements and devices.");
}
// Draws a report: `data` is the JSON of `spirv-if inspect --details` (spec-extensions/inspect.md) or a log of SARIF 2.1.0, `main` the element that it
// goes into. A page gives `hooks`: `detailed(shown)` returns a module with its details, where the JSON came without; `tools(shown)` an element
// that follows the remedies; `devices`, the devices with their products, and `verdicts(device)` the group of a device for each module, where the JSON
// came without; `compared(modules)` an element that follows the list of modules.
function spirvIfReport(data, main, summary, hooks = {}) {
  const make = spirvIfElement;
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  // A text of the library, in which commands stand between backticks.
  const words = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
  const place = (at) => (at ? ` at ${at}` : "");
  // Headings within a module, which has one itself where there are several.
  const several = (data.files ?? []).reduce((sum, file) => sum + file.modules.length, 0) > 1;
  const section = (...children) => make(several ? "h3" : "h2", { class: "section" }, children);
  const item = (...children) => make(several ? "h4" : "h3", { class: "item" }, children);

  // A table whose columns sort.
  const sortable = (caption, heads, rows) => {
    const body = make("tbody", {}, rows.map((row) => row.element));
    let by = null, down = false;
    const sort = (column, head) => {
      down = by === column && !down;
      by = column;
      const compare = (one, other) => typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true });
      rows.sort((one, other) => (down ? -1 : 1) * compare(one.keys[column], other.keys[column]));
      body.append(...rows.map((row) => row.element));
      headRow.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    const headRow = make("tr", {}, heads.map((text, column) => {
      const head = make("th", { scope: "col" });
      head.append(make("button", { type: "button", onclick: () => sort(column, head) }, text));
      return head;
    }));
    const table = make("table", {}, make("caption", {}, caption), make("thead", {}, headRow), body);
    return make("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption }, table);
  };
  // A field that hides the rows without its text. Rows have `text` in lower case and `element`.
  const search = (label, rows) => {
    const status = make("output", { "aria-live": "polite" });
    const input = make("input", { type: "search" });
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      rows.forEach((row) => { row.element.hidden = !row.text.includes(wanted); });
      status.textContent = wanted ? `${rows.filter((row) => !row.element.hidden).length} of ${rows.length} shown` : "";
    });
    return make("div", { class: "tools" }, make("label", {}, label, input), status);
  };

  // A log of SARIF: each finding with the call path to it.
  const findings = () => {
    const placeOf = (location) => {
      const physical = location?.physicalLocation;
      if (!physical) return "";
      const { startLine, startColumn, byteOffset } = physical.region ?? {};
      return [physical.artifactLocation.uri, startLine, startColumn].filter((part) => part !== undefined).join(":") + (byteOffset === undefined ? "" : ` at byte ${byteOffset}`);
    };
    const results = data.runs.flatMap((run) => run.results);
    summary.textContent = count(results.length, "finding");
    const rows = results.map((result) => {
      const calls = result.codeFlows?.[0].threadFlows[0].locations.map((step) => step.location) ?? [];
      const path = calls.length ? make("details", {}, make("summary", {}, "The call path"), make("ol", { class: "path" },
        calls.map((step) => make("li", {}, make("code", {}, step.message.text), placeOf(step) ? ` called at ${placeOf(step)}` : "")))) : null;
      const values = [result.message.text, placeOf(result.locations?.[0]), result.ruleId, result.level];
      return { element: make("tr", {}, make("td", {}, values[0], path), values.slice(1, 3).map((value) => make("td", {}, value)), make("td", { class: values[3] === "error" ? "fails" : "packed" }, values[3])), keys: values, text: values.join(" ").toLowerCase() };
    });
    main.append(make("h2", {}, "Findings"), search("Search messages, places and rules", rows), sortable("What was found", ["Message", "Place", "Rule", "Level"], rows));
    addEventListener("beforeprint", () => main.querySelectorAll("details").forEach((own) => { own.open = true; }));
  };
  if (data.runs) return findings();

  // The modules with the entry points that count: the body of a kernel is the kernel for people.
  const rootsOf = (module) => [...module.entry_points, ...module.exported_functions].map((root, index) => ({ ...root, index })).filter((root) => !root.body_of);
  const modules = data.files.flatMap((file, fileIndex) => file.modules.map((module) => ({
    module, fileIndex,
    name: file.modules.length > 1 || module.offset > 0 ? `${file.file} at 0x${module.offset.toString(16)}` : file.file,
  })));
  const title = (root) => root.demangled ?? root.name;
  // The entry points, or of a library the exported functions.
  const counted = (module) => (module.entry_points.length ? module.entry_points : module.exported_functions);
  const stage = (root) => root.stage ?? "exported function";

  // Devices, in the words of the library.
  const kinds = { "does not run": "fails", "runs after a remedy": "packed", "not known": "unknown", runs: "runs", "takes no such modules": "other" };
  const remedied = (module) => module.answer?.gains.reduce((sum, gain) => sum + gain.devices, 0) ?? 0;
  const bar = (answer) => {
    const sum = (reasons) => reasons.reduce((total, reason) => total + reason.devices, 0);
    const parts = { runs: answer.run, packed: sum(answer.gains), unknown: sum(answer.not_known), fails: sum(answer.do_not_run) };
    return make("div", { class: "share", "aria-hidden": "true" },
      Object.entries(parts).filter(([, devices]) => devices).map(([kind, devices]) => make("span", { class: kind, style: `flex-grow:${devices}` })));
  };
  const answerOf = (answer) => {
    // The number of devices is the headline; what is undecided may stand before it.
    const sentences = answer.text.split(/(?<=\.) /), headline = answer.undecided_calls ? 1 : 0;
    return make("p", { class: "answer" }, sentences.map((sentence, index) => [index ? " " : "", make(index === headline ? "strong" : "span", {}, words(sentence))]));
  };

  const instruction = ({ instruction: { opcode, through, place: at, offset } }) =>
    [make("code", {}, opcode), through ? [" of ", make("code", {}, through)] : "", `${place(at)}, byte ${offset.toLocaleString("en")}`];
  const pathOf = (cause) => make("div", {},
    cause.when || cause.until_packed ? make("p", {}, cause.when ? `Where ${cause.when}.` : "Until the module is packed.") : null,
    cause.calls.length ? make("ol", { class: "path" },
      cause.calls.map((call) => make("li", {}, make("code", {}, call.function), call.called_at ? `, called at ${call.called_at}` : "")),
      make("li", {}, instruction(cause))) : make("p", {}, instruction(cause)));
  const costOf = ({ functions, bytes, lines }) =>
    `${count(bytes, "byte")} ${functions ? `in ${count(functions, "function")}` : "outside of functions"}${lines === undefined ? "" : `, on ${count(lines, "source line")}`}`;

  // The features that keep devices from the module, with the numbers of these by verdict; the most frequent first.
  const lacking = (module) => {
    const features = new Map();
    for (const group of module.device_groups ?? []) {
      if (!group.missing) continue;
      if (!features.has(group.missing)) features.set(group.missing, { fails: 0, packed: 0, unknown: 0 });
      features.get(group.missing)[kinds[group.verdict]] += group.devices.length;
    }
    const total = (feature) => feature.fails + feature.packed + feature.unknown;
    return [...features].sort(([, one], [, other]) => total(other) - total(one));
  };
  const origins = {
    declaration: "Only its declaration requires it: no code is known to need it.",
    header: "Only the version in the header requires it: no code is so new.",
    properties: "The property sets require it.",
  };
  const requiredBy = ({ origin, cost }) => (cost ? `The code that needs it: ${costOf(cost)}.` : origins[origin]);
  // What keeps devices from the module, the most frequent first: each with its code, and what that costs.
  const causes = (module) => {
    const roots = new Map(rootsOf(module).map((root) => [root.index, root]));
    const texts = { fails: "not run by", packed: "needs a remedy on", unknown: "not known of" };
    const items = lacking(module).map(([name, feature]) => {
      const paths = module.paths?.find((paths) => paths.missing === name);
      const found = paths?.why.flatMap((why) => why.causes.map((cause) => ({ cause, root: roots.get(why.root) }))).filter(({ root }) => root) ?? [];
      const [first, ...more] = found;
      const headed = ({ cause, root }) => [roots.size > 1 ? make("p", {}, root.stage ? "Entry point " : "Exported function ", make("code", {}, title(root))) : null, pathOf(cause)];
      return make("li", { class: "cause" },
        item(name),
        make("p", { class: "counts" }, Object.entries(texts).filter(([kind]) => feature[kind]).map(([kind, text]) => make("span", { class: `badge ${kind}` }, `${text} ${count(feature[kind], "device")}`))),
        paths ? make("p", {}, requiredBy(paths)) : null,
        first ? headed(first) : null,
        more.length ? make("details", {}, make("summary", {}, `${more.length} more`), more.slice(0, 50).map(headed)) : null);
    });
    return items.length ? [section("What keeps devices from it"), make("ul", { class: "plain causes" }, items)] : [];
  };

  // The commands after which more devices run the module.
  const remedies = (module, answer = module.answer) => {
    const gain = (words, devices) => make("li", {}, make("strong", {}, `${devices} more`), " after ", words);
    const cost = ({ feature, exact, condition, replaced, instructions_before: before, instructions_after: after }) => {
      const share = 100 * replaced / before;
      return `; ${feature}: replaces ${replaced} of ${before} instructions, ${share < 1 ? "less than 1" : Math.round(share)} %, and makes them ${after}, with equal bits${exact ? ` and a result that the specification permits of ${exact.join(", ")}` : ""}${condition ? ` ${condition}` : ""}`;
    };
    const constant = ({ spec_id, value, devices }) => {
      const own = module.spec_constants?.find((constant) => constant.spec_id === spec_id);
      return gain([make("code", {}, `specialize --set ${spec_id}:${value} --trim`), own?.name ? `, which sets ${own.name}` : ""], devices);
    };
    const items = [...answer.gains.map(({ remedy, devices, lowered }) => gain([...words(remedy), ...(lowered ?? []).map(cost)], devices)), ...(answer === module.answer ? module.constant_gains ?? [] : []).slice(0, 5).map(constant)];
    const notLowered = answer === module.answer ? (module.not_lowered ?? []).map(({ feature, reason }) => make("p", {}, "Not lowered: ", make("code", {}, feature), `: ${reason}`)) : [];
    const ofRoots = [...(answer === module.answer ? remediesOfRoots(module) : []), ...notLowered];
    if (!items.length && !ofRoots.length) return make("p", {}, answer.run === answer.devices ? "Nothing is needed." : "No command is known that helps.");
    return make("div", {}, items.length ? make("ul", { class: "gains" }, items) : null, ofRoots);
  };
  // Of entry points whose answers differ: a command may help one of them alone.
  const remediesOfRoots = (module) => {
    const texts = new Map();
    for (const root of counted(module)) {
      const text = root.devices?.answer.split(/(?<=\.) /).filter((sentence) => / more after /.test(sentence)).join(" ");
      if (text) texts.set(text, [...(texts.get(text) ?? []), title(root)]);
    }
    const isOfModule = texts.size === 1 && module.answer.gains.length && module.answer.text.includes([...texts.keys()][0]);
    if (!texts.size || isOfModule) return [];
    const roots = [...texts].map(([text, names]) => make("li", {}, make("code", {}, names.slice(0, 4).join(", ")), names.length > 4 ? ` and ${names.length - 4} more` : "", ": ", words(text)));
    return [make("p", {}, "By entry point, each counted alone:"), make("ul", { class: "of-roots" }, roots)];
  };

  // Devices of a vendor with equal results, those that differ first.
  const devices = (module) => {
    const groups = module.device_groups ?? [];
    if (!groups.length) return [];
    const roots = rootsOf(module);
    const named = ({ name, products = [] }) => (products.length ? [products.join(", "), " ", make("code", {}, name)] : [make("code", {}, name)]);
    const cell = (fit) => {
      const first = (result) => result.missing?.[0] ?? result.unknown?.[0];
      if (fit.as_is.verdict === "runs") return "runs";
      if (fit.specialize) return `runs after specialize ${fit.specialize}: ${first(fit.as_is)}`;
      if (fit.after_pack.verdict === "runs") return `runs after a remedy: ${first(fit.as_is)}`;
      return [fit.after_pack.verdict, first(fit.after_pack)].filter(Boolean).join(": ");
    };
    const each = (group) => {
      const texts = new Map();
      for (const root of roots) {
        const fit = root.devices?.each?.[group.devices[0].index];
        if (fit) texts.set(cell(fit), [...(texts.get(cell(fit)) ?? []), title(root)]);
      }
      if (texts.size < 2) return null;
      return make("ul", {}, [...texts].map(([text, names]) => make("li", {}, make("code", {}, names.slice(0, 4).join(", ")), names.length > 4 ? ` and ${names.length - 4} more` : "", `: ${text}`)));
    };
    const shown = 3;
    const rows = groups.map((group) => {
      const reason = { packed: [" after ", words(group.remedy ?? ""), ": lacks "], fails: [": lacks "], unknown: [": nothing says if it has "] }[kinds[group.verdict]];
      const verdict = make("span", { class: `badge ${kinds[group.verdict]}` }, group.remedy ? "runs" : group.verdict, reason ? [reason, group.missing] : "");
      const rest = group.devices.slice(shown);
      const entries = each(group);
      return {
        text: JSON.stringify([group.vendor, group.verdict, group.missing, group.devices]).toLowerCase(),
        element: make("li", { class: "group", "data-verdict": kinds[group.verdict], "data-devices": group.devices.length },
          make("div", {}, make("strong", {}, group.vendor), ` ${group.devices.length} `, verdict),
          make("ul", { class: "devices" }, group.devices.slice(0, shown).map((device) => make("li", {}, named(device)))),
          rest.length ? make("details", {}, make("summary", {}, `${rest.length} more`), make("ul", { class: "devices" }, rest.map((device) => make("li", {}, named(device))))) : null,
          entries ? make("details", {}, make("summary", {}, "By entry point"), entries) : null),
      };
    });
    return [section("Devices"), search("Find a device, a product or a feature", rows), make("ul", { class: "plain groups" }, rows.map((row) => row.element))];
  };

  const when = (own) => (own.when ? ` where ${own.when}` : "");
  const list = (features) => features.map((own) => own.name + when(own)).join(", ");
  const folded = (summary, ...children) => make("details", { class: "more" }, make("summary", {}, summary), children);

  const requirements = (module) => {
    const items = rootsOf(module).map((root) => {
      const sizes = [root.work_group_size && `work-groups of ${root.work_group_size.size.join(" x ")}`, root.sub_group_size && `sub-groups of ${root.sub_group_size.size}`].filter(Boolean).join(", ");
      const facts = { Capabilities: list(root.capabilities), Extensions: list(root.extensions), Aspects: list(root.aspects), Sizes: sizes };
      return make("li", {}, item(make("code", {}, title(root)), ` (${stage(root)})${when(root)}`),
        module.entry_points.length > 1 && root.devices ? make("p", {}, words(root.devices.answer)) : null,
        make("dl", {}, Object.entries(facts).filter(([, text]) => text).map(([name, text]) => [make("dt", {}, name), make("dd", {}, text)])));
    });
    const unneeded = [...module.capabilities, ...module.extensions].filter((declared) => declared.need === "unneeded").map((declared) => declared.name);
    return folded(`Requirements of ${count(items.length, "entry point")}`, make("ul", { class: "plain" }, items),
      unneeded.length ? make("p", {}, `Declared, and required by nothing: ${unneeded.join(", ")}. `, make("code", {}, "spirv-if trim"), " removes them.") : null);
  };

  const sizes = (module) => {
    if (!module.sizes) return null;
    const most = Math.max(...module.sizes.map((size) => size.bytes));
    const rows = module.sizes.map((size) => ({
      element: make("tr", {}, make("th", { scope: "row" }, size.when === "false" ? "never: pack removes it" : size.when ?? "always"), make("td", {}, `${size.functions}`),
        make("td", {}, `${size.bytes.toLocaleString("en")} `, make("span", { class: "bar", style: `width:${(5 * size.bytes / most).toFixed(2)}rem`, "aria-hidden": "true" }))),
      keys: [size.when ?? "", size.functions, size.bytes],
    }));
    return folded("Sizes by condition", sortable("Size by the condition under which code is required", ["Condition", "Functions", "Bytes"], rows));
  };

  // What variants cost with the compiler of a driver: times and figures as bars.
  const statistics = ({ statistics: own, spec_constants: constants = [] }) => {
    if (!own) return [];
    const nameOf = ({ spec_id, value, is_default }) => {
      const name = constants.find((constant) => constant.spec_id === spec_id)?.name;
      return `${spec_id}${name ? ` (${name})` : ""} = ${value}${is_default ? ", the default" : ""}`;
    };
    const milliseconds = (outcome) => (outcome?.time_ns === undefined ? undefined : outcome.time_ns / 1e6);
    const hasBoth = own.variants.some((variant) => variant.by_driver);
    const lines = [{ name: "as it is", by_driver: hasBoth ? own.as_is : undefined, cut: own.as_is }, ...own.variants.map((variant) => ({ name: nameOf(variant), ...variant }))];
    const figures = Object.keys(lines.find((line) => line.cut.figures)?.cut.figures ?? {});
    const columns = [
      ...(hasBoth ? [["ms, set by the driver", (line) => milliseconds(line.by_driver), "unknown-line"]] : []),
      [hasBoth ? "ms, set before" : "ms", (line) => milliseconds(line.cut), "link"],
      ...figures.map((figure) => [figure.replaceAll("_", " "), (line) => line.cut.figures?.[figure], "runs-line"])];
    const largest = columns.map(([, value], index) => Math.max(...lines.map((line) => value(line) ?? 0), ...(index < 2 && hasBoth ? lines.map((line) => columns[1 - index][1](line) ?? 0) : [0]), 1e-9));
    const rows = lines.map((line) => {
      const values = columns.map(([, value]) => value(line));
      const failure = line.cut.failure;
      return {
        element: make("tr", {}, make("th", { scope: "row" }, line.name), failure ? make("td", { colspan: columns.length, class: "fails" }, failure.message ?? failure.kind) : values.map((value, index) => make("td", {},
          value === undefined ? "" : [value.toLocaleString("en", { maximumFractionDigits: 1 }), make("span", { class: "bar below", style: `width:${(100 * value / largest[index]).toFixed(1)}%;background:var(--${columns[index][2]})`, "aria-hidden": "true" })]))),
        keys: [line.name, ...values.map((value) => value ?? -1)],
      };
    });
    return [section(`What variants cost on ${own.driver}`), own.advice ? make("ul", { class: "advice" }, own.advice.text.split(/(?<=\.) (?=[A-Z0-9])/).map((sentence) => make("li", {}, sentence))) : "",
      make("div", { class: "statistics" }, sortable(`Variants of the module, compiled by ${own.driver}`, ["Variant", ...columns.map(([head]) => head)], rows))];
  };

  const differences = (module) => (module.against ? [section("Differences from the other module"), spirvIfDifferences(module.against)] : []);

  // The call graph opens at the paths to a feature that devices lack.
  const graph = (module) => {
    const calls = module.calls;
    if (!calls?.functions.length) return null;
    const names = new Map(calls.functions.map((own) => [own.id, own.name]));
    const name = (id) => names.get(id) ?? `%${id}`;
    const rows = calls.edges.map((edge) => {
      const values = [name(edge.from), name(edge.to), edge.calls ?? "by reference", edge.when ?? "always"];
      return { element: make("tr", {}, values.map((value) => make("td", {}, `${value}`))), keys: values };
    });
    const paths = lacking(module).map(([name]) => module.paths?.find((paths) => paths.missing === name)).filter(Boolean);
    const functionsOf = (paths) => new Set(paths.why.flatMap((why) => why.causes.flatMap((cause) => cause.calls.map((call) => call.id))));
    const holder = make("div", { class: "graph" });
    const button = (text, label, onclick) => make("button", { type: "button", "aria-label": label, onclick }, text);
    const box = folded(`Call graph of ${count(calls.functions.length, "function")}`);
    const draw = () => {
      const drawn = drawGraph(calls, holder);
      const find = make("input", { type: "search", oninput: () => drawn.find(find.value) });
      const select = make("select", { onchange: () => show() }, paths.map((paths, index) => make("option", { value: index }, paths.missing)), make("option", { value: "" }, "everything"));
      const show = () => (select.value === "" ? drawn.whole() : drawn.focus(functionsOf(paths[Number(select.value)])));
      box.append(
        make("div", { class: "tools" }, make("label", {}, "Show the paths to", select), make("label", {}, "Find a function", find),
          button("+", "Zoom in", () => drawn.zoom(0.8)), button("−", "Zoom out", () => drawn.zoom(1.25)), button("Whole", "Show the whole graph", () => { select.value = ""; show(); })),
        holder, rows.length ? make("details", {}, make("summary", {}, "The calls as a table"), sortable("Calls", ["Caller", "Callee", "Calls", "Condition"], rows)) : "");
      show();
    };
    box.addEventListener("toggle", () => { if (box.open && !holder.firstChild) draw(); });
    return box;
  };

  // One module. `shown.effect` shows another answer, of what it would be with other constants.
  const article = (shown) => {
    const { module } = shown;
    const answer = module.answer;
    const gains = make("div", { "aria-live": "polite" }, answer ? remedies(module) : []);
    shown.effect = (other, text) => gains.replaceChildren(...(other ? [make("p", {}, text), answerOf(other), remedies(module, other)] : [remedies(module)]));
    const tools = hooks.tools?.(shown);
    return make("article", { class: "module", tabindex: "-1", "aria-label": shown.name },
      several ? make("h2", {}, shown.name) : null,
      answer ? [answerOf(answer), bar(answer)] : null,
      make("p", { class: "facts" }, `SPIR-V ${module.version} by ${module.generator.name ?? `tool ${module.generator.number}`}, ${count(module.size, "byte")}, ${count(module.functions, "function")}${module.multi_target ? ", a multi-target module" : ""}`),
      differences(module), causes(module),
      answer ? [section("What would change that"), gains] : null, tools, statistics(module),
      devices(module), graph(module), requirements(module), sizes(module));
  };
  const holder = make("div", { id: "module" });
  let newest = 0;
  const open = async (shown) => {
    const own = ++newest;
    holder.replaceChildren(make("p", { role: "status" }, `${shown.name} is examined…`));
    if (hooks.detailed && !shown.module.calls) {
      try {
        shown.module = await hooks.detailed(shown);
      } catch (error) {
        if (own === newest) holder.replaceChildren(make("p", { class: "fails badge" }, error.message));
        return;
      }
    }
    if (own !== newest) return;
    holder.replaceChildren(article(shown));
    if (several) holder.firstChild.focus();
  };

  // Of many modules: groups with equal requirements and results on devices, as in the text of `inspect`. Only the visible rows exist.
  const library = () => {
    const resultOf = ({ devices: { known, as_is: asIs, not_known: notKnown, lacking, unknown } }) => JSON.stringify([known, asIs, notKnown, lacking, unknown]);
    const groups = new Map();
    for (const shown of modules) {
      const { module } = shown;
      const results = new Set(counted(module).filter((root) => root.devices).map(resultOf));
      const key = JSON.stringify([module.requires, module.answer?.run, [...results].sort()]);
      groups.set(key, [...(groups.get(key) ?? []), shown]);
      shown.requires = list(module.requires) || "no capabilities";
    }
    const sorted = [...groups.values()].sort((one, other) => other.length - one.length);
    const opened = new Set();
    const nameOf = (shown) => `${shown.name} ${rootsOf(shown.module).slice(0, 3).map(title).join(", ")}`;
    // What keeps devices from the unchanged module: it tells groups with equal requirements apart.
    const obstacles = (module) => {
      const reasons = counted(module).map(({ devices }) => devices && [...devices.lacking.map(({ missing, devices: count }) => `${count} lack ${missing}`),
        ...devices.unknown.map(({ missing, devices: count }) => `${count} may lack ${missing}`)].join(", "));
      return [...new Set(reasons)].filter(Boolean).join("; ");
    };
    const runs = ({ module }) => (module.answer ? [`${module.answer.run} of ${module.answer.devices} devices run it`, obstacles(module)].filter(Boolean).join(" · ") : "");

    // The results on one device: of each module its group of devices.
    let chosen = null;
    const verdictOf = (shown) => chosen?.get(shown)?.verdict ?? "not known";
    const resultText = (shown) => {
      const { verdict, remedy, missing } = chosen.get(shown) ?? { verdict: "not known" };
      return [remedy ? `runs after ${remedy.replaceAll("`", "")}` : verdict, missing && (verdict === "not known" ? `nothing says if it has ${missing}` : `lacks ${missing}`)].filter(Boolean).join(": ");
    };
    const short = { runs: "run", "runs after a remedy": "run after a command", "not known": "are not known", "does not run": "do not run", "takes no such modules": "take no such modules" };
    const countsOf = (all) => Object.entries(short).map(([verdict, text]) => [all.filter((shown) => verdictOf(shown) === verdict).length, text]).filter(([number]) => number);
    const state = (group) => {
      const [{ module: { answer } }] = group;
      if (!chosen) return !answer || answer.run === answer.devices ? "runs" : answer.run || remedied({ answer }) ? "packed" : "fails";
      const verdicts = new Set(group.map(verdictOf));
      return verdicts.size === 1 ? kinds[[...verdicts][0]] : "packed";
    };
    const below = (group) => {
      if (!chosen) return runs(group[0]);
      return group.length === 1 ? resultText(group[0]) : countsOf(group).map(([number, text]) => `${number} ${text}`).join(", ");
    };
    const toggle = (group) => { opened.has(group) ? opened.delete(group) : opened.add(group); fill(); };
    const rowOf = (group, shown) => shown.length === 1
      ? { text: nameOf(shown[0]), below: `${shown[0].requires} · ${below(shown)}`, state: state(shown), act: () => open(shown[0]) }
      : { text: `${count(shown.length, "module")}: ${shown[0].requires}`, below: below(shown), state: state(shown), act: () => toggle(group), expanded: opened.has(group) };
    const view = virtualList(make("div", { class: "list", tabindex: "0", role: "region", "aria-label": "Modules by requirements" }), (row) => make("button",
      { type: "button", class: `row ${row.within ? "within" : ""}`, title: row.below, onclick: row.act, "aria-expanded": row.expanded === undefined ? null : String(row.expanded) },
      make("span", { class: `dot ${row.state}`, "aria-hidden": "true" }), make("span", { class: "first" }, row.text), make("span", { class: "second" }, row.below)));
    const find = make("input", { type: "search", oninput: () => findText() });
    const status = make("output", { "aria-live": "polite" });
    const verdicts = make("select", { onchange: () => fill() }, make("option", { value: "" }, "all modules"), Object.keys(kinds).map((verdict) => make("option", {}, verdict)));
    const onlyOf = make("label", { hidden: true }, "Show", verdicts);
    const ofDevice = make("p", { class: "of-device", "aria-live": "polite" });
    const fill = () => {
      const wanted = find.value.trim().toLowerCase();
      const isShown = (shown) => (!wanted || `${nameOf(shown)} ${shown.requires}`.toLowerCase().includes(wanted)) && (!chosen || !verdicts.value || verdictOf(shown) === verdicts.value);
      const matching = sorted.map((group) => [group, group.filter(isShown)]).filter(([, shown]) => shown.length);
      status.textContent = matching.length < sorted.length ? `${matching.length} of ${sorted.length} groups` : "";
      view.show(matching.flatMap(([group, shown]) => [rowOf(group, shown), ...(opened.has(group) && shown.length > 1
        ? shown.map((own) => ({ text: nameOf(own), below: below([own]), state: state([own]), act: () => open(own), within: true })) : [])]));
      return matching.length;
    };
    // The devices: the page has them, and in a file each module has its groups.
    const known = new Map();
    for (const { vendor, devices } of modules[0].module.device_groups ?? []) devices.forEach((device) => known.set(device.name, { ...device, vendor }));
    const all = hooks.devices ?? [...known.values()].sort((one, other) => one.index - other.index);
    const inGroups = (name) => {
      const found = new Map();
      return new Map(modules.map((shown) => {
        const { device_groups: own = [] } = shown.module;
        if (!found.has(own)) found.set(own, own.find(({ devices }) => devices.some((device) => device.name === name)));
        return [shown, found.get(own)];
      }));
    };
    const devices = make("select", { onchange: () => choose() }, make("option", { value: "" }, "any: the number of devices"), spirvIfDeviceOptions(all));
    let latest = 0;
    const choose = async () => {
      const own = ++latest, name = devices.value, product = devices.selectedOptions[0].textContent;
      onlyOf.hidden = !name;
      if (!name) verdicts.value = "";
      ofDevice.textContent = name && hooks.verdicts ? `The modules are compared with ${product}…` : "";
      const results = name ? await (hooks.verdicts?.(name, modules) ?? inGroups(name)) : null;
      if (own !== latest) return;
      chosen = results;
      ofDevice.replaceChildren(...(name ? [make("strong", {}, product), ` (${name}): of ${count(modules.length, "module")}, ${countsOf(modules).map(([number, text]) => `${number.toLocaleString("en")} ${text}`).join(", ")}.`] : []));
      hooks.chose?.(name);
      fill();
    };
    // What no module has may be a device.
    const findText = () => {
      const wanted = find.value.trim().toLowerCase();
      if (fill() || wanted.length < 3) return;
      const option = [...devices.options].find(({ value, textContent }) => value && `${textContent} ${value}`.toLowerCase().includes(wanted));
      if (!option) return;
      option.selected = true;
      find.value = "";
      choose();
    };
    main.append(...[
      data.answer ? answerOf(data.answer) : "",
      make("h2", {}, `${count(sorted.length, "group")} of modules with equal requirements`),
      make("div", { class: "tools" }, make("label", {}, "Find modules, entry points, capabilities, devices", find), all.length ? make("label", {}, "Which run on", devices) : "", onlyOf, status),
      ofDevice, view.element, hooks.compared?.(modules) ?? "", holder]);
    fill();
    if (hooks.device && [...devices.options].some(({ value }) => value === hooks.device)) {
      devices.value = hooks.device;
      choose();
    }
  };

  if (summary) summary.textContent = data.files.length === 1 ? "" : `${count(modules.length, "module")} in ${count(data.files.length, "file")}`;
  if (!several) {
    main.append(holder);
    open(modules[0]);
  } else library();
  addEventListener("beforeprint", () => main.querySelectorAll("details").forEach((own) => { own.open = true; }));

  // A list of rows of one height, of which only those in sight are elements.
  function virtualList(element, render) {
    const inner = make("div", {});
    element.append(inner);
    let rows = [], drawn = new Map();
    const height = 56;
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - 5);
      const last = Math.min(rows.length, Math.ceil((element.scrollTop + element.clientHeight) / height) + 5);
      for (const [index, row] of drawn) {
        if (index < first || index >= last) { row.remove(); drawn.delete(index); }
      }
      for (let index = first; index < last; index += 1) {
        if (drawn.has(index)) continue;
        const row = render(rows[index]);
        row.style.top = `${index * height}px`;
        drawn.set(index, row);
        const next = [...drawn.keys()].filter((other) => other > index).sort((one, other) => one - other)[0];
        inner.insertBefore(row, drawn.get(next) ?? null);
      }
    };
    element.addEventListener("scroll", update);
    new ResizeObserver(update).observe(element);
    return {
      element,
      show: (all) => {
        const focused = [...drawn].find(([, row]) => row === document.activeElement)?.[0];
        rows = all;
        drawn.forEach((row) => row.remove());
        drawn = new Map();
        inner.style.height = `${rows.length * height}px`;
        update();
        drawn.get(focused)?.focus();
      },
    };
  }

  // The graph in layers, callers on the left.
  function drawGraph(calls, holder) {
    const space = "http://www.w3.org/2000/svg";
    const shape = (tag, attributes, ...children) => {
      const element = document.createElementNS(space, tag);
      Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
      element.append(...children);
      return element;
    };
    const nodes = new Map(calls.functions.map((own) => [own.id, { own, out: [], in: [], layer: 0 }]));
    const edges = calls.edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to));
    for (const edge of edges) {
      nodes.get(edge.from).out.push(edge.to);
      nodes.get(edge.to).in.push(edge.from);
    }
    // The layer is the longest path from a caller; edges that close a cycle do not count.
    const order = [], state = new Map();
    for (const start of nodes.keys()) {
      const stack = [[start, 0]];
      while (stack.length) {
        const [id, next] = stack.pop();
        if (next === 0 && state.get(id)) continue;
        state.set(id, 1);
        const callee = nodes.get(id).out[next];
        if (callee === undefined) { state.set(id, 2); order.push(id); continue; }
        stack.push([id, next + 1]);
        if (!state.get(callee)) stack.push([callee, 0]);
      }
    }
    order.reverse();
    const rank = new Map(order.map((id, at) => [id, at]));
    for (const id of order) {
      const node = nodes.get(id);
      for (const callee of node.out) if (rank.get(callee) > rank.get(id)) nodes.get(callee).layer = Math.max(nodes.get(callee).layer, node.layer + 1);
    }
    const layers = [];
    for (const id of order) (layers[nodes.get(id).layer] ??= []).push(id);
    for (let round = 0; round < 4; round += 1) {
      for (const layer of layers) {
        const at = (id) => nodes.get(id).y ?? 0;
        const middle = (id) => {
          const near = round % 2 ? nodes.get(id).out : nodes.get(id).in;
          return near.length ? near.reduce((sum, other) => sum + at(other), 0) / near.length : at(id);
        };
        layer.map((id) => [middle(id), id]).sort((one, other) => one[0] - other[0]).forEach(([, id], place) => { layer[place] = id; nodes.get(id).y = place; });
      }
    }
    const shortened = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;
    const width = 240, gap = 160, height = 44;
    const tallest = Math.max(...layers.map((layer) => layer.length));
    layers.forEach((layer, column) => layer.forEach((id, place) => {
      const node = nodes.get(id);
      node.x = column * (width + gap);
      node.top = (place + (tallest - layer.length) / 2) * (height + 14);
    }));
    const content = shape("g", {});
    for (const edge of edges) {
      const from = nodes.get(edge.from), to = nodes.get(edge.to);
      const [x1, y1, x2, y2] = [from.x + width, from.top + height / 2, to.x, to.top + height / 2];
      const line = shape("path", { d: `M${x1} ${y1}C${x1 + 70} ${y1} ${x2 - 70} ${y2} ${x2} ${y2}`, class: edge.when ? "conditional" : edge.calls ? "" : "name" });
      line.append(shape("title", {}, `${from.own.name} → ${to.own.name}${edge.when ? ` where ${edge.when}` : ""}`));
      content.append(line);
      if (edge.when) content.append(shape("text", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 4, "text-anchor": "middle", class: "when" }, shortened(edge.when, 34)));
    }
    for (const node of nodes.values()) {
      node.element = shape("g", { class: node.own.entry_point ? "entry" : "", transform: `translate(${node.x} ${node.top})` },
        shape("title", {}, `${node.own.name}${node.own.requires.length ? ` requires ${node.own.requires.join(", ")}` : ""}`),
        shape("rect", { width, height, rx: 5 }), shape("text", { x: 8, y: 18 }, shortened(node.own.name, 31)), shape("text", { x: 8, y: 36, opacity: 0.8 }, shortened(node.own.requires.join(", "), 31)));
      content.append(node.element);
    }
    const svg = shape("svg", { role: "img", tabindex: "0", "aria-label": `Call graph of ${count(nodes.size, "function")}: a table of the calls follows` }, content);
    holder.append(svg);
    const all = { x: -20, y: -20, width: layers.length * (width + gap) - gap + 40, height: tallest * (height + 14) + 40 };
    let view = { ...all };
    const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
      view = { x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, width: view.width * factor, height: view.height * factor };
      show();
    };
    const scale = () => Math.max(view.width / (svg.clientWidth || 1), view.height / (svg.clientHeight || 1));
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, view.x + view.width / 2 + (event.clientX - box.left - box.width / 2) * scale(), view.y + view.height / 2 + (event.clientY - box.top - box.height / 2) * scale());
    }, { passive: false });
    const move = (x, y) => { view.x += x; view.y += y; show(); };
    svg.addEventListener("pointerdown", (event) => svg.setPointerCapture(event.pointerId));
    svg.addEventListener("pointermove", (event) => { if (event.buttons) move(-event.movementX * scale(), -event.movementY * scale()); });
    svg.addEventListener("keydown", (event) => {
      const step = 60 * scale();
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (moves[event.key]) move(...moves[event.key]);
      else if (event.key === "+") zoom(0.8);
      else if (event.key === "-") zoom(1.25);
      else return;
      event.preventDefault();
    });
    show();
    return {
      zoom,
      whole: () => { nodes.forEach((node) => node.element.classList.remove("faded")); view = { ...all }; show(); },
      // Shows the functions on paths, and what lies around them faded.
      focus: (wanted) => {
        const shown = [...nodes.values()].filter((node) => wanted.has(node.own.id));
        if (!shown.length) return;
        nodes.forEach((node) => node.element.classList.toggle("faded", !wanted.has(node.own.id)));
        const [left, top] = [Math.min(...shown.map((node) => node.x)), Math.min(...shown.map((node) => node.top))];
        const [right, bottom] = [Math.max(...shown.map((node) => node.x)) + width, Math.max(...shown.map((node) => node.top)) + height];
        // Names stay legible: of a long path, its end is in sight.
        const most = Math.max(1.4 * svg.clientWidth, 560);
        const end = shown.find((node) => node.x + width === right);
        const [wide, high] = [Math.min(right - left + 80, most), Math.min(bottom - top + 80, most * svg.clientHeight / (svg.clientWidth || 1))];
        view = { x: right + 40 - wide, y: Math.max(top - 40, Math.min(end.top - high / 2, bottom + 40 - high)), width: wide, height: high };
        show();
      },
      find: (text) => {
        const wanted = text.trim().toLowerCase();
        let first = null;
        for (const node of nodes.values()) {
          const found = wanted === "" || node.own.name.toLowerCase().includes(wanted);
          node.element.classList.toggle("faded", !found);
          if (found && wanted) first ??= node;
        }
        if (first) { view = { x: first.x - 300, y: first.top - 150, width: 900, height: 340 }; show(); }
      },
    };
  }
}
