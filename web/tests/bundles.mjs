// Opens bundles of the package in Chromium: `node bundles.mjs CHROMIUM PLAYWRIGHT DEVICES FOLDER USER`. Each folder below FOLDER is served, and
// its page must show so many devices; so must dev.html in the folder USER, which Vite serves as it does for people who write it. Without the WebAssembly,
// the page says what to do.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [chromiumPath, playwright, devices, folder, user] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
// The address of a page is also that of what is not there, as on servers of pages with one file, or there is nothing.
const serve = (root, isThere = () => true, fallback) => new Promise((done) => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html");
    const name = isThere(path) ? path : fallback;
    try {
      const body = readFileSync(`${root}${name}`);
      response.writeHead(200, { "content-type": types[name.split(".").pop()] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1", () => done({ server, address: `http://127.0.0.1:${server.address().port}/` }));
});
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const shows = async (address) => {
  const tab = await browser.newPage();
  await tab.goto(address);
  await tab.waitForFunction(() => document.querySelector("#o").textContent, undefined, { timeout: 60000 });
  return tab.textContent("#o");
};
for (const bundle of readdirSync(folder)) {
  const { server, address } = await serve(`${folder}/${bundle}`);
  assert.equal(await shows(address), `${devices} devices`, bundle);
  server.close();
}
const { createServer: createVite } = await import(pathToFileURL(createRequire(`${user}/`).resolve("vite")));
const vite = await createVite({ root: user, logLevel: "warn", server: { host: "127.0.0.1" } });
await vite.listen();
assert.equal(await shows(`${vite.resolvedUrls.local[0]}dev.html`), `${devices} devices`, "Vite's server");
await vite.close();
const isScript = (path) => !path.endsWith(".wasm");
for (const [fallback, reason] of [[undefined, "is answered by 404"], ["/index.html", "is not WebAssembly"]]) {
  const { server, address } = await serve(`${folder}/esbuild`, isScript, fallback);
  assert.equal(await shows(address).then((text) => text.replace(/404 .*:/, "404:")), `${address}spirv-if.wasm ${reason}: put spirv-if.wasm there, or give its URL or bytes to load()`);
  server.close();
}
await browser.close();
console.log(`bundles in Chromium: ${readdirSync(folder).join(", ")}, and Vite's server`);
