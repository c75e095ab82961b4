"use strict";
// Draws a report: `data` is the JSON of `spirv-if inspect --details` (spec-extensions/inspect.md) or a log of SARIF 2.1.0, `main` the element that it
// goes into. Where the modules of the JSON came without details, `detailed` gives the module with them, and may take its time.
function spirvIfReport(data, main, summary, detailed) {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "style") element.style.cssText = value;
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  };
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  // The causes number entry points, and then exported functions. The body of a kernel is the kernel for people.
  const rootsOf = (module) => [...module.entry_points, ...module.exported_functions].map((root, index) => ({ ...root, index })).filter((root) => !root.body_of);
  const modules = (data.files ?? []).flatMap((file) => file.modules.map((module) => ({
    file: file.file, module,
    name: file.modules.length > 1 || module.offset > 0 ? `${file.file} at 0x${module.offset.toString(16)}` : file.file,
    roots: rootsOf(module),
  })));
  const title = (root) => root.demangled ?? root.name;
  const stage = (root) => root.stage ?? "exported function";
  const roots = modules.reduce((sum, own) => sum + own.roots.length, 0);
  if (data.files) summary.textContent = `${count(modules.length, "module")} in ${count(data.files.length, "file")}, ${count(roots, "entry point")}`;

  // Cells of devices.
  const states = { runs: "runs", "does not run": "fails", "not known": "unknown" };
  const verdict = (fit) => fit.specialize || (fit.after_pack.verdict === "runs" && fit.as_is.verdict !== "runs") ? "packed" : states[fit.after_pack.verdict];
  const words = { runs: "runs", packed: "runs after a remedy", fails: "does not run", unknown: "not known" };
  const remedy = (own, fit) => fit.specialize ? `specialize ${fit.specialize}` : own.module.remedy;
  const first = (result) => result.missing?.[0] ?? result.unknown?.[0];
  const missing = (fit) => first(fit.after_pack) ?? first(fit.as_is);
  const cellText = (own, fit) => ({ runs: "runs", packed: `after ${remedy(own, fit)}: lacks ${missing(fit)}`, fails: `does not run: ${missing(fit)}`, unknown: `not known: ${missing(fit)}` })[verdict(fit)];

  // One dialog shows why a device does not run an entry point.
  const dialog = make("dialog", { "aria-labelledby": "why-title" });
  main.append(dialog);
  const place = (at) => at ? ` at ${at}` : "";
  const pathOf = (cause) => make("li", {},
    `${cause.requires.map((any) => any.join(" or ")).join(", ")}${cause.when ? ` where ${cause.when}` : ""}${cause.until_packed ? " (until packed)" : ""}`,
    make("ol", { class: "path" },
      cause.calls.map((call) => make("li", {}, make("code", {}, call.function), call.called_at ? `, called at ${call.called_at}` : "")),
      make("li", {}, make("code", {}, cause.instruction.opcode), cause.instruction.through ? ` through ${cause.instruction.through}` : "",
        `${place(cause.instruction.place)}, byte ${cause.instruction.offset}`)));
  const explain = (own, root, fit) => {
    const name = missing(fit);
    const found = (own.module.paths ?? []).find((paths) => paths.missing === name)?.why.find((why) => why.root === root.index);
    dialog.replaceChildren(
      make("h2", { id: "why-title" }, `${title(root)} on ${fit.device}: ${words[verdict(fit)]}`),
      make("p", {}, "The first feature that the device is missing, or is not known to have, is ", make("code", {}, name), "."),
      fit.as_is.verdict !== "runs" ? make("p", {}, `As it is: ${first(fit.as_is)}. After ${remedy(own, fit)}: ${verdict(fit) === "packed" ? "runs" : first(fit.after_pack)}.`) : null,
      found ? make("ul", {}, found.causes.map(pathOf))
        : make("p", {}, "No instruction of this entry point requires it by itself: the module declares it, or it is a size or a version."),
      make("form", { method: "dialog" }, make("button", {}, "Close")));
    dialog.showModal();
  };

  // A table whose columns sort, and whose rows a text filters.
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
    return { element: make("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption }, table), rows };
  };
  const filter = (rows, text, state) => {
    const wanted = text.trim().toLowerCase();
    for (const row of rows) {
      const shown = (!wanted || row.text.includes(wanted)) && (!state || row.states.includes(state));
      row.element.classList.toggle("hidden", !shown);
    }
  };
  const tools = (rows, label, states) => {
    const status = make("output", { "aria-live": "polite" });
    const search = make("input", { type: "search" });
    const select = states ? make("select", {}, make("option", { value: "" }, "all"), Object.entries(words).map(([value, text]) => make("option", { value }, text))) : null;
    const update = () => {
      filter(rows, search.value, select?.value);
      status.textContent = `${rows.filter((row) => !row.element.classList.contains("hidden")).length} of ${rows.length} shown`;
    };
    search.addEventListener("input", update);
    select?.addEventListener("input", update);
    return make("div", { class: "tools" }, make("label", {}, label, search), select ? make("label", {}, "With an entry point that", select) : null, status);
  };

  const when = (own) => own.when ? ` where ${own.when}` : "";
  const list = (features) => features.map((own) => own.name + when(own)).join(", ") || "none";

  const matrix = (own) => {
    const first = own.roots.find((root) => root.devices?.each?.length);
    if (!first) return null;
    const rows = first.devices.each.map((device, number) => {
      const fits = own.roots.map((root) => root.devices.each[number]);
      const texts = fits.map((fit) => cellText(own, fit));
      const cells = fits.map((fit, index) => {
        const state = verdict(fit);
        return make("td", { class: state }, state === "runs" ? "runs" : make("button", { type: "button", "aria-haspopup": "dialog", onclick: () => explain(own, own.roots[index], fit) }, texts[index]));
      });
      return {
        element: make("tr", {}, make("th", { scope: "row" }, device.device), cells),
        keys: [device.device, ...texts], states: fits.map(verdict),
        text: `${device.device} ${texts.join(" ")}`.toLowerCase(),
      };
    });
    const table = sortable(`Devices that run the entry points of ${own.name}`, ["Device", ...own.roots.map((root) => `${title(root)} (${stage(root)})`)], rows);
    return [make("h3", {}, "Devices"), tools(rows, "Search devices and missing features", true),
      make("ul", { class: "legend", "aria-label": "Legend" }, Object.entries(words).map(([state, text]) => make("li", { class: state }, text))), table.element];
  };

  const requirements = (own) => {
    const rows = own.roots.map((root) => {
      const values = [title(root), stage(root) + when(root), list(root.capabilities), list(root.extensions), list(root.aspects),
        [root.work_group_size && `work-group ${root.work_group_size.size.join(" x ")}`, root.sub_group_size && `sub-group ${root.sub_group_size.size}`].filter(Boolean).join(", ")];
      return { element: make("tr", {}, make("th", { scope: "row" }, values[0]), values.slice(1).map((value) => make("td", {}, value))), keys: values, states: [], text: values.join(" ").toLowerCase() };
    });
    const unneeded = [...own.module.capabilities, ...own.module.extensions].filter((declared) => declared.need === "unneeded").map((declared) => declared.name);
    return [make("h3", {}, "Requirements"), sortable(`Requirements of the entry points of ${own.name}`, ["Entry point", "Stage", "Capabilities", "Extensions", "Aspects", "Sizes"], rows).element,
      unneeded.length ? make("p", {}, `Declared, and required by nothing: ${unneeded.join(", ")}. spirv-if trim removes them.`) : null];
  };

  const sizes = (own) => {
    if (!own.module.sizes) return null;
    const most = Math.max(...own.module.sizes.map((size) => size.bytes));
    const rows = own.module.sizes.map((size) => ({
      element: make("tr", {}, make("th", { scope: "row" }, size.when === "false" ? "never: pack removes it" : size.when ?? "always"), make("td", {}, `${size.functions}`),
        make("td", {}, `${size.bytes.toLocaleString("en")} `, make("span", { class: "bar", style: `width:${(10 * size.bytes / most).toFixed(2)}rem`, "aria-hidden": "true" }))),
      keys: [size.when ?? "", size.functions, size.bytes], states: [], text: "",
    }));
    return [make("h3", {}, "Sizes by condition"), sortable(`Size of ${own.name} by the condition under which it is required`, ["Condition", "Functions", "Bytes"], rows).element];
  };

  const differences = (own) => {
    if (!own.module.against) return null;
    const texts = own.module.against.map((difference) => make("li", {}, make("code", {}, difference.entry_point),
      difference.added ? " is new" : difference.removed ? " is gone" : "",
      ...[["requires now", difference.requires], ["no longer requires", difference.no_longer], ["lost the devices", difference.lost], ["gained the devices", difference.gained]]
        .filter(([, names]) => names.length).map(([text, names]) => make("div", {}, `${text} ${names.join(", ")}`))));
    return [make("h3", {}, "Differences from the other module"), texts.length ? make("ul", {}, texts) : make("p", {}, "There are none in requirements and devices.")];
  };

  const graph = (own) => {
    const calls = own.module.calls;
    if (!calls?.functions.length) return null;
    const names = new Map(calls.functions.map((own) => [own.id, own.name]));
    const name = (id) => names.get(id) ?? `%${id}`;
    const rows = calls.edges.map((edge) => {
      const values = [name(edge.from), name(edge.to), edge.calls ?? "by reference", edge.when ?? "always"];
      return { element: make("tr", {}, values.map((value) => make("td", {}, `${value}`))), keys: values, states: [], text: "" };
    });
    const holder = make("div", { class: "graph" });
    const draw = drawGraph(calls, holder);
    const button = (text, label, onclick) => make("button", { type: "button", "aria-label": label, onclick }, text);
    const find = make("input", { type: "search", oninput: () => draw.find(find.value) });
    return [make("h3", {}, "Call graph"),
      make("div", { class: "tools" }, make("label", {}, "Find a function", find), button("+", "Zoom in", () => draw.zoom(0.8)), button("−", "Zoom out", () => draw.zoom(1.25)), button("Whole", "Show the whole graph", () => draw.whole())),
      holder, rows.length ? make("details", {}, make("summary", {}, "The calls as a table"), sortable(`Calls in ${own.name}`, ["Caller", "Callee", "Calls", "Condition"], rows).element) : null];
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
      return { element: make("tr", {}, make("td", {}, values[0], path), values.slice(1, 3).map((value) => make("td", {}, value)), make("td", { class: values[3] === "error" ? "fails" : "packed" }, values[3])), keys: values, states: [], text: values.join(" ").toLowerCase() };
    });
    main.append(make("h2", {}, "Findings"), tools(rows, "Search messages, places and rules", false), sortable("What was found", ["Message", "Place", "Rule", "Level"], rows).element);
    addEventListener("beforeprint", () => main.querySelectorAll("details").forEach((own) => { own.open = true; }));
  };
  if (data.runs) return findings();

  // Modules are drawn when they are opened: a library may have thousands.
  const sections = modules.map((own) => {
    const section = make("details", { class: "module" }, make("summary", {}, own.name));
    own.section = section;
    section.addEventListener("toggle", async () => {
      if (!section.open || section.dataset.drawn) return;
      section.dataset.drawn = "yes";
      if (detailed && !own.module.calls) {
        own.module = await detailed(own.module);
        own.roots = rootsOf(own.module);
      }
      const { module } = own;
      section.append(make("p", {}, `SPIR-V ${module.version}, written by ${module.generator.name ?? `tool ${module.generator.number}`}: ${count(module.size, "byte")}, ${count(module.functions, "function")}${module.multi_target ? ", a multi-target module" : ""}`),
        ...[differences(own), matrix(own), requirements(own), sizes(own), graph(own)].flat().filter(Boolean));
    });
    return section;
  });

  const overview = modules.flatMap((own) => own.roots.map((root) => {
    const devices = root.devices, lacking = devices?.lacking?.[0]?.missing ?? "";
    const remedied = devices ? devices.after_pack + devices.after_adapt + devices.after_trap : 0;
    const values = [own.name, title(root), stage(root), devices?.as_is ?? 0, remedied, lacking];
    const state = !devices || devices.as_is === devices.known ? "runs" : remedied === devices.known ? "packed" : remedied ? "" : "fails";
    const open = () => { own.section.open = true; own.section.scrollIntoView(); own.section.querySelector("summary").focus(); };
    return {
      element: make("tr", {}, make("th", { scope: "row" }, make("button", { type: "button", onclick: open }, values[0])), make("td", {}, values[1]), make("td", {}, values[2]),
        make("td", { class: state }, `${values[3]} of ${devices?.known ?? 0}`), make("td", {}, `${values[4]} of ${devices?.known ?? 0}`), make("td", {}, values[5])),
      keys: values, states: [], text: values.join(" ").toLowerCase(),
    };
  }));
  main.append(make("h2", {}, "Entry points"), tools(overview, "Search modules, entry points and missing features", false),
    sortable("Entry points, and how many devices run them", ["Module", "Entry point", "Stage", "Run as it is", "Run after a remedy", "Most often missing"], overview).element,
    make("h2", {}, "Modules"), ...sections);
  if (modules.length === 1) sections[0].open = true;
  addEventListener("beforeprint", () => { if (modules.length <= 50) sections.forEach((section) => { section.open = true; }); });

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
      zoom, whole: () => { view = { ...all }; show(); },
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
