// The types are those of the calls, by the compiler that people use: what it must refuse is marked.
import { compatibility, devices, disassemble, inspect, libraryAnswer, load, pack, report, specialize, SpirvIfError, trim, vulkanRequirements, type Compatibility, type Packed } from "spirv-if";
export async function use(bytes: Uint8Array, wasm: ArrayBuffer): Promise<string> {
    load(wasm);
    const packed: Packed = await pack(bytes, { dialect: "function-variants", annotations: "spec-constants: { 0: fp16 }" });
    const plain = await specialize(packed.module, { device: (await devices())[0].name, providerFeatures: "amdgpu:gfx12-insts", set: { 3: 64, fast: true }, unset: "default" });
    const { verdict, missing, unknown }: Compatibility = await compatibility(bytes, { device: "gfx90a", strict: true });
    if (verdict === "not known" && plain.report.notKnown.length) return [...missing, ...unknown].join();
    // @ts-expect-error: there is no such verdict.
    if (verdict === "fails") return verdict;
    const { removed, readOnly, properties } = await trim(plain.module, { strip: true });
    const text: string = await disassemble(plain.module, { name: (await devices())[0].products[0] ?? properties ?? "a module" });
    const found = await inspect(bytes, { devices: "*", details: true });
    const library = await libraryAnswer(found.files[0].modules.map(({ answer }) => answer));
    const { features } = await vulkanRequirements(plain.module, { apiVersion: [1, 3], device: "intel_gpu_pvc" });
    const enabled: string[] = features.map(({ structure, member }) => `${structure}::${member}`);
    // @ts-expect-error: there is no such dialect.
    await pack(bytes, { dialect: "neither" });
    // @ts-expect-error: nor such an option.
    await trim(bytes, { stripped: true });
    const error = found.failures.find((failure) => failure instanceof SpirvIfError && failure.kind === "refused");
    const clones = plain.report.callClones.map(({ function: name, name: clone, calls }) => `${name} ${clone} ${calls + 1}`);
    return [text, ...removed, ...readOnly, ...clones, ...enabled, found.files[0].file, error?.details.missing?.join() ?? "", library?.text ?? "", await report(bytes)].join();
}
