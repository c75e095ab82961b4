// Looks at reports of `inspect` and `check --format html` in Chromium: `node report.mjs CHROMIUM PLAYWRIGHT AXE FOLDER`. What they draw is what
// their data says; pictures of each come into FOLDER/pictures.
import assert from "node:assert/strict";
import { accessible, colours, launch, opened, picture, widths } from "./browser.mjs";

const [chromium, playwright, axe, folder] = process.argv.slice(2);
const browser = await launch(chromium, playwright);
const kinds = { "does not run": "fails", "runs after a remedy": "packed", "not known": "unknown", runs: "runs", "takes no such modules": "other" };

// The drawing of one module, with everything in it open.
async function looks(tab, module, about) {
  const article = tab.locator("article.module");
  await tab.evaluate(() => document.querySelectorAll("article details").forEach((own) => { own.open = true; }));
  await tab.waitForTimeout(200);
  const all = (selector) => article.locator(selector);
  const texts = async (selector) => (await all(selector).allTextContents());
  const answer = (await all("> .answer").textContent()).replace(/\s+/g, " ");
  assert.equal(answer, module.answer.text.replaceAll("`", ""), about);
  assert.ok(await all("> .answer strong").isVisible());
  // Devices: each is in one group, with its verdict; those that differ come first.
  const groups = await all(".group").evaluateAll((own) => own.map((group) => ({ kind: group.dataset.verdict, devices: group.querySelectorAll(".devices > li").length })));
  const sum = (kind, of) => of.filter((group) => group.kind === kind).reduce((total, group) => total + group.devices, 0);
  for (const [verdict, kind] of Object.entries(kinds)) {
    const wanted = module.device_groups.filter((group) => group.verdict === verdict).reduce((total, group) => total + group.devices.length, 0);
    assert.equal(sum(kind, groups), wanted, `${about}: devices that say ${verdict}`);
  }
  assert.equal(sum("runs", groups), module.answer.run, about);
  const order = groups.map((group) => Object.values(kinds).indexOf(group.kind));
  assert.deepEqual(order, [...order].sort(), `${about}: those that differ come first`);
  // Causes with their code and cost, and remedies with the devices that they gain.
  const features = new Set(module.device_groups.map((group) => group.missing).filter(Boolean));
  const causes = await texts(".cause");
  assert.equal(causes.length, features.size, `${about}: causes`);
  for (const feature of features) {
    const cause = causes.find((text) => text.startsWith(feature));
    const paths = module.paths.find((paths) => paths.missing === feature);
    assert.ok(cause, `${about}: ${feature}`);
    assert.ok(paths, `${about}: ${feature} has an origin`);
    if (!paths.cost) {
      assert.match(cause, /requires? it[.:]/, `${about}: ${cause}`);
      continue;
    }
    assert.ok(cause.includes(`${paths.cost.bytes.toLocaleString("en")} byte`), `${about}: ${cause}`);
    if (paths.cost.lines) assert.ok(cause.includes(`${paths.cost.lines} source line`), `${about}: ${cause}`);
    const [first] = paths.why[0].causes;
    assert.ok(cause.includes(first.instruction.opcode), `${about}: ${cause}`);
  }
  const gains = await texts(".gains > li");
  assert.equal(gains.length, module.answer.gains.length + Math.min(5, (module.constant_gains ?? []).length), `${about}: remedies`);
  // Where a command helps an entry point alone, that is said, as in the text of inspect.
  const roots = module.entry_points.length ? module.entry_points : module.exported_functions;
  const ofRoots = new Set(roots.map((root) => root.devices.answer.split(/(?<=\.) /).filter((sentence) => / more after /.test(sentence)).join(" ")).filter(Boolean));
  const changes = (await all("[aria-live]").first().textContent()).replace(/\s+/g, " ");
  for (const text of ofRoots) assert.ok(changes.includes(text.replaceAll("`", "")) || module.answer.text.includes(text), `${about}: ${changes} has no ${text}`);
  if (ofRoots.size) assert.ok(!/No command is known/.test(changes), `${about}: ${changes}`);
  for (const { remedy, devices, lowered } of module.answer.gains) {
    // What lowering costs is said in the words of the answer, where it stands in parentheses.
    const cost = lowered ? `; ${module.answer.text.split(`${remedy} (`)[1].split(")")[0]}` : "";
    assert.ok(gains.includes(`${devices} more after ${remedy.replaceAll("`", "")}${cost}`), `${about}: ${gains}`);
  }
  // The call graph.
  assert.equal(await all(".graph rect").count(), module.calls.functions.length, `${about}: functions`);
  assert.equal(await all(".graph path").count(), module.calls.edges.length, `${about}: calls`);
  assert.equal(await all(".graph .conditional").count(), module.calls.edges.filter((edge) => edge.when).length, `${about}: conditional calls`);
  const places = await all(".graph g[transform]").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("transform")));
  assert.equal(new Set(places).size, module.calls.functions.length, `${about}: places of functions`);
  // It opens at the paths to a missing feature: these functions alone are not faded.
  const selected = await all(".graph").count() && await tab.evaluate(() => document.querySelector("article .more select")?.selectedOptions[0].textContent);
  const paths = module.paths.find((paths) => paths.missing === selected);
  if (paths) {
    const wanted = new Set(paths.why.flatMap((why) => why.causes.flatMap((cause) => cause.calls.map((call) => call.id))));
    if (wanted.size) assert.equal(await all(".graph g[transform]:not(.faded)").count(), wanted.size, `${about}: the paths to ${selected}`);
  }
  // What variants cost: a line for each, with its figures.
  if (module.statistics) {
    const lines = await all(".statistics tbody tr").evaluateAll((rows) => rows.map((row) => ({ text: row.textContent, bars: row.querySelectorAll(".bar").length })));
    assert.equal(lines.length, module.statistics.variants.length + 1, `${about}: variants`);
    for (const [index, { cut, by_driver: byDriver }] of module.statistics.variants.entries()) {
      const { text, bars } = lines[index + 1];
      const figures = Object.values(cut.figures ?? {});
      assert.equal(bars, cut.failure ? 0 : figures.length + (byDriver ? 2 : 1), `${about}: ${text}`);
      for (const figure of figures) assert.ok(text.includes(figure.toLocaleString("en")), `${about}: ${text}`);
    }
    const advice = await texts(".statistics");
    assert.ok(advice[0].includes(module.statistics.driver), `${about}: ${advice}`);
  }
  if (module.against) assert.equal(await all(".differences > li").count(), module.against.length, `${about}: differences`);
}

async function looksAt(name) {
  for (const colorScheme of colours) {
    for (const width of widths) {
      const about = `${name}, ${width} pixels, ${colorScheme}`;
      const tab = await opened(browser, `file://${folder}/${name}.html`, { width, colorScheme });
      const data = await tab.evaluate(() => spirvIfUnpacked(JSON.parse(document.getElementById("data").textContent)));
      await picture(tab, `${folder}/pictures`, `${name}-${width}-${colorScheme}`, false);
      await accessible(tab, axe, about);
      if (data.runs) {
        const results = data.runs.flatMap((run) => run.results);
        assert.equal(await tab.locator("tbody tr").count(), results.length, about);
        assert.equal(await tab.locator(".path").count(), results.filter((result) => result.codeFlows).length, about);
        const head = tab.locator("thead th").nth(1);
        await head.locator("button").click();
        assert.equal(await head.getAttribute("aria-sort"), "ascending");
        const cells = await tab.locator("tbody tr td:nth-child(2)").allTextContents();
        assert.deepEqual(cells, [...cells].sort((one, other) => one.localeCompare(other, "en", { numeric: true })), "sorted");
        await searches(tab, "main > .tools input", "tbody tr");
      } else {
        const modules = data.files.flatMap((file) => file.modules);
        if (modules.length > 1) {
          // Groups, of which each is opened by a click, and only rows in sight exist.
          assert.ok(await tab.locator(".list .row").count() <= 30, about);
          assert.equal((await tab.locator("main > .answer").textContent()).replace(/\s+/g, " "), data.answer.text, about);
          await onDevice(tab, modules, about);
          await tab.locator(".list .row").first().click();
          await tab.waitForSelector("article.module");
        }
        const shown = await tab.evaluate(() => document.querySelector("article.module").getAttribute("aria-label"));
        await looks(tab, modules.length > 1 ? data.files.find((file) => shown.startsWith(file.file)).modules[0] : modules[0], about);
        await searches(tab, "article > .tools input", ".group");
        await accessible(tab, axe, `${about}, open`);
        await picture(tab, `${folder}/pictures`, `${name}-open-${width}-${colorScheme}`);
      }
      await tab.close();
    }
  }
  console.log(`${name}: drawn as its data says, nothing inaccessible, nothing wider than ${widths.join(" or ")} pixels`);
}
// Which modules run on a device: of those that are listed, by its product or as a text that no module has.
async function onDevice(tab, modules, about) {
  const name = "nvidia_gpu_sm_86", device = tab.locator("main > .tools select").first(), show = tab.locator("main > .tools select").nth(1);
  const verdicts = modules.map((module) => module.device_groups.find(({ devices }) => devices.some((own) => own.name === name)).verdict);
  const words = { runs: "run", "runs after a remedy": "run after a command", "not known": "are not known", "does not run": "do not run", "takes no such modules": "take no such modules" };
  const counts = Object.entries(words).map(([verdict, text]) => [verdicts.filter((own) => own === verdict).length, text]).filter(([count]) => count).map(([count, text]) => `${count} ${text}`);
  await tab.fill("main > .tools input", "rtx 3080");
  assert.equal(await tab.textContent(".of-device"), `GeForce RTX 3080 (${name}): of ${modules.length} modules, ${counts.join(", ")}.`, about);
  assert.equal(await device.inputValue(), name);
  for (const verdict of new Set(verdicts)) {
    await show.selectOption(verdict);
    const dots = await tab.locator(".list .row .dot").evaluateAll((all) => [...new Set(all.map((dot) => dot.className))]);
    assert.deepEqual(dots, [`dot ${kinds[verdict]}`], `${about}: ${verdict}`);
  }
  await accessible(tab, axe, `${about}, on a device`);
  await show.selectOption("");
  await device.selectOption("");
  assert.equal(await tab.textContent(".of-device"), "");
}
// A search hides the rows without its text.
async function searches(tab, field, rows) {
  const search = tab.locator(field).first();
  const before = await tab.locator(`${rows}:visible`).count();
  await search.fill("no such name anywhere");
  assert.equal(await tab.locator(`${rows}:visible`).count(), 0);
  await search.fill("");
  assert.equal(await tab.locator(`${rows}:visible`).count(), before);
}

for (const name of ["conditional", "several", "large", "against", "lines", "roots", "statistics", "findings"]) await looksAt(name);
await browser.close();
