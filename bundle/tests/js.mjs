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
// So are numbers that a hostile writer chose, with right checksums.
const numberAt = (bytes, at) => new DataView(bytes.buffer).getUint32(at, true);
const setNumber = (bytes, at, number) => new DataView(bytes.buffer).setUint32(at, number, true);
const crc = (bytes) => {
    let sum = -1;
    for (const byte of bytes) {
        sum ^= byte;
        for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
    }
    return ~sum >>> 0;
};
const tableAt = (wanted) => {
    const tables = [[16, 12], [20, 16], [24, 16], [28, 8], [32, 28], [60, 12], [64, 20], [68, 6], [72, 20]];
    return tables.slice(0, wanted).reduce((sum, [at, size]) => sum + numberAt(bytes, at) * size, 96);
};
const hostile = (change) => {
    const changed = bytes.slice();
    change(changed);
    const end = tableAt(5) + numberAt(bytes, 88) + numberAt(bytes, 36) + numberAt(bytes, 40);
    setNumber(changed, 56, crc(changed.subarray(96, end)));
    setNumber(changed, 92, crc(changed.subarray(0, 92)));
    try {
        const read = new Bundle(changed);
        for (const name of read.names) {
            try {
                read.select(name, read.questions.map(() => true));
            } catch (error) {
                if (!(error instanceof BundleError) || error.code === "damaged") throw error;
            }
        }
        return "is read";
    } catch (error) {
        if (!(error instanceof BundleError)) throw error;
        return error.code;
    }
};
if (numberAt(bytes, 44) === 0) {
    const block = tableAt(4) + 28;
    const [start, size] = [numberAt(bytes, block), numberAt(bytes, block + 8)];
    const overlapping = (changed) => {
        setNumber(changed, block, start - 4);
        setNumber(changed, block + 24, crc(changed.subarray(start - 4, start - 4 + size)));
    };
    const words = (number) => (changed) => {
        const first = tableAt(8) + 8 * numberAt(bytes, 72);
        for (let result = 0; result < numberAt(bytes, 72); result++) setNumber(changed, first + 4 * result, number);
    };
    for (const [change, expected] of [[() => {}, "is read"], [overlapping, "damaged"], [words(2 ** 30), "damaged"]]) {
        const outcome = hostile(change);
        if (outcome !== expected) {
            console.error(`a bundle after ${change}: ${outcome}, not ${expected}`);
            process.exit(1);
        }
    }
}
rmSync(folder, { recursive: true });
console.log(`${lines.length} selections are those of the reader in C, ${refused} damaged bundles are refused`);
