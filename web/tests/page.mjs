// Uses the page as a person does, in Chromium: `node page.mjs CHROMIUM PLAYWRIGHT AXE PAGE PROGRAM FIXTURES LARGE WORK [PICTURE]`. What it makes is
// what the program writes, byte for byte; LARGE is a library whose time is printed. Pictures come into WORK/pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { accessible, colours, launch, opened as openedTab, picture as pictureOf, widths } from "./browser.mjs";

const [chromiumPath, playwright, axe, page, program, fixtures, large, work, picture] = process.argv.slice(2);
const run = (...words) => execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
const answerOf = (...words) => JSON.parse(execFileSync(program, ["inspect", ...words, "--format", "json"], { maxBuffer: 2 ** 28 })).files[0].modules[0].answer;
const browser = await launch(chromiumPath, playwright);

const opened = async (colorScheme, width) => {
  const tab = await openedTab(browser, `file://${page}`, { colorScheme, width });
  await tab.waitForFunction(() => document.querySelectorAll("#device option").length > 50);
  return tab;
};
const status = (tab, text) => tab.waitForFunction((text) => document.getElementById("status").textContent.includes(text), text, { timeout: 60000 });
const choose = async (tab, path, text = "is read:") => {
  await tab.setInputFiles("#file", path);
  await status(tab, text);
  await tab.waitForSelector("article.module #work");
};
// Drops files, as the browser would.
const drop = (tab, ...paths) => tab.evaluate((files) => {
  const transfer = new DataTransfer();
  for (const { name, base64 } of files) {
    transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
  }
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, paths.map((path) => ({ name: path.split("/").pop(), base64: readFileSync(path).toString("base64") })));
const makeIt = async (tab, file) => {
  await tab.click("#work button[type=submit]");
  const link = tab.locator(`#result a[download="${file}"]`);
  const [download] = await Promise.all([tab.waitForEvent("download"), link.click({ timeout: 20000 })]);
  return readFileSync(await download.path());
};
const same = (found, path, about) => assert.ok(found.equals(readFileSync(path)), `${about}: other bytes than the program's`);
const violations = (tab, about) => accessible(tab, axe, about);
const ready = (tab, name) => tab.waitForSelector(`article.module[aria-label="${name}"] #work`);
const answer = async (tab, selector = "article > .answer") => (await tab.textContent(selector)).replace(/\s+/g, " ").trim();
const plain = (text) => text.replaceAll("`", "");
const isEnabled = (tab, selector) => tab.locator(selector).isEnabled();

// True if a message is in the window, and near the control that caused it.
const inSight = async (tab, message, control) => {
  const [box, beside] = [await tab.locator(message).first().boundingBox(), await tab.locator(control).boundingBox()];
  assert.ok(box.y >= 0 && box.y < 900 && Math.abs(box.y - beside.y) < 220, `${message} is at ${box.y}, ${control} at ${beside.y}`);
};

const tab = await opened("light");
// Nothing leaves: no connection is possible, and none was made.
const requests = [];
tab.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) requests.push(request.url()); });
// It is the policy that refuses, in the page and in its worker, not a network that is not there.
const refusal = () => new Promise((done) => {
  self.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
  fetch("https://example.org/").then(() => done("answered"), () => setTimeout(() => done("failed"), 1000));
});
for (const own of [tab, ...tab.workers()]) assert.equal(await own.evaluate(refusal), "connect-src", own.url());
assert.ok(tab.workers().length > 0);
assert.ok(/Nothing leaves your browser/.test(await tab.textContent("header")));
// It begins with an example and its answer, which one click opens.
const reduceAnswer = answerOf(`${fixtures}/glsl/reduce.spv`);
await tab.waitForFunction(() => document.getElementById("example-answer").textContent);
assert.equal(await tab.textContent("#example-answer"), `None of ${reduceAnswer.devices} devices runs it. ${reduceAnswer.gains[0].devices} more after pack.`);
assert.match(await tab.textContent("#try pre"), /f16vec2 sum\[4\]/);
await tab.click("#example");
await ready(tab, "reduce.spv");
assert.equal(await answer(tab), plain(reduceAnswer.text));
assert.ok(!(await tab.locator("#try").isVisible()) && new URL(tab.url()).hash === "#example=yes");
assert.match(await tab.getAttribute("meta[http-equiv]", "content"), /default-src 'none'.*connect-src 'none'/);

// pack, by a drop.
await drop(tab, `${fixtures}/glsl/reduce.spv`);
await status(tab, "reduce.spv is read:");
await ready(tab, "reduce.spv");
// It begins with the answer, which is that of the program, and what takes part in it can be chosen.
assert.equal(await answer(tab), plain(answerOf(`${fixtures}/glsl/reduce.spv`).text));
assert.equal(await tab.inputValue("#what"), "pack", "what gains devices");
for (const id of ["#device", "#unset", "#adapt", "#trim"]) assert.ok(!(await isEnabled(tab, id)), `${id} does not matter for pack`);
run("pack", "-q", "--force", `${fixtures}/glsl/reduce.spv`, "-o", `${work}/packed.spv`);
same(await makeIt(tab, "reduce.packed.spv"), `${work}/packed.spv`, "pack");
same(await makeIt(tab, "reduce.packed.prop"), `${work}/packed.prop`, "pack's properties");
// The report in the page has the data of the program's.
run("inspect", `${fixtures}/glsl/reduce.spv`, "--format", "html", "-o", `${work}/report.html`);
const tab2 = await openedTab(browser, `file://${work}/report.html`);
const groups = (tab) => tab.locator(".group").allTextContents();
assert.deepEqual(await groups(tab), await groups(tab2), "devices of the report");
// What pack changed: the new capabilities, and both texts side by side, which together are those of spirv-dis.
const disassembly = (path) => execFileSync(process.env.SPIRV_DIS, ["--raw-id", "--no-header", "--no-indent", "--no-color", path], { encoding: "utf8" });
const sides = async () => {
  await tab.evaluate(() => document.querySelectorAll(".diff details").forEach((own) => { own.open = true; }));
  await tab.waitForFunction(() => [...document.querySelectorAll(".diff details")].every((own) => own.children.length > 1));
  const column = (index) => tab.locator(".diff .pair").evaluateAll((rows, index) => rows.map((row) => row.children[index].textContent).filter(Boolean), index);
  return [await column(0), await column(1)];
};
const opcodes = (lines) => lines.map((line) => line.match(/Op\w+/)[0]);
const areSides = async (before, after, hasEqualIds = true) => {
  const lines = (path) => disassembly(path).split("\n").slice(0, -1);
  assert.deepEqual((await sides()).map(opcodes), [before, after].map(lines).map(opcodes));
  const [gone, added] = (await tab.textContent(".changes .label:nth-of-type(2)")).match(/[\d,]+(?= lines? gone|(?: new))/g).map((number) => Number(number.replace(",", "")));
  // As many as a text without the lines of the other has at least.
  const rest = (own, other) => own.filter((line) => !other.includes(line)).length;
  if (hasEqualIds) assert.ok(gone >= rest(lines(before), lines(after)) && added >= rest(lines(after), lines(before)), `${gone} gone, ${added} new`);
  else assert.ok(gone < lines(before).length / 3, `${gone} gone: ids count`);
  assert.ok(gone + added > 0);
  assert.equal(gone - added, lines(before).length - lines(after).length);
};
await areSides(`${fixtures}/glsl/reduce.spv`, `${work}/packed.spv`);
assert.ok((await tab.locator(".chips .added").allTextContents()).includes("SpecConditionalINTEL"));
assert.equal((await tab.locator(".numbers strong").allTextContents())[0], readFileSync(`${work}/packed.spv`).length.toLocaleString("en"));

assert.deepEqual(await tab.locator(".cause").allTextContents(), await tab2.locator(".cause").allTextContents(), "causes of the report");
await tab2.close();
// Saved, it is that file.
execFileSync(program, ["inspect", "reduce.spv", "--format", "html", "-o", `${work}/saved.html`], { cwd: `${fixtures}/glsl` });
const [saved] = await Promise.all([tab.waitForEvent("download"), tab.click("#save")]);
same(readFileSync(await saved.path()), `${work}/saved.html`, "the report");
await violations(tab, "light");

// specialize, for a device of the table.
await tab.selectOption("#what", "specialize");
assert.ok(!(await isEnabled(tab, "#make")), "there is nothing to specialize for");
await tab.selectOption("#device", "intel_gpu_bmg_g21");
assert.ok((await isEnabled(tab, "#make")) && (await isEnabled(tab, "#adapt")));
await tab.check("#trim");
run("specialize", "-q", "--force", `${fixtures}/glsl/reduce.spv`, "--device", "intel_gpu_bmg_g21", "--trim", "-o", `${work}/bmg.spv`);
same(await makeIt(tab, "reduce.intel_gpu_bmg_g21.spv"), `${work}/bmg.spv`, "specialize");
await areSides(`${fixtures}/glsl/reduce.spv`, `${work}/bmg.spv`);
// A device is chosen by its product, and what is chosen stands in the address: not the file.
await tab.selectOption("#device", { label: "GeForce RTX 3080" });
assert.equal(await tab.inputValue("#device"), "nvidia_gpu_sm_86");
assert.equal(await tab.locator("#device optgroup[label=NVIDIA] option", { hasText: "GeForce RTX 3080" }).count(), 1);
assert.equal(new URL(tab.url()).hash, "#make=specialize&device=nvidia_gpu_sm_86&trim=yes");
assert.equal(await tab.locator("#outcome > *").count(), 0, "a result stands for other choices");
// trim, which is offered only where something is superfluous.
assert.ok(await tab.locator('#what option[value="trim"]').evaluate((option) => option.disabled), "everything is required");
await choose(tab, `${fixtures}/opencl/device_if.spv`, "device_if.spv is read:");
await tab.selectOption("#what", "trim");
assert.ok(!(await isEnabled(tab, "#device")));
run("trim", "-q", "--force", `${fixtures}/opencl/device_if.spv`, "-o", `${work}/trimmed.spv`);
same(await makeIt(tab, "device_if.trimmed.spv"), `${work}/trimmed.spv`, "trim");

// Lowering: a module in which nothing else depends on devices, as one for all of them and for one of them, with what was replaced.
const long = `${fixtures}/vulkan/long.spv`;
await choose(tab, long, "long.spv is read:");
await tab.selectOption("#what", "pack");
await tab.uncheck("#lower");
assert.ok(!(await isEnabled(tab, "#make")), "there is nothing to pack");
await tab.check("#lower");
run("pack", "-q", "--force", long, "--lower", "-o", `${work}/lowered.spv`);
same(await makeIt(tab, "long.packed.spv"), `${work}/lowered.spv`, "pack --lower");
const twins = async () => (await tab.locator("#result span").allTextContents()).filter((text) => text.includes("lowered"));
assert.match((await twins()).join(), /^where .*Int64.*: lowered Int64 with equal bits/);
await tab.selectOption("#what", "specialize");
await tab.selectOption("#device", "vulkan_vp_android_2022");
await tab.uncheck("#trim");
run("specialize", "-q", "--force", long, "--device", "vulkan_vp_android_2022", "--lower", "-o", `${work}/phone.spv`);
same(await makeIt(tab, "long.vulkan_vp_android_2022.spv"), `${work}/phone.spv`, "specialize --lower");
assert.match((await twins()).join(), /^lowered Int64 with equal bits/);
await tab.uncheck("#lower");

// Constants: tied to features, and set.
const guarded = `${fixtures}/annotations/guarded.spv`;
await choose(tab, guarded, "guarded.spv is read:");
writeFileSync(`${work}/guarded.yaml`, "spec-constants: { 1: fp16, 2: cap(GroupNonUniformArithmetic) }\n");
await tab.selectOption("#what", "pack");
await tab.fill('input[data-when="1"]', "fp16");
await tab.fill('input[data-when="2"]', "cap(GroupNonUniformArithmetic)");
// Meanwhile the devices are counted anew: as the program does with the same annotations.
const tied = answerOf(guarded, "--annotations", `${work}/guarded.yaml`);
await tab.waitForFunction((text) => document.querySelector("[aria-live] .answer")?.textContent.replace(/\s+/g, " ").trim() === text, plain(tied.text));
assert.deepEqual(await tab.locator(".gains > li").allTextContents(), tied.gains.map(({ devices, remedy }) => `${devices} more after ${plain(remedy)}`));
run("pack", "-q", "--force", guarded, "--annotations", `${work}/guarded.yaml`, "-o", `${work}/guarded.spv`);
same(await makeIt(tab, "guarded.packed.spv"), `${work}/guarded.spv`, "pack with constants");
if (picture) {
  await tab.waitForSelector("#outcome .changes");
  await tab.locator("#work .checks").evaluate((own) => own.scrollIntoView());
  await tab.screenshot({ path: picture });
}
await tab.selectOption("#what", "specialize");
await tab.fill('input[data-when="1"]', "");
await tab.fill('input[data-when="2"]', "");
// A Boolean is a check box, which sets nothing until it is touched.
assert.equal(await tab.getAttribute('input[data-value="1"]', "type"), "checkbox");
await tab.selectOption("#device", "");
assert.ok(!(await isEnabled(tab, "#make")));
assert.ok(!(await tab.isChecked('input[data-value="1"]')), "false by default");
await tab.check('input[data-value="1"]');
run("specialize", "-q", "--force", guarded, "--set", "1:true", "--trim", "-o", `${work}/set.spv`);
const set = answerOf(`${work}/set.spv`);
await tab.waitForFunction((text) => document.querySelector("[aria-live] .answer")?.textContent.replace(/\s+/g, " ").trim() === text, plain(set.text));
await tab.check("#trim");
// The field can be left as it was, and takes nothing with it.
await tab.click(".reset:visible");
await tab.waitForFunction(() => !document.querySelector("[aria-live] .answer"));
assert.ok(!(await tab.isChecked('input[data-value="1"]')));
await tab.check('input[data-value="1"]');
await tab.waitForSelector("[aria-live] .answer");
same(await makeIt(tab, "guarded.set.spv"), `${work}/set.spv`, "set constants");

// The address restores what was chosen, for whoever drops the module.
assert.match(new URL(tab.url()).hash, /set\.1=true/);
const again = await openedTab(browser, tab.url());
await choose(again, guarded, "guarded.spv is read:");
same(await makeIt(again, "guarded.set.spv"), `${work}/set.spv`, "what the address says");
await again.close();
// Flags are bits, and a value that is none is said beside the button.
const flags = `${fixtures}/flags/flags.spv`;
await choose(tab, flags, "flags.spv is read:");
await tab.selectOption("#what", "specialize");
assert.deepEqual(await tab.locator(".bits .tested").allTextContents(), ["3", "8"]);
await tab.check('[aria-label="Bit 3 of flags"]');
await tab.check('[aria-label="Bit 1 of flags"]');
assert.equal(await tab.inputValue('input[data-value="0"]'), "10");
run("specialize", "-q", "--force", flags, "--set", "0:10", "--trim", "-o", `${work}/flags.spv`);
same(await makeIt(tab, "flags.set.spv"), `${work}/flags.spv`, "bits");
await tab.fill('input[data-value="0"]', "perhaps");
await tab.waitForFunction(() => /the value is not/.test(document.getElementById("refusal").textContent));
await tab.fill('input[data-value="0"]', "");

// What lies beside a module counts: the same annotations as a file, dropped with it; then another one for the module that is there.
await drop(tab, `${work}/guarded.yaml`, guarded);
await status(tab, "guarded.spv is read with annotations:");
await ready(tab, "guarded.spv");
assert.equal(await tab.locator("input[data-when]").count(), 0, "the file says the conditions");
await tab.selectOption("#what", "pack");
same(await makeIt(tab, "guarded.packed.spv"), `${work}/guarded.spv`, "pack with a file of annotations");
writeFileSync(`${work}/other.yml`, "spec-constants: { 1: fp64 }\n");
await drop(tab, `${work}/other.yml`);
await tab.waitForFunction(() => /fp64/.test(document.querySelector("article")?.textContent ?? ""));
await ready(tab, "guarded.spv");
run("pack", "-q", "--force", guarded, "--annotations", `${work}/other.yml`, "-o", `${work}/other.spv`);
same(await makeIt(tab, "guarded.packed.spv"), `${work}/other.spv`, "pack with another file of annotations");
// Properties beside a module: the program finds them by their name.
copyFileSync(`${work}/packed.prop`, `${work}/beside.prop`);
copyFileSync(`${work}/packed.spv`, `${work}/beside.spv`);
await drop(tab, `${work}/beside.spv`, `${work}/beside.prop`);
await status(tab, "beside.spv is read with its properties:");
await ready(tab, "beside.spv");
await tab.selectOption("#what", "specialize");
await tab.selectOption("#device", "intel_gpu_bmg_g21");
run("specialize", "-q", "--force", `${work}/beside.spv`, "--device", "intel_gpu_bmg_g21", "--trim", "-o", `${work}/beside.bmg.spv`);
same(await makeIt(tab, "beside.intel_gpu_bmg_g21.spv"), `${work}/beside.bmg.spv`, "specialize with properties");
// Several modules at once, with properties by name; files without a module are ignored with a word.
writeFileSync(`${work}/notes.md`, "# Notes\n".repeat(20));
await drop(tab, guarded, `${work}/notes.md`, `${work}/beside.spv`, `${work}/beside.prop`);
await status(tab, "2 files are read with its properties: 2 modules.");
assert.match(await tab.textContent("#ignored"), /notes\.md is ignored: no SPIR-V module is in it/);
assert.equal(await tab.locator("#problems p").count(), 0);
await tab.locator(".list .row", { hasText: "beside.spv" }).click();
await ready(tab, "beside.spv");
await tab.selectOption("#what", "specialize");
await tab.selectOption("#device", "intel_gpu_bmg_g21");
same(await makeIt(tab, "beside.intel_gpu_bmg_g21.spv"), `${work}/beside.bmg.spv`, "specialize one of two");
await tab.locator(".list .row", { hasText: "guarded.spv" }).click();
await ready(tab, "guarded.spv");
assert.equal(await answer(tab), plain(answerOf(guarded).text));
await violations(tab, "two modules");

// A bundle opens: all its shaders.
execFileSync(program, ["bundle", "-q", `${fixtures}/merge`, `${fixtures}/glsl`, "-o", `${work}/app.spvb`]);
await drop(tab, `${work}/app.spvb`);
const bundled = execFileSync(program, ["inspect", `${work}/app.spvb`, "--format", "json"], { maxBuffer: 2 ** 28 });
await status(tab, `${JSON.parse(bundled).files.length} files are read`);
await tab.locator(".list .row", { hasText: "#reduce" }).first().click();
await tab.waitForSelector("article.module #work");
assert.match(await tab.getAttribute("article.module", "aria-label"), /^app\.spvb#/);

// Two modules are compared, as with --against.
await drop(tab, `${fixtures}/merge/scale.spv`, `${fixtures}/merge/scale-fp16.spv`);
await tab.waitForSelector(".compare .changes");
execFileSync(program, ["inspect", `${fixtures}/merge/scale-fp16.spv`, "--against", `${fixtures}/merge/scale.spv`, "--format", "html", "-o", `${work}/against.html`]);
const againstTab = await openedTab(browser, `file://${work}/against.html`);
assert.deepEqual(await tab.locator(".compare .differences > li").allTextContents(), await againstTab.locator(".differences > li").allTextContents());
await againstTab.close();
await areSides(`${fixtures}/merge/scale.spv`, `${fixtures}/merge/scale-fp16.spv`, false);
await violations(tab, "two modules compared");

// Errors say which file, and what to do.
const problem = async (name, bytes, pattern) => {
  writeFileSync(`${work}/${name}`, bytes);
  await choose(tab, guarded, "guarded.spv is read:");
  await tab.setInputFiles("#file", `${work}/${name}`);
  await tab.waitForSelector("#problems p");
  const text = await tab.textContent("#problems");
  // The report on the module before is gone, and the message is in sight.
  assert.equal(await tab.locator("#report > *").count(), 0, `${name}: an old report`);
  assert.ok(!(await tab.locator("#work").isVisible()));
  await inSight(tab, "#problems p", "#file");
  assert.ok(text.includes(name) && pattern.test(text), `${name}: ${text}`);
};
const reduce = readFileSync(`${fixtures}/glsl/reduce.spv`);
await problem("cut.spv", reduce.subarray(0, 333), /truncated.*\n.*Compile it again/);
await problem("empty.spv", "", /empty/);
await problem("shader.comp", "#version 450\nvoid main() {}\n", /text: compile it first[^]*glslc/);
await problem("text.spv", "#version 450\n".repeat(20), /no SPIR-V module|not a SPIR-V module/);
const broken = Buffer.from(reduce);
broken.writeUInt32LE(0x00000000, 20);
await problem("broken.spv", broken, /word count of zero/);
// The verdicts, in the words of the program.
for (const [folder, name, device, verdict, cell] of [
  ["glsl", "reduce", "arm_gpu_mali_v10", "not known, since nothing says if it has work-group size 256, maxComputeWorkGroupSize[0] of 256", "not known: nothing says if it has work-group size 256"],
  ["stages", "kernels", "intel_gpu_bdw", "runs", "does not run: lacks sub-group size 16"],
  ["opencl", "plain", "intel_gpu_pvc", "runs", "runs after specialize --lower: lacks Float64"],
]) {
  await choose(tab, `${fixtures}/${folder}/${name}.spv`, `${name}.spv is read:`);
  await tab.selectOption("#what", "specialize");
  await tab.uncheck("#trim");
  await tab.selectOption("#device", device);
  await makeIt(tab, `${name}.${device}.spv`);
  const product = await tab.locator("#device").evaluate((own) => own.selectedOptions[0].textContent);
  assert.ok((await tab.locator("#result span").allTextContents()).includes(`${product} (${device}): ${verdict}`), await tab.textContent("#result"));
  const cells = await tab.locator("#report .group .badge").allTextContents();
  assert.ok(cells.includes(cell), [...new Set(cells)].join());
}
await tab.selectOption("#device", "intel_gpu_acm_g10");
await tab.click("#work button[type=submit]");
await tab.waitForSelector("#refusal p");
assert.match(await tab.textContent("#refusal"), /plain\.spv: does not run on intel_gpu_acm_g10[^]*Choose another device/);
await inSight(tab, "#refusal p", "#make");
await violations(tab, "light, with an error");
assert.deepEqual(requests, ["https://example.org/"].filter((url) => requests.includes(url)), "requests");
await tab.close();

// An answer that comes late is not shown beside what was chosen or opened meanwhile.
{
  const late = await opened("light");
  const links = () => late.locator("#result a").evaluateAll((all) => all.map(({ download }) => download));
  const row = (name) => late.locator(".list .row", { hasText: name });
  // Another device, right after Make.
  await choose(late, `${fixtures}/opencl/device_if.spv`);
  await late.selectOption("#what", "specialize");
  await late.evaluate(() => {
    const device = document.getElementById("device");
    for (const name of ["intel_gpu_pvc", "intel_gpu_bmg_g21"]) {
      device.value = name;
      device.dispatchEvent(new Event("input", { bubbles: true }));
      document.getElementById("make").click();
    }
  });
  await late.waitForSelector("#outcome .changes");
  assert.deepEqual(await links(), ["device_if.intel_gpu_bmg_g21.spv"], "results of another device");
  assert.deepEqual((await late.locator("#result span").allTextContents()).filter((text) => /_gpu_/.test(text)).map((text) => text.match(/\((\w+)\): (.*)/).slice(1)), [["intel_gpu_bmg_g21", "runs"]]);
  // Another module of the report, right after Make.
  await drop(late, `${fixtures}/glsl/reduce.spv`, flags, guarded);
  for (const name of ["guarded.spv", "flags.spv", "reduce.spv"]) {
    await row(name).click();
    await ready(late, name);
  }
  await late.evaluate(() => {
    document.getElementById("make").click();
    [...document.querySelectorAll(".list .row")].find(({ textContent }) => textContent.includes("guarded.spv")).click();
    document.querySelector('input[data-value="1"]').click();
    document.getElementById("make").click();
  });
  await ready(late, "guarded.spv");
  await late.waitForSelector("#outcome .changes");
  assert.deepEqual(await links(), ["guarded.intel_gpu_bmg_g21.spv"], "results of another module");
  // The error of a value, which comes a moment after typing, when another module is open already.
  await row("flags.spv").click();
  await late.fill('input[data-value="0"]', "perhaps");
  await row("guarded.spv").click();
  await ready(late, "guarded.spv");
  await late.waitForTimeout(1000);
  assert.equal(await late.textContent("#refusal"), "", "an error of another module");
  // Another file, right after Make and Save: the report is downloaded, and nothing stands under the other file.
  await choose(late, `${fixtures}/glsl/reduce.spv`, "reduce.spv is read:");
  await late.evaluate(() => {
    window.added = [];
    const observer = new MutationObserver((records) => records.forEach(({ addedNodes }) => window.added.push(...[...addedNodes].map(({ textContent }) => textContent))));
    ["result", "refusal", "outcome"].forEach((id) => observer.observe(document.getElementById(id), { childList: true }));
  });
  const pressed = (id, path) => late.evaluate(([id, base64]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], "other.spv"));
    document.getElementById(id).click();
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [id, readFileSync(path).toString("base64")]);
  await pressed("make", guarded);
  await ready(late, "other.spv");
  const [report] = await Promise.all([late.waitForEvent("download"), pressed("save", flags)]);
  assert.equal(report.suggestedFilename(), "other.spv.html");
  await status(late, "other.spv is read:");
  await ready(late, "other.spv");
  assert.deepEqual(await late.evaluate(() => window.added), [], "results of another file");
  // Another file, while a module is examined.
  await late.evaluate((base64) => {
    const observer = new MutationObserver(() => {
      if (!/is examined/.test(document.getElementById("report").textContent)) return;
      observer.disconnect();
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], "last.spv"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    observer.observe(document.getElementById("report"), { childList: true, subtree: true });
  }, readFileSync(guarded).toString("base64"));
  await drop(late, `${fixtures}/glsl/reduce.spv`);
  await ready(late, "last.spv");
  assert.equal(await answer(late), plain(answerOf(guarded).text));
  await late.close();
}

// As people see it first, and with a module: on a phone and on a screen, in light and dark.
for (const colorScheme of colours) {
  for (const width of widths) {
    const own = await opened(colorScheme, width);
    await pictureOf(own, `${work}/pictures`, `empty-${width}-${colorScheme}`, false);
    await violations(own, `empty, ${width} pixels, ${colorScheme}`);
    await own.click("#example");
    await ready(own, "reduce.spv");
    await makeIt(own, "reduce.packed.spv");
    await own.waitForSelector("#outcome .changes");
    await own.locator("#work").evaluate((form) => form.scrollIntoView());
    await pictureOf(own, `${work}/pictures`, `changes-${width}-${colorScheme}`, false);
    await violations(own, `changes, ${width} pixels, ${colorScheme}`);
    await choose(own, `${fixtures}/flags/flags.spv`);
    await own.locator("#work").evaluate((form) => form.scrollIntoView());
    await pictureOf(own, `${work}/pictures`, `bits-${width}-${colorScheme}`, false);
    await violations(own, `bits, ${width} pixels, ${colorScheme}`);
    await drop(own, `${fixtures}/merge/scale.spv`, `${fixtures}/merge/scale-fp16.spv`);
    await own.waitForSelector(".compare .changes");
    await pictureOf(own, `${work}/pictures`, `compare-${width}-${colorScheme}`);
    await choose(own, guarded);
    await pictureOf(own, `${work}/pictures`, `answer-${width}-${colorScheme}`, false);
    await own.evaluate(() => document.querySelectorAll("article details").forEach((details) => { details.open = true; }));
    await violations(own, `${width} pixels, ${colorScheme}`);
    await pictureOf(own, `${work}/pictures`, `module-${width}-${colorScheme}`);
    await own.close();
  }
}

// A large library: read, and drawn.
{
  const wide = await opened("light");
  const start = Date.now();
  await wide.setInputFiles("#file", large);
  await status(wide, "is read:");
  await wide.waitForSelector(".list .row");
  const took = Date.now() - start;
  // Groups with equal requirements, of which those in sight are there.
  const heading = await wide.textContent("#report h2");
  const modules = Number((await wide.textContent("#status")).match(/: ([\d,]+) modules/)[1].replace(",", ""));
  assert.ok(modules > 1000, `${modules} modules`);
  // As many as the program says, and no two look alike.
  const said = execFileSync(program, ["inspect", large], { encoding: "utf8" });
  const [, groups] = said.match(/modules by .*, in (\d+) groups with equal requirements/);
  assert.equal(heading, `${groups} groups of modules with equal requirements`);
  assert.ok((await wide.locator(".list .row").count()) < 40);
  const first = wide.locator(".list .row").first();
  // The answer is that of the program.
  assert.ok(said.includes(await answer(wide, "#report > .answer")), said.slice(0, 400));
  const size = Number((await first.textContent()).match(/^(\d+) modules/)[1]);
  await first.click();
  assert.equal(await first.getAttribute("aria-expanded"), "true");
  const before = await wide.evaluate(() => document.querySelector(".list").scrollHeight);
  await wide.evaluate(() => { document.querySelector(".list").scrollTop = 1e9; });
  await wide.waitForFunction(() => document.querySelector(".list .row").style.top !== "0px");
  assert.ok((await wide.locator(".list .row").count()) < 40);
  assert.ok(before > 56 * (size + 100), `${before} pixels`);
  await wide.evaluate(() => { document.querySelector(".list").scrollTop = 0; });
  // Which modules run on a device.
  await wide.fill("#report input[type=search]", "rtx 3080");
  await wide.waitForFunction(() => /run/.test(document.querySelector(".of-device")?.textContent), undefined, { timeout: 120000 });
  const onDevice = JSON.parse(execFileSync(program, ["inspect", large, "--devices", "nvidia_gpu_sm_86", "--format", "json"], { maxBuffer: 2 ** 29 })).files[0].modules.map(({ device_groups: [group] }) => group.verdict);
  const verdicts = { runs: "run", "runs after a remedy": "run after a command", "not known": "are not known", "does not run": "do not run" };
  const counts = Object.entries(verdicts).map(([verdict, text]) => [onDevice.filter((own) => own === verdict).length, text]).filter(([number]) => number);
  assert.ok(counts.length > 1);
  assert.equal(await wide.textContent(".of-device"), `GeForce RTX 3080 (nvidia_gpu_sm_86): of 1,569 modules, ${counts.map(([number, text]) => `${number.toLocaleString("en")} ${text}`).join(", ")}.`);
  await pictureOf(wide, `${work}/pictures`, "library-device-1280-light");
  await wide.selectOption("#report .tools select >> nth=0", "");
  await wide.locator(".list .row.within").first().click();
  await wide.waitForSelector("article.module #work", { timeout: 60000 });
  await pictureOf(wide, `${work}/pictures`, "library-1280-light");
  await violations(wide, "a library");
  await wide.setViewportSize({ width: 390, height: 900 });
  await pictureOf(wide, `${work}/pictures`, "library-390-light");
  await violations(wide, "a library on a phone");
  // As a file to send, it is small, opens at once, and says the same. Constants and remedies, which take minutes here, are a fifth more.
  const { report } = await import(pathToFileURL(page.replace("index.html", "spirv-if-node.js")));
  const html = await report(readFileSync(large), { name: "library", skipConstants: true, skipRemedies: true });
  assert.ok(html.length < 3e6, `the report has ${html.length} bytes`);
  writeFileSync(`${work}/library.html`, html);
  // The machine may do something else meanwhile: the shortest time counts.
  let file = null, opening = Infinity;
  for (let round = 0; round < 3; round += 1) {
    await file?.close();
    const opens = Date.now();
    file = await openedTab(browser, `file://${work}/library.html`);
    await file.waitForSelector(".list .row");
    opening = Math.min(opening, Date.now() - opens);
  }
  assert.ok(opening < 1000, `it opens in ${opening} ms`);
  assert.equal(await file.textContent("#report h2"), heading);
  const rows = await file.evaluate(async () => {
    const list = document.querySelector(".list"), texts = new Map();
    for (let at = 0; at <= list.scrollHeight; at += 200) {
      list.scrollTop = at;
      await new Promise((done) => setTimeout(done, 20));
      list.querySelectorAll(".row").forEach((row) => texts.set(row.style.top, row.textContent));
    }
    return [...texts.values()];
  });
  assert.deepEqual([rows.length, new Set(rows).size], [Number(groups), Number(groups)], "rows that look alike");
  await file.selectOption("#report .tools select >> nth=0", { label: "GeForce RTX 3080" });
  assert.match(await file.textContent(".of-device"), /^GeForce RTX 3080 \(nvidia_gpu_sm_86\): of 1,569 modules, [\d,]+ run, /);
  await file.selectOption("#report .tools select >> nth=1", "runs");
  await file.waitForFunction(() => [...document.querySelectorAll(".list .row .dot")].every((dot) => dot.classList.contains("runs")));
  await pictureOf(file, `${work}/pictures`, "library-file-1280-light");
  console.log(`the report of the library: ${html.length} bytes, opened in ${opening} ms`);
  await file.close();
  console.log(`${modules} modules of ${(readFileSync(large).length / 1e6).toFixed(1)} MB after ${took} ms`);
  await wide.close();
}
await browser.close();
console.log("the page: drop, choose, set, download, errors; nothing inaccessible in light and dark; no connection");
