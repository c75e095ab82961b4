// What the tests of pages share: a browser, what axe-core finds, and pictures in the sizes and colours that people have.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

export const widths = [390, 1280];
export const colours = ["light", "dark"];

/** Starts Chromium. */
export const launch = (chromium, playwright) => createRequire(import.meta.url)(playwright).chromium.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });

/** Opens an address in a tab, in which an error is one of the test. */
export async function opened(browser, address, { width = 1280, colorScheme = "light" } = {}) {
  const tab = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  tab.on("pageerror", (error) => { throw error; });
  await tab.goto(address);
  return tab;
}

/** Asserts that axe-core finds nothing that keys or screen readers could not use, and that nothing is wider than the window. */
export async function accessible(tab, axe, about) {
  // The policy of a page may forbid scripts of others, and the probe is one: it comes by the debugger.
  await tab.evaluate(`${readFileSync(axe, "utf8")};0`);
  const found = await tab.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(found.violations.map((own) => `${own.id}: ${own.nodes[0].html.slice(0, 200)}`), [], about);
  const wider = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wider, 0, `${about}: wider than the window by ${wider} pixels`);
}

/** Writes a picture into a folder, for people to look at: of the whole page, or of what is in sight first. */
export async function picture(tab, folder, name, fullPage = true) {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}/${name}.png`;
  await tab.screenshot({ path, fullPage });
  assert.ok(readFileSync(path).length > 10000, `${path} is empty`);
}
