/**
 * Reads ready shaders of bundles (`spirv-if bundle --ready`) without WebAssembly. spec-extensions/bundle.md of spirv-if specifies the format.
 *
 *     import { Bundle } from "./spvb.mjs";
 *     const bundle = new Bundle(bytes);
 *     const answers = bundle.questions.map(({ kind, text }) => ...true, false, or null for unknown...);
 *     const { words, key } = bundle.select("blur", answers);
 *
 * Bundles of `--uncompressed` need nothing else. For others, pass `decompress(bytes, size, dictionary)`, which returns the content of a zstd frame as bytes; `dictionary` is
 * undefined, or the bytes of a zstd dictionary. Damaged bundles are errors.
 */

/** The cause of a failed call: `code` is "damaged", "version", "compressed", "missing shader", "not ready", "not known", "does not run" or "no result". */
export class BundleError extends Error {
    constructor(code, message, questions = []) {
        super(message);
        this.name = "BundleError";
        this.code = code;
        /** The questions that decide, or the requirements that are not met. */
        this.questions = questions;
    }
}

const KINDS = ["condition", "requirement", "constant"];
const FIRST_RESULT = 0x8000;
const NOTHING = 0xffff;
const ENTRY_POINT = 0xffffffff;
const MAX_CONTENT = 1 << 26;

let crcTable;
function checksum(bytes) {
    crcTable ??= Uint32Array.from({ length: 256 }, (_, byte) => {
        for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
        return byte;
    });
    let crc = 0xffffffff;
    for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff];
    return ~crc >>> 0;
}

/** Throws the error for a damaged bundle unless something holds. */
function check(holds) {
    if (!holds) throw new BundleError("damaged", "the bundle is damaged: make it again");
}

/** Numbers of one to five bytes. */
class Stream {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }
    take() {
        let value = 0;
        for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
            check(this.at < this.bytes.length);
            const byte = this.bytes[this.at++];
            value += (byte & 0x7f) * scale;
            if (byte < 0x80) return value;
        }
        check(false);
    }
}

/** A table of records of four-byte numbers. */
class Table {
    constructor(bytes, size, count) {
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.size = size;
        this.count = count;
    }
    get(record, at) {
        check(record < this.count);
        return this.view.getUint32(this.size * record + at, true);
    }
    /** The numbers from the first one of a record to that of the next. */
    range(record, at, end) {
        const first = this.get(record, at);
        const last = record + 1 < this.count ? this.get(record + 1, at) : end;
        check(first <= last && last <= end);
        return [first, last];
    }
}

export class Bundle {
    #bytes;
    #decompress;
    #dictionary;
    #tables = {};
    #layouts = new Map();
    #firstWords = [];

    /** Opens the bytes of a bundle, which must not change. */
    constructor(bytes, { decompress } = {}) {
        this.#bytes = bytes;
        this.#decompress = decompress;
        const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        check(bytes.length >= 64 && header.getUint32(0, true) === 0x42565053);
        const version = header.getUint32(4, true);
        if (version !== 2) throw new BundleError("version", `it is a bundle of version ${version}: ready shaders are in version 2`);
        check(bytes.length >= 96 && checksum(bytes.subarray(0, 92)) === header.getUint32(92, true));
        check(header.getUint32(8, true) + header.getUint32(12, true) * 2 ** 32 === bytes.length);
        let at = 96;
        const section = (count, size) => {
            check(at + count * size <= bytes.length);
            at += count * size;
            return bytes.subarray(at - count * size, at);
        };
        const number = (offset) => header.getUint32(offset, true);
        const table = (offset, size) => new Table(section(number(offset), size), size, number(offset));
        const tables = this.#tables;
        tables.shaders = table(16, 12);
        tables.variants = table(20, 16);
        tables.constants = table(24, 16);
        tables.modules = table(28, 8);
        tables.blocks = table(32, 28);
        const stored = section(number(88), 1);
        this.text = section(number(36), 1);
        const layouts = section(number(40), 1);
        const end = at;
        check(checksum(bytes.subarray(96, end)) === number(56));
        const dictionary = section(number(44), 1);
        const shapes = [["questions", 60, 12], ["ready", 64, 20], ["nodes", 68, 6], ["results", 72, 20], ["keys", 72, 8], ["lists", 76, 4], ["items", 80, 4], ["runs", 84, 1]];
        const size = shapes.reduce((sum, [, offset, of]) => sum + number(offset) * of, 0);
        check(size <= MAX_CONTENT);
        const all = size === stored.length ? stored : this.#decompressed(stored, size);
        let start = 0;
        for (const [name, offset, of] of shapes) {
            const part = all.subarray(start, (start += number(offset) * of));
            tables[name] = name === "runs" ? part : new Table(part, of, number(offset));
        }
        let blockEnd = at;
        for (let block = 0; block < tables.blocks.count; block++) {
            const content = this.#stored(block);
            const start = content.byteOffset - bytes.byteOffset;
            check(start >= blockEnd);
            blockEnd = start + content.length;
            if (tables.blocks.get(block, 20) === 2) check(checksum(content) === tables.blocks.get(block, 24));
        }
        this.#readLayouts(layouts);
        if (dictionary.length) {
            check(checksum(dictionary) === number(52) && number(48) <= MAX_CONTENT);
            // Without a decompressor, modules that are stored as they are can still be read.
            if (decompress) this.#dictionary = this.#decompressed(dictionary, number(48));
        }
        /** The questions, in the order of answers. */
        this.questions = Array.from({ length: tables.questions.count }, (_, question) => {
            const kind = KINDS[tables.questions.get(question, 8)];
            check(kind);
            return { kind, text: this.#text(tables.questions, question) };
        });
        /** The names of the shaders, sorted. */
        this.names = Array.from({ length: tables.shaders.count }, (_, shader) => this.#text(tables.shaders, shader));
        this.ready = new Map();
        for (let ready = 0; ready < tables.ready.count; ready++) {
            const shader = tables.ready.get(ready, 0);
            check(shader < this.names.length);
            this.ready.set(this.names[shader], { number: ready, shader });
            this.#checkNodes(ready);
        }
    }

    #text(table, record) {
        const [start, size] = [table.get(record, 0), table.get(record, 4)];
        check(start + size <= this.text.length);
        return new TextDecoder().decode(this.text.subarray(start, start + size));
    }

    #decompressed(stored, size) {
        if (!this.#decompress) throw new BundleError("compressed", "the bundle is compressed: pass a function that decompresses zstd");
        const content = this.#decompress(stored, size, this.#dictionary);
        check(content?.length === size);
        return content;
    }

    #stored(block) {
        const { blocks } = this.#tables;
        const start = blocks.get(block, 0) + blocks.get(block, 4) * 2 ** 32;
        const size = blocks.get(block, 8);
        check(start + size <= this.#bytes.length);
        return this.#bytes.subarray(start, start + size);
    }

    #readLayouts(bytes) {
        check(bytes.length >= 2);
        let at = 2;
        for (let count = bytes[0] | (bytes[1] << 8); count > 0; count--) {
            check(at + 4 <= bytes.length);
            const kinds = bytes.subarray(at + 4, at + 4 + bytes[at + 2] + bytes[at + 3]);
            check(bytes[at + 3] > 0 && kinds.length === bytes[at + 2] + bytes[at + 3] && kinds.every((kind) => kind <= 4));
            this.#layouts.set(bytes[at] | (bytes[at + 1] << 8), { kinds, repeated: bytes[at + 2] });
            at += 4 + kinds.length;
        }
        check(at < bytes.length && bytes.length === at + 1 + 4 * bytes[at]);
        const words = new Table(bytes.subarray(at + 1), 4, bytes[at]);
        this.#firstWords = Array.from({ length: bytes[at] }, (_, index) => words.get(index, 0));
    }

    #nodes(ready) {
        const { ready: table, nodes } = this.#tables;
        const [first, end] = table.range(ready, 8, nodes.count);
        const short = (node, at) => nodes.view.getUint16(6 * (first + node) + at, true);
        return { count: end - first, node: (node) => [short(node, 0), short(node, 2), short(node, 4)] };
    }

    #checkNodes(ready) {
        const { count, node } = this.#nodes(ready);
        const [first, end] = this.#tables.ready.range(ready, 12, this.#tables.results.count);
        check(first < end && count <= 4096);
        const fits = (child, from) => (child < FIRST_RESULT ? child > from && child < count : child === NOTHING || child - FIRST_RESULT < end - first);
        for (let at = 0; at < count; at++) {
            const [question, no, yes] = node(at);
            check(question < this.questions.length && fits(no, at) && fits(yes, at));
        }
    }

    /** Returns the end of all ways, or throws the error with the questions that decide. */
    #walk(ready, answers, name) {
        const { count, node } = this.#nodes(ready);
        const reached = new Uint8Array(count);
        if (count) reached[0] = 1;
        for (let at = 0; at < count; at++) {
            if (!reached[at]) continue;
            const [question, no, yes] = node(at);
            if (answers[question] !== true && no < FIRST_RESULT) reached[no] = 1;
            if (answers[question] !== false && yes < FIRST_RESULT) reached[yes] = 1;
        }
        const ends = new Array(count);
        const deciding = new Set();
        const endOf = (child) => (child < FIRST_RESULT ? ends[child] : child);
        for (let at = count - 1; at >= 0; at--) {
            if (!reached[at]) continue;
            const [question, no, yes] = node(at);
            const answer = answers[question];
            if (answer === true) ends[at] = endOf(yes);
            else if (answer === false) ends[at] = endOf(no);
            else if (endOf(no) === endOf(yes)) ends[at] = endOf(no);
            else deciding.add(question);
        }
        const end = count ? ends[0] : FIRST_RESULT;
        if (end === undefined) {
            const questions = [...deciding].sort((one, other) => one - other).map((question) => this.questions[question].text);
            throw new BundleError("not known", `it is not known which module of ${name} is for the device: answer ${questions.join(", ")}`, questions);
        }
        return end;
    }

    /**
     * Returns the result of a shader for a device: its words, its key, the bindings that it does not have, and the requirements whose answers are unknown. `answers` has true, false or
     * null for each question.
     */
    select(name, answers) {
        const found = this.ready.get(name);
        if (!found) {
            if (this.names.includes(name)) throw new BundleError("not ready", `${name} is stored with its conditions`);
            throw new BundleError("missing shader", `the bundle has no shader ${name}`);
        }
        const end = this.#walk(found.number, answers, name);
        if (end === NOTHING) throw new BundleError("no result", `no variant of ${name} is for the device`);
        const { results, keys, ready } = this.#tables;
        const result = ready.get(found.number, 12) + end - FIRST_RESULT;
        const column = (column) => results.view.getUint32(4 * (column * results.count + result), true);
        const unknown = new Set();
        const parts = [new Set()];
        for (const item of this.#list(column(3))) {
            if (item === ENTRY_POINT) {
                parts.push(new Set());
                continue;
            }
            check(item < this.questions.length);
            if (answers[item] === false) parts.at(-1).add(item);
            else if (answers[item] !== true) unknown.add(item);
        }
        const [whole, ...entryPoints] = parts;
        const runsOne = entryPoints.length === 0 || entryPoints.some((missing) => missing.size === 0);
        const missing = new Set([...whole, ...(runsOne ? [] : entryPoints.flatMap((part) => [...part]))]);
        const texts = (questions) => [...questions].sort((one, other) => one - other).map((question) => this.questions[question].text);
        if (missing.size) throw new BundleError("does not run", `${name} does not run on the device, which does not have ${texts(missing).join(", ")}`, texts(missing));
        const removed = this.#list(column(4));
        const removedBindings = [];
        for (let at = 0; at + 1 < removed.length; at += 2) removedBindings.push({ set: removed[at], binding: removed[at + 1] });
        const key = keys.view.getBigUint64(8 * result, true);
        return { words: this.#words(found, end - FIRST_RESULT, column), key, removedBindings, unknown: texts(unknown) };
    }

    #list(list) {
        const { lists, items } = this.#tables;
        const [first, end] = lists.range(list, 0, items.count);
        return Array.from({ length: end - first }, (_, item) => items.get(first + item, 0));
    }

    #words({ number, shader }, result, column) {
        const { shaders, variants, ready, results, runs } = this.#tables;
        const pool = this.#module(variants.get(shaders.get(shader, 8), 8));
        const [firstResult, lastResult] = ready.range(number, 12, results.count);
        const [start, end] = ready.range(number, 16, runs.length);
        const stream = new Stream(runs.subarray(start, end));
        const setSize = Math.ceil((lastResult - firstResult) / 8);
        const setCount = stream.take();
        const setStart = stream.at;
        check(setCount * setSize <= stream.bytes.length - setStart && pool.length >= 5);
        stream.at += setCount * setSize;
        const count = column(2);
        check(count >= 5 && count <= pool.length);
        const words = new Uint32Array(count);
        words.set([pool[0], column(0), pool[2], column(1), pool[4]]);
        let [at, written] = [5, 5];
        while (stream.at < stream.bytes.length) {
            const [size, set] = [stream.take(), stream.take()];
            check(size > 0 && set < setCount && at + size <= pool.length);
            if ((stream.bytes[setStart + set * setSize + (result >> 3)] >> (result & 7)) & 1) {
                check(written + size <= count);
                words.set(pool.subarray(at, at + size), written);
                written += size;
            }
            at += size;
        }
        check(written === count && at === pool.length);
        return words;
    }

    #module(module) {
        const { modules, blocks } = this.#tables;
        const block = modules.get(module, 0);
        const [first] = blocks.range(block, 16, modules.count);
        check(first <= module);
        const encoding = blocks.get(block, 20);
        let content = this.#stored(block);
        if (encoding !== 2) {
            check(checksum(content) === blocks.get(block, 24) && blocks.get(block, 12) <= MAX_CONTENT);
            content = this.#decompressed(content, blocks.get(block, 12));
        }
        if (encoding === 1) return this.#decode(content, first, module);
        let start = 0;
        for (let before = first; before < module; before++) start += 4 * modules.get(before, 4);
        const count = modules.get(module, 4);
        check(start + 4 * count <= content.length);
        const words = new Table(content.subarray(start), 4, count);
        return Uint32Array.from({ length: count }, (_, word) => words.get(word, 0));
    }

    /** Decodes the modules of a block up to one ("Coded blocks"). */
    #decode(content, first, module) {
        const sizes = new Table(content, 4, 6);
        let at = 24;
        const streams = Array.from({ length: 6 }, (_, stream) => {
            const size = sizes.get(stream, 0);
            check(at + size <= content.length);
            return new Stream(content.subarray(at, (at += size)));
        });
        const [firstWords, literals, results, types, ids, strings] = streams;
        let words;
        for (let next = first; next <= module; next++) {
            const count = this.#tables.modules.get(next, 4);
            check(count >= 5 && count <= content.length);
            words = new Uint32Array(count);
            const seen = [];
            const recent = [];
            let [newest, globals, hasFunctions] = [0, 0, false];
            const add = (folded) => {
                newest = (newest + 1 + ((folded >>> 1) ^ -(folded & 1))) >>> 0;
                seen.push(newest);
                return newest;
            };
            const nthLast = (distance) => {
                check(distance < seen.length);
                return seen[seen.length - 1 - distance];
            };
            const reference = (stream) => {
                const code = stream.take();
                if (code === 0) return add(stream.take() >>> 0);
                let position = Math.floor((code - 1) / 2);
                if (code % 2 === 0) return nthLast(position);
                let ordinal;
                if (position < recent.length) {
                    [ordinal] = recent.splice(position, 1);
                } else {
                    position -= recent.length;
                    check(position < globals);
                    ordinal = globals - 1 - position;
                    if (recent.length === 256) recent.pop();
                }
                recent.unshift(ordinal);
                return seen[ordinal];
            };
            let word = 0;
            while (word < 5) words[word++] = literals.take();
            while (word < count) {
                check(firstWords.at < firstWords.bytes.length);
                const index = firstWords.bytes[firstWords.at++];
                const start = index === 255 ? literals.take() >>> 0 : this.#firstWords[index];
                check(start !== undefined && start >>> 16 > 0 && word + (start >>> 16) <= count);
                if ((start & 0xffff) === 54 && !hasFunctions) [hasFunctions, globals] = [true, seen.length];
                const { kinds, repeated } = this.#layouts.get(start & 0xffff) ?? { kinds: [0], repeated: 0 };
                const end = word + (start >>> 16);
                words[word++] = start;
                for (let operand = 0; word < end; ) {
                    const kind = kinds[operand];
                    if (kind === 0) words[word] = literals.take();
                    else if (kind === 1) words[word] = reference(types);
                    else if (kind === 3) words[word] = reference(ids);
                    else if (kind === 2) {
                        const code = results.take();
                        words[word] = code % 2 ? nthLast((code - 1) / 2) : add((code / 2) >>> 0);
                    } else {
                        check(strings.at + 4 <= strings.bytes.length);
                        const text = strings.bytes.subarray(strings.at, (strings.at += 4));
                        words[word] = text[0] | (text[1] << 8) | (text[2] << 16) | (text[3] << 24);
                        if (text.every((byte) => byte !== 0)) {
                            word++;
                            continue;
                        }
                    }
                    word++;
                    operand = operand + 1 < kinds.length ? operand + 1 : repeated;
                }
            }
        }
        return words;
    }
}
