// Compares the reader in JavaScript with the reader in C: `node js.mjs app.spvb PROGRAM`, where PROGRAM is tests/c/answers.c. A zstd program decompresses.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bundle, BundleError } from "../js/spvb.mjs";

const [, , path, program] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "spvb-"));
const decompress = (bytes, size, dictionary) => {
    const options = ["-d", "-c", "-q", "--long=27"];
    if (dictionary) {
        writeFileSync(join(folder, "dictionary"), dictionary);
        options.push("-D", join(folder, "dictionary"));
    }
    try {
        return new Uint8Array(execFileSync("zstd", options, { input: bytes, maxBuffer: 2 ** 27, stdio: "pipe" }));
    } catch {
        return undefined;
    }
};
const bytes = new Uint8Array(readFileSync(path));
const bundle = new Bundle(bytes, { decompress });
const answer = (seed, question, kind) => {
    if (kind === "requirement" && seed % 2 === 0) return true;
    const number = (Math.imul(seed, 2654435761) + Math.imul(question, 40503)) >>> 0;
    return [false, true, null][((number >>> 5) & 0xff) % (seed < 2 ? 2 : 3)];
};
const codes = { "not known": 8, "does not run": 9, "no result": 10, "not ready": 12 };
const lines = [];
for (const name of bundle.names) {
    for (let seed = 0; seed < 4; seed++) {
        const answers = bundle.questions.map(({ kind }, question) => answer(seed, question, kind));
        try {
            const { words, key } = bundle.select(name, answers);
            let sum = 0;
            for (const word of words) sum = (Math.imul(sum, 31) + word) >>> 0;
            lines.push(`${name} ${seed} ${words.length} ${sum} ${key.toString(16)}`);
        } catch (error) {
            if (!(error instanceof BundleError) || !(error.code in codes)) throw error;
            lines.push(`${name} ${seed} status ${codes[error.code]} ${error.questions.length}`);
        }
    }
}
const expected = execFileSync(program, [path], { encoding: "utf8", maxBuffer: 2 ** 27 }).trimEnd().split("\n");
const different = lines.findIndex((line, number) => line !== expected[number]);
if (different >= 0 || lines.length !== expected.length) {
    console.error(`line ${different}: ${lines[different]}, not ${expected[different]}`);
    process.exit(1);
}
// Damaged bytes are errors of the reader.
let refused = 0;
for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 200)) {
    const damaged = bytes.slice();
    damaged[at] ^= 0x10;
    try {
        const read = new Bundle(damaged, { decompress });
        for (const name of read.names.slice(0, 3)) read.select(name, read.questions.map(() => true));
    } catch (error) {
        if (!(error instanceof BundleError)) throw error;
        refused++;
    }
}
rmSync(folder, { recursive: true });
console.log(`${lines.length} selections are those of the reader in C, ${refused} damaged bundles are refused`);
