// Makes index.html of what is in web, of the report's script and style, and of the WebAssembly: `node build-page.mjs FOLDER`, where the
// WebAssembly is. The policy allows the one script by its hash, and no connection.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const script = ["../inspect/src/report/html/report.js", "changes.js", "constants.js", "page.js"].map((path) => `\n${read(path)}`).join("");
const style = `\n${read("../inspect/src/report/html/report.css")}\n${read("page.css")}`;
// Of a file on a disk, browsers run no worker that is a JavaScript module.
const classic = read("spirv-if.js").replace(/^export /gm, "").replaceAll("import.meta.url", "self.location.href");
const calls = `\n${classic}\n${read("worker.js")}`;
for (const text of [script, calls]) if (/<\/script|<!--/i.test(text)) throw new Error("a script would end early");
const policy = ["default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval' blob:`, `style-src ${hash(style)}`, "worker-src blob:",
  "connect-src 'none'", "form-action 'none'", "base-uri 'none'"].join("; ");
const wasm = gzipSync(readFileSync(`${folder}/spirv-if.wasm`), { level: 9 }).toString("base64");
// The example: the loop in half precision, and the module.
const glsl = read("../fixtures/glsl/reduce.comp");
const source = glsl.slice(glsl.indexOf("void sum_in_half("), glsl.indexOf("void sum_in_float(")).trim().replace(/^ *\/\/.*\n/gm, "").replace(/&/g, "&amp;").replace(/</g, "&lt;");
const shader = readFileSync(new URL("../fixtures/glsl/reduce.spv", import.meta.url)).toString("base64");
const { version } = JSON.parse(read("package.json"));
const parts = { policy, style, calls, wasm, script, version, source, shader };
writeFileSync(`${folder}/index.html`, read("page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]));
