// Uses the package as a user does: `node package.mjs PROGRAM FIXTURES WORK`, in a folder where spirv-if is installed. What the calls make is what
// the program writes, byte for byte.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, existsSync, writeFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { SpirvIfError, compatibility, devices, disassemble, inspect, libraryAnswer, load, pack, report, shaders, specialize, trim, unbundle, vulkanRequirements } from "spirv-if";

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
  if (packed && packed.summary.calls.length) equal(Buffer.from(packed.properties), `${work}/out.prop`, `properties of ${file}`);
  await both("trim", trim(bytes), "trim", "-q", "--force");
  const device = file.includes("/opencl/") ? "intel_gpu_pvc" : "intel_gpu_bmg_g21";
  await both("specialize", specialize(bytes, { device }), "specialize", "-q", "--force", "--device", device);
}
// Bundles, alone and solid, give the modules that were added, and what the program makes of them for a device.
for (const solid of [[], ["--solid"]]) {
  run("bundle", "-q", `${fixtures}/merge`, `${fixtures}/glsl`, "-o", `${work}/app.spvb`, ...solid);
  const bundle = readFileSync(`${work}/app.spvb`);
  const all = await shaders(bundle);
  assert.ok(all.length > 10 && all.every(({ variants }) => variants.length === 1 && variants[0].condition === null));
  for (const { name, variants } of all) {
    const file = [`${fixtures}/merge/${name}.spv`, `${fixtures}/glsl/${name}.spv`].find(existsSync);
    const module = await unbundle(bundle, { shader: name });
    assert.equal(module.length, variants[0].size);
    equal(module, file, `${name} of a bundle`);
  }
  run("unbundle", "-q", `${work}/app.spvb`, "scale", "-o", `${work}/bmg`, "--device", "intel_gpu_bmg_g21");
  equal(await unbundle(bundle, { shader: "scale", specialize: { device: "intel_gpu_bmg_g21" } }), `${work}/bmg/scale.spv`, "a shader for a device");
  await assert.rejects(unbundle(bundle, { shader: "scala" }), { kind: "request", message: "the bundle has no shader `scala`" });
  bundle[bundle.length - 1] ^= 1;
  await assert.rejects((async () => { for (const { name } of all) await unbundle(bundle, { shader: name }); })(), { kind: "load", message: /is damaged/ });
}
// So do ready shaders.
run("pack", "-q", "--force", `${fixtures}/glsl/tint.spv`, "-o", `${work}/tint.spv`);
for (const uncompressed of [[], ["--uncompressed"]]) {
  run("bundle", "-q", "--force", `${work}/tint.spv`, "-o", `${work}/ready.spvb`, "--ready", ...uncompressed);
  for (const device of ["intel_gpu_bmg_g21", "nvidia_gpu_sm_50"]) {
    run("specialize", "-q", "--force", `${work}/tint.spv`, "-o", `${work}/out.spv`, "--device", device);
    equal(await unbundle(readFileSync(`${work}/ready.spvb`), { shader: "tint", specialize: { device } }), `${work}/out.spv`, "a ready shader");
  }
}

assert.ok(compared > 30 && refused > 0, `${compared} compared, ${refused} refused`);

const reduce = `${fixtures}/glsl/reduce.spv`;
const { failures, ...inspection } = await inspect(readFileSync(reduce), { name: reduce });
assert.deepEqual(inspection, JSON.parse(run("inspect", reduce, "--format", "json")));
assert.deepEqual(failures, []);
// A malformed image of an executable is a failure, and the others are read.
const linked = await inspect(readFileSync(`${work}/app`), { name: "app" });
assert.equal(linked.files[0].modules.length, 1);
assert.deepEqual(linked.failures.map(({ message }) => /truncated module: /.test(message)), [true]);
// Values are set before, as specialize does; shares have the modules of the file.
const guarded = `${fixtures}/annotations/guarded.spv`;
run("specialize", "-q", "--force", guarded, "--set", "1:false", "--trim", "-o", `${work}/set.spv`);
const answer = ({ files: [{ modules: [module] }] }) => module.answer;
const set = answer(await inspect(readFileSync(guarded), { set: { 1: false } }));
assert.deepEqual(set, answer(JSON.parse(run("inspect", `${work}/set.spv`, "--format", "json"))));
assert.ok(set.run > answer(await inspect(readFileSync(guarded))).run);
const two = Buffer.concat([readFileSync(reduce), readFileSync(guarded)]);
const offsets = async (options) => (await inspect(two, options)).files[0].modules.map(({ offset }) => offset);
assert.deepEqual([await offsets({ share: [0, 2] }), await offsets({ share: [1, 2] })], (await offsets()).map((offset) => [offset]));
// The answer about several modules is that about one file with all of them, and the program's about several files.
const answersOf = ({ files }) => files.flatMap(({ modules }) => modules.map((module) => module.answer));
const both = await inspect(two), parts = await Promise.all([reduce, guarded].map((file) => inspect(readFileSync(file))));
const joined = await libraryAnswer(parts.flatMap(answersOf));
assert.deepEqual(joined, both.answer);
assert.deepEqual(joined, JSON.parse(run("inspect", reduce, guarded, "--format", "json")).answer);
assert.ok(joined.modules === 2 && joined.min_run < joined.max_run && joined.text.startsWith("Each of the 2 modules runs on "), JSON.stringify(joined));
assert.deepEqual([await libraryAnswer([]), await libraryAnswer(answersOf(parts[0]))], [null, null]);
run("inspect", reduce, "--format", "html", "-o", `${work}/report.html`);
equal(Buffer.from(await report(readFileSync(reduce), { name: reduce })), `${work}/report.html`, "the report");
// One of two modules in a file against the other, as of two files.
const against = ({ files: [{ modules: [module] }] }) => module.against;
const compared2 = await inspect(Buffer.concat([readFileSync(`${fixtures}/merge/scale-fp16.spv`), readFileSync(`${fixtures}/merge/scale.spv`)]), { part: "0x0", against: `0x${readFileSync(`${fixtures}/merge/scale-fp16.spv`).length.toString(16)}`, devices: "*" });
assert.deepEqual(against(compared2), against(JSON.parse(run("inspect", `${fixtures}/merge/scale-fp16.spv`, "--against", `${fixtures}/merge/scale.spv`, "--format", "json"))));
assert.ok(against(compared2).length > 0);
// Lowered twins are those of the program.
const long = `${fixtures}/vulkan/long.spv`;
run("pack", "-q", "--force", long, "--lower=Int64", "-o", `${work}/long.spv`);
for (const lower of [true, ["Int64"]]) {
  const packed = await pack(readFileSync(long), { lower });
  equal(packed.module, `${work}/long.spv`, "pack with lower");
  assert.ok(packed.summary.twins.length === 1 && packed.summary.twins[0].lowered[0].startsWith("lowered Int64 "));
}
// Assembly is that of spirv-dis.
const histogram = `${fixtures}/glsl/histogram.spv`;
assert.equal(await disassemble(readFileSync(histogram)), execFileSync(process.env.SPIRV_DIS, ["--raw-id", "--no-header", "--no-indent", "--no-color", histogram], { encoding: "utf8" }));
// trim has property sets for its result, as the program writes them beside it: of a shader that declares Float64 for nothing, without the aspect fp64.
writeFileSync(`${work}/recorded.spv`, Uint32Array.of(0x07230203, 0x10000, 0, 1, 0, 0x20011, 1, 0x20011, 10, 0x3000e, 0, 1));
writeFileSync(`${work}/recorded.prop`, "[SYCL/device requirements]\naspect=2|ABAAAAAAAAgBAAAAHAAAAA\n");
run("trim", "-q", "--force", `${work}/recorded.spv`, "-o", `${work}/recorded.out.spv`);
const recorded = await trim(readFileSync(`${work}/recorded.spv`), { properties: readFileSync(`${work}/recorded.prop`, "utf8") });
equal(recorded.module, `${work}/recorded.out.spv`, "trim with properties");
equal(Buffer.from(recorded.properties), `${work}/recorded.out.prop`, "properties of trim");
assert.notEqual(recorded.properties, readFileSync(`${work}/recorded.prop`, "utf8"));
assert.equal((await trim(readFileSync(reduce))).properties, null);
// What Vulkan must enable.
const enabled = await vulkanRequirements(readFileSync(`${fixtures}/vulkan/reduce.spv`), { apiVersion: [1, 2], device: "vulkan_vp_android_2021" });
assert.deepEqual([enabled.version, enabled.extensions, enabled.properties, enabled.unknown], [[1, 2], [], [], []]);
assert.ok(enabled.missing.includes("shaderFloat16") && enabled.limits.some(({ member, atLeast }) => member === "maxComputeWorkGroupInvocations" && atLeast > 1));
await assert.rejects(vulkanRequirements(readFileSync(`${fixtures}/opencl/plain.spv`)), { kind: "request", message: /Kernel/ });
// Modes of AMD's processors, and features of providers.
const kernels = `${fixtures}/amd/kernels-O0.spv`, modes = `${work}/modes.yaml`;
const onlyWhere = (feature) => `{ when: "feature(amdgpu:${feature})", otherwise: undef }`;
writeFileSync(modes, `functions: { in_double: ${onlyWhere("xnack")}, in_half: ${onlyWhere("wavefrontsize32")} }`);
const different = new Set();
const asTheProgram = async (options, ...words) => {
  run("specialize", "-q", "--force", kernels, ...words, "-o", `${work}/out.spv`);
  const { module } = await specialize(readFileSync(kernels), options);
  equal(module, `${work}/out.spv`, words.join(" "));
  different.add(Buffer.from(module).toString("base64"));
};
for (const device of ["gfx90a:xnack+:sramecc-", "gfx90a:xnack-", "gfx1100:wavefrontsize64+", "gfx1100:wavefrontsize32+"]) {
  await asTheProgram({ device, annotations: readFileSync(modes, "utf8") }, "--device", device, "--annotations", modes);
}
for (const providerFeatures of ["amdgpu:mai-insts", "!amdgpu:*"]) await asTheProgram({ providerFeatures }, "--provider-features", providerFeatures);
assert.equal(different.size, 6, "each of these devices has a module of its own");
const table = await devices(), names = table.map((device) => device.name);
const { vendor, products } = table.find(({ name }) => name === "nvidia_gpu_sm_86");
assert.deepEqual([vendor, products.includes("GeForce RTX 3080")], ["NVIDIA", true]);
assert.deepEqual(names, run("devices").trim().split("\n").map((line) => line.split(" ")[0]));

// Errors have a kind, and the next call works.
const kind = async (expected, made) => assert.equal(await made.then(() => "none", (error) => error.kind), expected);
await kind("load", pack(new Uint8Array(readFileSync(reduce)).slice(0, 333)));
// Bytes that are no module are that in every call.
for (const bytes of [new TextEncoder().encode("hello"), new Uint8Array(), new Uint8Array([3, 2, 0x23, 7]), new Uint8Array(100)]) {
  for (const call of [inspect, report, pack, specialize, trim, disassemble, compatibility]) await kind("load", call(bytes));
}
await kind("request", specialize(readFileSync(kernels), { device: "gfx1100:xnack+" }));
await kind("request", specialize(readFileSync(kernels), { providerFeatures: "mai-insts" }));
// Bytes are those of any view and any ArrayBuffer, also of another realm; what is anything else is named.
const shader = new Uint8Array(readFileSync(reduce)), one = (await trim(shader)).module, shifted = new Uint8Array(shader.length + 8);
shifted.set(shader, 4);
const shared = new Uint8Array(new SharedArrayBuffer(shader.length));
shared.set(shader);
const other = runInNewContext("new Uint8Array(bytes).buffer", { bytes: shader });
for (const own of [shader.buffer, new Uint32Array(shader.buffer), new DataView(shifted.buffer, 4, shader.length), Buffer.from(shader), shared, other]) {
  assert.deepEqual((await trim(own)).module, one, own.constructor.name);
}
const wrong = (made, message) => assert.rejects(made, (error) => error instanceof TypeError && message.test(error.message) || assert.fail(`${error}: not ${message}`));
for (const own of ["shader.spv", undefined, null, 3, [3, 2], new Blob([shader]), {}]) {
  for (const call of [inspect, report, pack, specialize, trim]) await wrong(call(own), /^the argument 'file' is of the type \w+: expected an ArrayBuffer or a view of one/);
}
for (const own of ["x", 3, [], true]) for (const call of [pack, report]) await wrong(call(shader, own), /^the argument 'options' is of the type \w+: expected an object/);
await wrong(devices("x"), /^the argument 'options'/);
for (const own of ["x", 3, [3], null]) await wrong(libraryAnswer(own), /^the option 'answers' is of the wrong type/);
await wrong(devices({ deviceConfig: 3 }), /^the option 'deviceConfig' is of the wrong type: invalid type: integer `3`, expected a string/);
await wrong(specialize(shader, { capabilities: ["Shader"] }), /^the option 'capabilities' is of the wrong type: invalid type: sequence, expected a string/);
await wrong(specialize(shader, { trim: true, set: { 0: [1] } }), /^the option 'set' .*: sequence, expected a Boolean, a number or the text of one/);
await wrong(specialize(shader, { set: { 0: NaN } }), /^the option 'set' .*: null, expected a Boolean/);
await wrong(specialize(shader, { leave: "0" }), /^the option 'leave' .*expected a sequence/);
await wrong(pack(shader, { annotations: {} }), /^the option 'annotations' .*: map, expected a string/);
await wrong(pack(shader, { exports: () => [] }), /^the argument 'options.exports' is of the type function/);
await wrong(pack(shader, { maxClones: "8" }), /^the option 'maxClones'/);
// 64-bit values are BigInts, and constants may stand in a Map.
const constants = readFileSync(`${fixtures}/spec/precision.spv`);
assert.deepEqual((await specialize(constants, { set: new Map([[2, 5n]]) })).module, (await specialize(constants, { set: { 2: 5 } })).module);
await kind("request", inspect(new Uint8Array(2 ** 30 + 1)));
await kind("request", libraryAnswer([{ run: 1 }]));
await assert.rejects(trim(readFileSync(reduce), { name: "reduce.spv", stripped: true }), (error) => error.kind === "request" && /unknown field `stripped`, expected `strip`/.test(error.message));
// An instance that traps: its one answer is of an earlier call, and is not taken for the cause.
const earlier = '{"error":{"kind":"load","message":"of an earlier call"}}';
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const named = (name, kind, index) => [name.length, ...Buffer.from(name), kind, index];
const trapping = Uint8Array.from([0, ...Buffer.from("asm"), 1, 0, 0, 0,
  // (i32, i32) -> i32, () -> (), (i32) -> i32; room is 1024, answer traps, part is 0, part_size the length.
  ...section(1, 3, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f), ...section(3, 4, 0, 1, 2, 2), ...section(5, 1, 0, 1),
  ...section(7, 5, ...named("memory", 2, 0), ...named("room", 0, 0), ...named("answer", 0, 1), ...named("part", 0, 2), ...named("part_size", 0, 3)),
  ...section(10, 4, 5, 0, 0x41, 0x80, 0x08, 0x0b, 3, 0, 0, 0x0b, 4, 0, 0x41, 0, 0x0b, 4, 0, 0x41, earlier.length, 0x0b),
  ...section(11, 1, 0, 0x41, 0, 0x0b, earlier.length, ...Buffer.from(earlier))]);
assert.ok(earlier.length < 64);
load(trapping);
await assert.rejects(trim(readFileSync(reduce)), { kind: "internal", message: /unreachable/ });
load(null);
await kind("request", specialize(readFileSync(reduce), { device: "no_such_device" }));
await kind("request", pack(readFileSync(reduce), { dialect: "none" }));
await kind("refused", specialize(readFileSync(`${fixtures}/opencl/plain.spv`), { device: "intel_gpu_acm_g10" }));
// What the device leaves open is packed, with functions cloned.
const annotations = "spec-constants: { 0: host(a), 1: host(b), 2: host(c), 3: host(d) }\nfunctions: { twice: { when: host(a) } }";
const cloned = (maxClones) => specialize(readFileSync(`${work}/max-clones.spv`), { device: "intel_gpu_bmg_g21", annotations, unset: "keep", maxClones });
await assert.rejects(cloned(15), { kind: "module", message: /main would need 16 clones, and no more than 15 are allowed/ });
assert.ok((await cloned(16)).properties);
// Functions cloned for calls that decide branches in them are listed.
assert.deepEqual((await specialize(readFileSync(`${work}/call-clones.spv`), { set: { 0: 0, 1: 2 } })).report.callClones, [{ function: "mix", name: "mix.1", calls: 2 }]);
// One module and three devices with the three verdicts; `strict` refuses the third.
const plain = readFileSync(`${fixtures}/opencl/plain.spv`), described = { aspects: "gpu,fp64" };
assert.deepEqual(await compatibility(plain, { device: "intel_gpu_pvc" }), { verdict: "runs", missing: [], unknown: [] });
const cases = readFileSync(`${fixtures}/traps/cast-O0.spv`), { report: { trapped } } = await specialize(cases, { device: "intel_gpu_acm_g10", trap: "store:1:64" });
assert.deepEqual(trapped.map(({ function: name, source, requires, trap }) => [name, source, requires, trap]), [["__clang_ocl_kern_imp_run", null, ["Float64"], "store:1:64"]]);
await kind("request", specialize(cases, { device: "intel_gpu_acm_g10", trap: "loud" }));
const doesNotRun = await compatibility(plain, { device: "intel_gpu_acm_g10" }), notKnown = await compatibility(plain, { ...described, strict: true });
assert.deepEqual([doesNotRun.verdict, doesNotRun.missing], ["does not run", ["Float64"]]);
assert.deepEqual([notKnown.verdict, notKnown.missing, notKnown.unknown[0]], ["not known", [], "SPIR-V 1.2"]);
assert.deepEqual([(await specialize(plain, { device: "intel_gpu_pvc", strict: true })).report.notKnown, (await specialize(plain, described)).report.notKnown], [[], notKnown.unknown]);
await assert.rejects(specialize(plain, { ...described, strict: true }), (error) => {
  assert.deepEqual([error.kind, error.details.missing, error.details.unknown], ["refused", [], notKnown.unknown]);
  return true;
});
await kind("request", compatibility(plain, { set: { 99: 1 } }));
// Constructs that a device rejects are changed on request.
const hints = readFileSync(`${fixtures}/adapted/hints.spv`), withoutHints = { capabilities: "Kernel,Addresses,Linkage,Int64" };
await kind("refused", specialize(hints, withoutHints));
assert.deepEqual((await specialize(hints, { ...withoutHints, adapt: true })).report.adapted[0], "removed OpAssumeTrueKHR (2 times)");
// They are the program's, on a sample of modules and devices that is the same in every run.
let state = 54;
const sample = (all, count) => Array.from({ length: count }, () => all[(state = (state * 16807) % (2 ** 31 - 1)) % all.length]);
const modulesOf = (folder) => readdirSync(`${fixtures}/${folder}`).filter((name) => name.endsWith(".spv")).map((name) => `${fixtures}/${folder}/${name}`);
const seen = {};
for (const file of [reduce, ...sample(readdirSync(fixtures).filter((name) => !name.includes(".")).flatMap(modulesOf), 12)]) {
  const { files } = await inspect(readFileSync(file), { name: file, devices: "*" });
  assert.deepEqual(files, JSON.parse(run("inspect", file, "--format", "json", "--devices", "*")).files, file);
  // Of this device it is not known if it runs the first.
  for (const device of ["intel_gpu_acm_g10", ...sample(names, 6)]) {
    const { status, stderr } = spawnSync(program, ["specialize", "-q", "--force", "--strict", file, "--device", device, "-o", `${work}/out.spv`], { encoding: "utf8" });
    const expected = status === 0 ? "runs" : status !== 3 ? "error" : stderr.includes("not known to run") ? "not known" : "does not run";
    assert.equal(await compatibility(readFileSync(file), { device }).then(({ verdict }) => verdict, () => "error"), expected, `${file} on ${device}`);
    seen[expected] = (seen[expected] ?? 0) + 1;
  }
}
assert.ok(seen.runs && seen["does not run"] && seen["not known"], JSON.stringify(seen));
console.log(`npm package: ${compared} results as the program's, ${refused} refused by both`);
