// Prints a page of `inspect --format html` with a probe in it: `node test-report.js PAGE AXE`. Opened in a browser, the page becomes a list of what
// is wrong with it: cells that are not what the data says, and what axe-core finds.
const fs = require("fs");
const [page, axe] = process.argv.slice(2).map((path) => fs.readFileSync(path, "utf8"));

async function probe() {
  const problems = [];
  const expect = (what, found, wanted) => { if (found !== wanted) problems.push(`${what}: ${found} and not ${wanted}`); };
  const data = JSON.parse(document.getElementById("data").textContent);
  const modules = (data.files ?? []).flatMap((file) => file.modules);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  if (data.runs) {
    const results = data.runs.flatMap((run) => run.results);
    expect("findings", all("tbody tr").length, results.length);
    expect("call paths", all(".path").length, results.filter((result) => result.codeFlows).length);
    all("details").forEach((own) => { own.open = true; });
  }
  const sections = all("details.module");
  expect("modules", sections.length, modules.length);
  sections.forEach((section) => { section.open = true; });
  await new Promise((done) => setTimeout(done, 1000));
  modules.forEach((module, number) => {
    const section = sections[number];
    const roots = [...module.entry_points, ...module.exported_functions].filter((root) => !root.body_of);
    const fits = roots.flatMap((root) => root.devices.each);
    const verdicts = fits.map((fit) => [fit.as_is.verdict, fit.specialize ? "runs" : fit.after_pack.verdict]);
    const of = {
      runs: verdicts.filter(([as_is, after_pack]) => as_is === "runs" && after_pack === "runs").length,
      packed: verdicts.filter(([as_is, after_pack]) => as_is !== "runs" && after_pack === "runs").length,
      unknown: verdicts.filter(([, after_pack]) => after_pack === "not known").length,
      fails: verdicts.filter(([, after_pack]) => after_pack === "does not run").length,
    };
    for (const [state, count] of Object.entries(of)) expect(`cells that say ${state}`, all(`td.${state}`, section).length, count);
    // In the words of the verdict, with the feature.
    for (const [state, verdict] of [["unknown", "not known"], ["fails", "does not run"]]) {
      expect(`cells in the words of ${state}`, all(`td.${state}`, section).filter((cell) => cell.textContent.startsWith(`${verdict}: `)).length, of[state]);
    }
    expect("functions", all(".graph rect", section).length, module.calls.functions.length);
    expect("calls", all(".graph path", section).length, module.calls.edges.length);
    expect("conditional calls", all(".graph .conditional", section).length, module.calls.edges.filter((edge) => edge.when).length);
    if (module.against) expect("differences", all("ul > li > code", section).length, module.against.length);
    const boxes = new Set(all(".graph g[transform]", section).map((node) => node.getAttribute("transform")));
    expect("places of functions", boxes.size, module.calls.functions.length);
  });
  // Each cell that says no explains itself; where an instruction is the cause, with the path to it.
  const cell = all("td.fails > button, td.packed > button")[0];
  if (cell) {
    cell.click();
    const dialog = document.querySelector("dialog");
    expect("the dialog", dialog.open, true);
    if (modules.some((module) => module.paths.length)) expect("a path", all(".path code", dialog).length > 0, true);
    dialog.close();
  }
  // Sorting by a column orders the rows, and searching hides those without the text.
  const [search] = all('input[type="search"]');
  const rows = () => all("tbody tr", document.querySelector(".table")).filter((row) => !row.classList.contains("hidden"));
  const before = rows().length;
  search.value = "no such name anywhere";
  search.dispatchEvent(new Event("input"));
  expect("rows that a search leaves", rows().length, 0);
  search.value = "";
  search.dispatchEvent(new Event("input"));
  expect("rows after the search", rows().length, before);
  const head = document.querySelectorAll("thead th")[1];
  head.querySelector("button").click();
  expect("the sorted column", head.getAttribute("aria-sort"), "ascending");
  const names = rows().map((row) => row.children[1].textContent);
  expect("the order", names.join(), [...names].sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join());
  const found = await axe.run(document, { resultTypes: ["violations"] });
  problems.push(...found.violations.map((violation) => `${violation.id}: ${violation.nodes[0].html.slice(0, 200)}`));
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(problems);
  document.body.replaceChildren(result);
}

const scripts = [axe, `(${probe})().catch((error) => { document.body.innerHTML = '<pre id="probe"></pre>'; document.body.firstChild.textContent = String(error); });\n${probe.name};`];
const inserted = scripts.map((script) => `<script>${script.replaceAll("</script", "<\\/script")}</script>`).join("\n");
const at = page.lastIndexOf("</body>");
process.stdout.write(page.slice(0, at) + inserted + page.slice(at));
