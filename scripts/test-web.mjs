// Uses the package as a user does: `node test-web.mjs PROGRAM FIXTURES WORK`, in a folder where spirv-if is installed. What the calls make is what
// the program writes, byte for byte.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { SpirvIfError, devices, inspect, pack, report, specialize, trim } from "spirv-if";

const [program, fixtures, work] = process.argv.slice(2);
const run = (...words) => execFileSync(program, words, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", maxBuffer: 1 << 28 });
const equal = (found, path, about) => assert.ok(Buffer.from(found).equals(readFileSync(path)), `${about}: other bytes than the program's`);
// The outcome of the program: true, or false where it fails.
const works = (...words) => {
  try { run(...words); return true; } catch { return false; }
};

let compared = 0, refused = 0;
for (const file of ["glsl", "opencl", "hlsl"].flatMap((folder) => existsSync(`${fixtures}/${folder}`) ? readdirSync(`${fixtures}/${folder}`).filter((name) => name.endsWith(".spv")).map((name) => `${fixtures}/${folder}/${name}`) : [])) {
  const bytes = readFileSync(file);
  const both = async (about, made, ...words) => {
    const out = `${work}/out.spv`;
    const ours = await made.then((own) => own, (error) => error);
    if (works(...words, file, "-o", out)) {
      assert.ok(!(ours instanceof Error), `${about} ${file}: ${ours}`);
      equal(ours.module, out, `${about} ${file}`);
      compared += 1;
      return ours;
    }
    assert.ok(ours instanceof SpirvIfError && ours.kind !== "internal", `${about} ${file}: ${ours}`);
    refused += 1;
    return null;
  };
  const packed = await both("pack", pack(bytes), "pack", "-q", "--force");
  if (packed && packed.calls.length) equal(Buffer.from(packed.properties), `${work}/out.prop`, `properties of ${file}`);
  await both("trim", trim(bytes), "trim", "-q", "--force");
  await both("specialize", specialize(bytes, { device: "intel_gpu_pvc" }), "specialize", "-q", "--force", "--device", "intel_gpu_pvc");
}
assert.ok(compared > 30 && refused > 0, `${compared} compared, ${refused} refused`);

const reduce = `${fixtures}/glsl/reduce.spv`;
const { failures, ...inspection } = await inspect(readFileSync(reduce), { name: reduce });
assert.deepEqual(inspection, JSON.parse(run("inspect", reduce, "--format", "json")));
assert.deepEqual(failures, []);
run("inspect", reduce, "--format", "html", "-o", `${work}/report.html`);
equal(Buffer.from(await report(readFileSync(reduce), { name: reduce })), `${work}/report.html`, "the report");
const names = (await devices()).map((device) => device.name);
assert.deepEqual(names, run("devices").trim().split("\n").map((line) => line.split(" ")[0]));

// Errors have a kind, and the next call works.
const kind = async (expected, made) => assert.equal(await made.then(() => "none", (error) => error.kind), expected);
await kind("load", pack(new Uint8Array(readFileSync(reduce)).slice(0, 333)));
await kind("request", inspect(new Uint8Array(100)));
await kind("request", specialize(readFileSync(reduce), { device: "no_such_device" }));
await kind("request", pack(readFileSync(reduce), { dialect: "none" }));
await kind("refused", specialize(readFileSync(`${fixtures}/opencl/plain.spv`), { device: "intel_gpu_acm_g10" }));
console.log(`npm package: ${compared} results as the program's, ${refused} refused by both`);
