// The differences of a module from an earlier one, for people: sizes, requirements, and both disassemblies side by side.
const spirvIfChanges = (() => {
  const make = spirvIfElement;

  // Pairs of equal lines, in order, as indices. Most lines have a result id and stand once in each text; between these, others are compared one by one.
  const equalLines = (before, after) => {
    const places = (lines) => {
      const found = new Map();
      lines.forEach((line, index) => found.set(line, found.has(line) ? -1 : index));
      return found;
    };
    const [inBefore, inAfter] = [places(before), places(after)];
    const candidates = [];
    after.forEach((line, to) => {
      const from = inBefore.get(line) ?? -1;
      if (from >= 0 && inAfter.get(line) >= 0) candidates.push([from, to]);
    });
    // The longest sequence that rises in both: the last candidate of each length, and the one before it.
    const ends = [], previous = [];
    candidates.forEach(([from], index) => {
      let low = 0, high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (candidates[ends[middle]][0] < from) low = middle + 1;
        else high = middle;
      }
      previous[index] = low ? ends[low - 1] : -1;
      ends[low] = index;
    });
    const anchors = [];
    for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]) anchors.push(candidates[index]);
    anchors.reverse();
    const pairs = [];
    let [from, to] = [0, 0];
    for (const [nextFrom, nextTo] of [...anchors, [before.length, after.length]]) {
      between(before, after, from, nextFrom, to, nextTo, pairs);
      if (nextFrom < before.length) pairs.push([nextFrom, nextTo]);
      [from, to] = [nextFrom + 1, nextTo + 1];
    }
    return pairs;
  };
  // Adds the pairs between two others: the longest common subsequence, where that is little work, or else what is equal at both ends.
  const between = (before, after, from, fromEnd, to, toEnd, pairs) => {
    while (from < fromEnd && to < toEnd && before[from] === after[to]) pairs.push([from++, to++]);
    const last = [];
    while (from < fromEnd && to < toEnd && before[fromEnd - 1] === after[toEnd - 1]) last.unshift([--fromEnd, --toEnd]);
    const width = toEnd - to + 1, height = fromEnd - from + 1;
    if (width > 1 && height > 1 && width * height <= 1e6) {
      const lengths = new Uint16Array(width * height);
      for (let row = height - 2; row >= 0; row -= 1) {
        for (let column = width - 2; column >= 0; column -= 1) {
          const at = row * width + column;
          lengths[at] = before[from + row] === after[to + column] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
        }
      }
      for (let row = 0, column = 0; row < height - 1 && column < width - 1;) {
        const at = row * width + column;
        if (before[from + row] === after[to + column]) pairs.push([from + row++, to + column++]);
        else if (lengths[at + width] >= lengths[at + 1]) row += 1;
        else column += 1;
      }
    }
    pairs.push(...last);
  };

  // Rows of lines that are equal, gone or new. Those that are gone and new at one place are side by side. Lines are equal by `key`.
  const rowsOf = (before, after, key) => {
    const rows = [];
    let [from, to] = [0, 0];
    for (const [nextFrom, nextTo] of [...equalLines(before.map(key), after.map(key)), [before.length, after.length]]) {
      while (from < nextFrom || to < nextTo) rows.push({ gone: from < nextFrom ? before[from++] : null, added: to < nextTo ? after[to++] : null });
      if (nextFrom < before.length) rows.push({ equal: [before[nextFrom], after[nextTo]] });
      [from, to] = [nextFrom + 1, nextTo + 1];
    }
    return rows;
  };

  // Names of ids, from OpName. Strings stay as they are.
  const namesOf = (text) => new Map([...text.matchAll(/^OpName %(\d+) "([A-Za-z_]\w*)/gm)].map(([, id, name]) => [id, name]));
  const withIds = (line, replaced) => line.split(/("(?:[^"\\]|\\.)*")/).map((part, index) => (index % 2 ? part : part.replace(/%(\d+)/g, (raw, id) => replaced(id) ?? raw))).join("");
  // A line with names in place of ids. Of one name for several ids, the ids stay beside it.
  const namedBy = (names) => {
    const counts = new Map();
    names.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
    return (line) => withIds(line, (id) => names.has(id) && `%${names.get(id)}${counts.get(names.get(id)) > 1 ? `.${id}` : ""}` || undefined);
  };

  // The lines of a text with what makes them equal to others: commands keep ids. Modules that a compiler made have other ids, of which the names count, or
  // of types and constants the definitions, which are numbered.
  const linesOf = (text, names, definitions) => {
    const known = new Map([...names].map(([id, name]) => [id, `%${name}`]));
    return text.split("\n").slice(0, -1).map((line) => {
      if (!definitions) return { line, key: line };
      const key = withIds(line, (id) => known.get(id) ?? "%");
      const [, id] = line.match(/^%(\d+) = Op(?:Type|Constant|SpecConstant)/) ?? [];
      if (id && !known.has(id)) {
        if (!definitions.has(key)) definitions.set(key, definitions.size);
        known.set(id, `%#${definitions.get(key)}`);
      }
      return { line, key };
    });
  };

  const near = 3, most = 2000;
  const disassemblies = (before, after, hasEqualIds) => {
    const [old, now] = [namesOf(before), namesOf(after)], definitions = hasEqualIds ? null : new Map();
    const rows = rowsOf(linesOf(before, old, definitions), linesOf(after, now, definitions), ({ key }) => key);
    const sides = hasEqualIds ? Array(2).fill(namedBy(new Map([...now, ...old]))) : [namedBy(old), namedBy(now)];
    const cell = (tag, entry, side) => {
      if (entry === null) return make("code", {});
      const { line } = entry, named = sides[side];
      const [, result, opcode, rest] = named(line).match(/^(%\S+ = )?(Op\w+)(.*)$/) ?? [null, "", line, ""];
      return make("code", {}, make(tag, {}, result, make("b", {}, opcode), rest));
    };
    const drawn = ({ equal, gone, added }) => (equal !== undefined
      ? make("div", { class: "pair" }, cell("span", equal[0], 0), cell("span", equal[1], 1))
      : make("div", { class: "pair changed" }, cell("del", gone, 0), cell("ins", added, 1)));
    const [gone, added] = [rows.filter((row) => row.gone).length, rows.filter((row) => row.added).length];
    const box = make("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Disassembly before and after" });
    // Equal lines that are far from a change are folded.
    let shown = 0;
    for (let at = 0; at < rows.length && shown < most;) {
      let end = at;
      while (end < rows.length && (rows[end].equal !== undefined) === (rows[at].equal !== undefined)) end += 1;
      const run = rows.slice(at, end), head = at ? near : 0, tail = end < rows.length ? near : 0;
      if (rows[at].equal === undefined || run.length <= head + tail + 3) {
        box.append(...run.slice(0, most - shown).map(drawn));
        shown += run.length;
      } else {
        const folded = run.slice(head, run.length - tail);
        const details = make("details", { class: "equal" }, make("summary", {}, `${folded.length.toLocaleString("en")} equal lines`));
        details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(...folded.slice(0, most).map(drawn)); });
        box.append(...run.slice(0, head).map(drawn), details, ...run.slice(run.length - tail).map(drawn));
        shown += head + tail;
      }
      at = end;
    }
    if (shown >= most) box.append(make("p", {}, `These are the first ${most.toLocaleString("en")} lines: spirv-dis writes all of them.`));
    return { box, gone, added };
  };

  const signed = (number) => `${number > 0 ? "+" : "−"}${Math.abs(number).toLocaleString("en")}`;
  const size = (label, before, after) => make("div", { class: "number" }, make("span", {}, label),
    make("strong", {}, after.toLocaleString("en")), make("span", {}, before === after ? "as before" : `from ${before.toLocaleString("en")} (${signed(after - before)})`));
  // As it is, or after the command that it is for.
  const devices = (before, after) => {
    const [gain] = after.run ? [] : after.gains;
    return make("div", { class: "number" }, make("span", {}, "Devices that run it"), make("strong", {}, (gain?.devices ?? after.run).toLocaleString("en")),
      make("span", {}, gain ? `after ${gain.remedy.replaceAll("`", "")}` : before.run === after.run ? "as before" : `from ${before.run.toLocaleString("en")} (${signed(after.run - before.run)})`));
  };
  const named = (features) => features.map(({ name, when }) => name + (when ? ` where ${when}` : ""));
  const required = (module) => [`SPIR-V ${module.version}`, ...named(module.capabilities.map(({ name, when }) => ({ name, when }))), ...named(module.extensions.map(({ name, when }) => ({ name, when })))];

  // Draws the changes: `before` and `after` each have `module`, as `inspect` reports it, and `text`, the disassembly. Without titles, a command made the second of the first.
  return (before, after, titles) => {
    const [old, now] = [required(before.module), required(after.module)];
    const chips = [...now.map((name) => (old.includes(name) ? make("li", {}, name) : make("li", { class: "added" }, make("ins", {}, name)))),
      ...old.filter((name) => !now.includes(name)).map((name) => make("li", { class: "gone" }, make("del", {}, name)))];
    const { box, gone, added } = disassemblies(before.text, after.text, !titles);
    return make("div", { class: "changes" },
      make("div", { class: "numbers" },
        size("Bytes", before.module.size, after.module.size), size("Functions", before.module.functions, after.module.functions),
        before.module.answer && after.module.answer ? devices(before.module.answer, after.module.answer) : null),
      make("p", { class: "label" }, "It declares"), make("ul", { class: "chips" }, chips),
      make("p", { class: "label" }, gone || added ? `Disassembly: ${gone.toLocaleString("en")} ${gone === 1 ? "line" : "lines"} gone, ${added.toLocaleString("en")} new` : "Disassembly: no line differs"),
      make("div", { class: "pair heads", "aria-hidden": "true" }, (titles ?? ["Before", "After"]).map((title) => make("span", {}, title))), box);
  };
})();
