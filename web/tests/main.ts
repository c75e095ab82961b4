// A page for browsers, whose bundle has nothing of node in it.
import { devices, pack, SpirvIfError } from "spirv-if";
const show = (text: string) => { document.querySelector("#o")!.textContent = text; };
devices().then((all) => show(`${all.length} devices`)).catch((error: unknown) => show(error instanceof SpirvIfError ? error.message : String(error)));
void pack;
