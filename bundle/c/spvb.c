/* The reader of bundles. See spvb.h, and spec-extensions/bundle.md of spirv-if for the format. */
#include "spvb.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    HEADER_SIZE = 64,
    SHADER_SIZE = 12,
    VARIANT_SIZE = 16,
    CONSTANT_SIZE = 16,
    MODULE_SIZE = 8,
    BLOCK_SIZE = 28,
    STREAMS = 6,
    HEADER_WORDS = 5,
    OP_FUNCTION = 54,
    ESCAPE = 255,
    MAX_RECENT = 256,
    MIN_DICTIONARY = 1024,
    MAX_CONTENT = 1 << 26
};

/* The kinds of words. */
enum { LITERAL, TYPE, RESULT, ID, STRING, KINDS };

/* The kinds of the words of an instruction: those from `repeated` on repeat. */
typedef struct layout {
    const uint8_t *kinds;
    uint16_t opcode, count, repeated;
} layout;

/* A frequent first word of instructions. */
typedef struct first_word {
    uint32_t word;
    const layout *layout;
} first_word;

struct spvb_bundle {
    const uint8_t *bytes;
    size_t size;
    /* The tables, and their numbers of records. */
    const uint8_t *shaders, *variants, *constants, *modules, *blocks, *text;
    uint32_t shader_count, variant_count, constant_count, module_count, block_count, text_size;
    layout *layouts;
    uint32_t layout_count;
    first_word first_words[ESCAPE];
    uint32_t first_word_count;
    ZSTD_DDict *dictionary;
};

static const uint8_t any_kinds[1] = {LITERAL};
static const layout any_layout = {any_kinds, 0, 1, 0};

static uint32_t number(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t long_number(const uint8_t *bytes)
{
    return number(bytes) | (uint64_t)number(bytes + 4) << 32;
}

/* CRC-32 as in zlib, four bits at a time. */
static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = 0xffffffff;
    for (size_t at = 0; at < size; at++) {
        crc ^= bytes[at];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/* Reads the operand layouts and the first words. */
static spvb_status read_layouts(spvb_bundle *bundle, const uint8_t *bytes, size_t size)
{
    if (size < 2) return SPVB_DAMAGED;
    uint32_t count = bytes[0] | (uint32_t)bytes[1] << 8;
    size_t at = 2;
    bundle->layouts = calloc(count ? count : 1, sizeof(layout));
    if (!bundle->layouts) return SPVB_MEMORY;
    bundle->layout_count = count;
    for (uint32_t index = 0; index < count; index++) {
        if (size - at < 4) return SPVB_DAMAGED;
        layout *next = &bundle->layouts[index];
        next->opcode = (uint16_t)(bytes[at] | bytes[at + 1] << 8);
        next->repeated = bytes[at + 2];
        next->count = (uint16_t)(bytes[at + 2] + bytes[at + 3]);
        next->kinds = bytes + at + 4;
        if (bytes[at + 3] == 0 || size - at - 4 < next->count) return SPVB_DAMAGED;
        if (index && next[-1].opcode >= next->opcode) return SPVB_DAMAGED;
        for (uint32_t kind = 0; kind < next->count; kind++)
            if (next->kinds[kind] >= KINDS) return SPVB_DAMAGED;
        at += 4 + (size_t)next->count;
    }
    if (size - at < 1) return SPVB_DAMAGED;
    bundle->first_word_count = bytes[at];
    if (size - at - 1 != 4 * (size_t)bytes[at]) return SPVB_DAMAGED;
    return SPVB_OK;
}

/* The layout of instructions with a first word. */
static const layout *find_layout(const spvb_bundle *bundle, uint32_t word)
{
    uint32_t start = 0, end = bundle->layout_count;
    while (start < end) {
        uint32_t middle = start + (end - start) / 2;
        const layout *found = &bundle->layouts[middle];
        if (found->opcode == (uint16_t)word) return found;
        if (found->opcode < (uint16_t)word) start = middle + 1;
        else end = middle;
    }
    return &any_layout;
}

static spvb_text text_at(const spvb_bundle *bundle, const uint8_t *record)
{
    spvb_text text = {(const char *)bundle->text + number(record), number(record + 4)};
    return text;
}

static int is_text(const spvb_bundle *bundle, const uint8_t *record)
{
    return (uint64_t)number(record) + number(record + 4) <= bundle->text_size;
}

static int compare(spvb_text one, spvb_text other)
{
    int order = memcmp(one.text, other.text, one.size < other.size ? one.size : other.size);
    return order ? order : (one.size > other.size) - (one.size < other.size);
}

/* Checks that the numbers in all records fit. */
static int fits(const spvb_bundle *bundle, size_t start_of_blocks)
{
    uint32_t before = 0;
    if ((bundle->shader_count == 0) != (bundle->variant_count == 0)) return 0;
    for (uint32_t index = 0; index < bundle->shader_count; index++) {
        const uint8_t *record = bundle->shaders + (size_t)SHADER_SIZE * index;
        uint32_t first = number(record + 8);
        if (!is_text(bundle, record) || first >= bundle->variant_count) return 0;
        if (index == 0 ? first != 0 : first <= before) return 0;
        if (index && compare(text_at(bundle, record - SHADER_SIZE), text_at(bundle, record)) >= 0) return 0;
        before = first;
    }
    before = 0;
    for (uint32_t index = 0; index < bundle->variant_count; index++) {
        const uint8_t *record = bundle->variants + (size_t)VARIANT_SIZE * index;
        uint32_t first = number(record + 12);
        if (!is_text(bundle, record) || number(record + 8) >= bundle->module_count) return 0;
        if (first < before || first > bundle->constant_count || (index == 0 && first != 0)) return 0;
        before = first;
    }
    for (uint32_t index = 0; index < bundle->constant_count; index++) {
        const uint8_t *record = bundle->constants + (size_t)CONSTANT_SIZE * index;
        if (!is_text(bundle, record) || !is_text(bundle, record + 8)) return 0;
    }
    uint32_t module = 0;
    for (uint32_t index = 0; index < bundle->block_count; index++) {
        const uint8_t *record = bundle->blocks + (size_t)BLOCK_SIZE * index;
        uint64_t offset = long_number(record), stored = number(record + 8), content = number(record + 12);
        uint32_t encoding = number(record + 20);
        uint32_t end = index + 1 < bundle->block_count ? number(record + BLOCK_SIZE + 16) : bundle->module_count;
        if (offset < start_of_blocks || offset > bundle->size || stored > bundle->size - offset) return 0;
        if (content > MAX_CONTENT || encoding > 1 || number(record + 16) != module) return 0;
        if (end <= module || end > bundle->module_count) return 0;
        uint64_t words = 0;
        for (; module < end; module++) {
            const uint8_t *of_module = bundle->modules + (size_t)MODULE_SIZE * module;
            uint32_t count = number(of_module + 4);
            if (number(of_module) != index || (encoding == 1 && count < HEADER_WORDS)) return 0;
            words += count;
        }
        /* A coded word has a byte at least. */
        if (encoding == 0 ? 4 * words != content : words > content) return 0;
    }
    return module == bundle->module_count;
}

/* Decompresses a frame of a known size. */
static spvb_status decompress(const uint8_t *stored, size_t stored_size, size_t size, const ZSTD_DDict *dictionary,
                              uint8_t **content)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    uint8_t *bytes = malloc(size ? size : 1);
    if (!context || !bytes) {
        free(bytes);
        ZSTD_freeDCtx(context);
        return SPVB_MEMORY;
    }
    size_t written = dictionary
        ? ZSTD_decompress_usingDDict(context, bytes, size, stored, stored_size, dictionary)
        : ZSTD_decompressDCtx(context, bytes, size, stored, stored_size);
    ZSTD_freeDCtx(context);
    if (ZSTD_isError(written) || written != size) {
        free(bytes);
        return SPVB_DAMAGED;
    }
    *content = bytes;
    return SPVB_OK;
}

static spvb_status read_dictionary(spvb_bundle *bundle, const uint8_t *stored, size_t stored_size, size_t size)
{
    static const uint8_t magic[4] = {0x37, 0xa4, 0x30, 0xec};
    uint8_t *content;
    spvb_status status = decompress(stored, stored_size, size, NULL, &content);
    if (status != SPVB_OK) return status;
    if (size >= MIN_DICTIONARY && memcmp(content, magic, sizeof magic) == 0)
        bundle->dictionary = ZSTD_createDDict(content, size);
    free(content);
    return bundle->dictionary ? SPVB_OK : SPVB_DAMAGED;
}

static spvb_status read_bundle(spvb_bundle *bundle)
{
    const uint8_t *bytes = bundle->bytes;
    if (bundle->size < 4 || memcmp(bytes, "SPVB", 4) != 0) return SPVB_NOT_A_BUNDLE;
    if (bundle->size < HEADER_SIZE) return SPVB_DAMAGED;
    if (number(bytes + 4) != 1) return SPVB_VERSION;
    if (checksum(bytes, 60) != number(bytes + 60) || long_number(bytes + 8) != bundle->size) return SPVB_DAMAGED;
    static const uint32_t sizes[8] = {SHADER_SIZE, VARIANT_SIZE, CONSTANT_SIZE, MODULE_SIZE, BLOCK_SIZE, 1, 1, 1};
    const uint8_t *tables[8];
    uint32_t counts[8];
    uint64_t at = HEADER_SIZE;
    for (int table = 0; table < 8; table++) {
        counts[table] = number(bytes + 16 + 4 * table);
        tables[table] = bytes + at;
        at += (uint64_t)counts[table] * sizes[table];
        if (at > bundle->size) return SPVB_DAMAGED;
    }
    bundle->shaders = tables[0], bundle->shader_count = counts[0];
    bundle->variants = tables[1], bundle->variant_count = counts[1];
    bundle->constants = tables[2], bundle->constant_count = counts[2];
    bundle->modules = tables[3], bundle->module_count = counts[3];
    bundle->blocks = tables[4], bundle->block_count = counts[4];
    bundle->text = tables[5], bundle->text_size = counts[5];
    size_t tables_size = (size_t)(tables[7] - bytes) - HEADER_SIZE;
    if (checksum(bytes + HEADER_SIZE, tables_size) != number(bytes + 56)) return SPVB_DAMAGED;
    if (!fits(bundle, (size_t)at)) return SPVB_DAMAGED;
    spvb_status status = read_layouts(bundle, tables[6], counts[6]);
    if (status != SPVB_OK) return status;
    const uint8_t *word = tables[6] + counts[6] - 4 * (size_t)bundle->first_word_count;
    for (uint32_t index = 0; index < bundle->first_word_count; index++, word += 4) {
        bundle->first_words[index].word = number(word);
        bundle->first_words[index].layout = find_layout(bundle, number(word));
    }
    uint32_t size = number(bytes + 48);
    if ((size == 0) != (counts[7] == 0) || size > MAX_CONTENT) return SPVB_DAMAGED;
    if (size == 0) return SPVB_OK;
    if (checksum(tables[7], counts[7]) != number(bytes + 52)) return SPVB_DAMAGED;
    return read_dictionary(bundle, tables[7], counts[7], size);
}

spvb_status spvb_open(const void *bytes, size_t size, const spvb_bundle **result)
{
    spvb_bundle *bundle = calloc(1, sizeof *bundle);
    *result = NULL;
    if (!bundle) return SPVB_MEMORY;
    bundle->bytes = bytes;
    bundle->size = size;
    spvb_status status = read_bundle(bundle);
    if (status == SPVB_OK) *result = bundle;
    else spvb_close(bundle);
    return status;
}

void spvb_close(const spvb_bundle *bundle)
{
    if (!bundle) return;
    ZSTD_freeDDict(bundle->dictionary);
    free(bundle->layouts);
    free((void *)bundle);
}

uint32_t spvb_shader_count(const spvb_bundle *bundle)
{
    return bundle->shader_count;
}

spvb_text spvb_shader_name(const spvb_bundle *bundle, uint32_t shader)
{
    return text_at(bundle, bundle->shaders + (size_t)SHADER_SIZE * shader);
}

spvb_status spvb_find(const spvb_bundle *bundle, const char *name, uint32_t *shader)
{
    spvb_text wanted = {name, strlen(name)};
    uint32_t start = 0, end = bundle->shader_count;
    while (start < end) {
        uint32_t middle = start + (end - start) / 2;
        int order = compare(spvb_shader_name(bundle, middle), wanted);
        if (order == 0) {
            *shader = middle;
            return SPVB_OK;
        }
        if (order < 0) start = middle + 1;
        else end = middle;
    }
    return SPVB_NOT_FOUND;
}

static uint32_t first_variant(const spvb_bundle *bundle, uint32_t shader)
{
    if (shader >= bundle->shader_count) return bundle->variant_count;
    return number(bundle->shaders + (size_t)SHADER_SIZE * shader + 8);
}

uint32_t spvb_variant_count(const spvb_bundle *bundle, uint32_t shader)
{
    return first_variant(bundle, shader + 1) - first_variant(bundle, shader);
}

spvb_status spvb_variant(const spvb_bundle *bundle, uint32_t shader, uint32_t variant, spvb_variant_info *info)
{
    if (shader >= bundle->shader_count || variant >= spvb_variant_count(bundle, shader)) return SPVB_NOT_FOUND;
    uint32_t index = first_variant(bundle, shader) + variant;
    const uint8_t *record = bundle->variants + (size_t)VARIANT_SIZE * index;
    info->condition = text_at(bundle, record);
    info->module = number(record + 8);
    info->words = number(bundle->modules + (size_t)MODULE_SIZE * info->module + 4);
    info->first_constant = number(record + 12);
    uint32_t end = index + 1 < bundle->variant_count ? number(record + VARIANT_SIZE + 12) : bundle->constant_count;
    info->constant_count = end - info->first_constant;
    return SPVB_OK;
}

void spvb_constant(const spvb_bundle *bundle, uint32_t constant, spvb_text *name, spvb_text *value)
{
    const uint8_t *record = bundle->constants + (size_t)CONSTANT_SIZE * constant;
    *name = text_at(bundle, record);
    *value = text_at(bundle, record + 8);
}

/* The rest of a stream. */
typedef struct stream {
    const uint8_t *at, *end;
} stream;

/* The state of a decoder. */
typedef struct decoder {
    const spvb_bundle *bundle;
    stream first_words, literals, results, types, ids, strings;
    /* The ids of the module in the order in which they first occur, with room for each of its words. */
    uint32_t *seen;
    uint32_t seen_count, newest, globals;
    int has_functions, failed;
    uint32_t recent[MAX_RECENT];
    uint32_t recent_count;
} decoder;

static uint64_t take(decoder *decoder, stream *stream)
{
    uint64_t value = 0;
    for (int shift = 0; shift <= 28; shift += 7) {
        if (stream->at == stream->end) break;
        uint8_t byte = *stream->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    decoder->failed = 1;
    return 0;
}

static uint32_t new_id(decoder *decoder, uint64_t folded)
{
    uint32_t difference = (uint32_t)folded;
    decoder->newest += 1 + ((difference >> 1) ^ (0 - (difference & 1)));
    decoder->seen[decoder->seen_count++] = decoder->newest;
    return decoder->newest;
}

static uint32_t nth_last(decoder *decoder, uint64_t distance)
{
    if (distance < decoder->seen_count) return decoder->seen[decoder->seen_count - 1 - (uint32_t)distance];
    decoder->failed = 1;
    return 0;
}

static uint32_t result(decoder *decoder)
{
    uint64_t code = take(decoder, &decoder->results);
    return code & 1 ? nth_last(decoder, code >> 1) : new_id(decoder, code >> 1);
}

static uint32_t reference(decoder *decoder, stream *stream)
{
    uint64_t code = take(decoder, stream);
    if (code == 0) return new_id(decoder, take(decoder, stream));
    uint64_t position = (code - 1) >> 1;
    if (!(code & 1)) return nth_last(decoder, position);
    uint32_t *recent = decoder->recent, ordinal;
    if (position < decoder->recent_count) {
        ordinal = recent[position];
    } else {
        position -= decoder->recent_count;
        if (position >= decoder->globals) {
            decoder->failed = 1;
            return 0;
        }
        ordinal = decoder->globals - 1 - (uint32_t)position;
        if (decoder->recent_count < MAX_RECENT) decoder->recent_count++;
        position = decoder->recent_count - 1;
    }
    memmove(recent + 1, recent, (size_t)position * sizeof *recent);
    recent[0] = ordinal;
    return decoder->seen[ordinal];
}

static int ends_string(uint32_t word)
{
    return !(word & 0xff) || !(word & 0xff00) || !(word & 0xff0000) || !(word & 0xff000000);
}

/* Decodes the next module, which has `count` words. */
static int decode(decoder *decoder, uint32_t *words, size_t count)
{
    size_t at = 0;
    decoder->seen_count = decoder->newest = decoder->globals = decoder->recent_count = 0;
    decoder->has_functions = 0;
    while (at < HEADER_WORDS) words[at++] = (uint32_t)take(decoder, &decoder->literals);
    while (at < count && !decoder->failed) {
        if (decoder->first_words.at == decoder->first_words.end) return 0;
        uint8_t index = *decoder->first_words.at++;
        uint32_t first;
        const layout *layout;
        if (index == ESCAPE) {
            first = (uint32_t)take(decoder, &decoder->literals);
            layout = find_layout(decoder->bundle, first);
        } else {
            if (index >= decoder->bundle->first_word_count) return 0;
            first = decoder->bundle->first_words[index].word;
            layout = decoder->bundle->first_words[index].layout;
        }
        if (first >> 16 == 0 || first >> 16 > count - at) return 0;
        size_t end = at + (first >> 16);
        if ((first & 0xffff) == OP_FUNCTION && !decoder->has_functions) {
            decoder->has_functions = 1;
            decoder->globals = decoder->seen_count;
        }
        words[at++] = first;
        uint32_t operand = 0;
        while (at < end) {
            uint32_t word = 0;
            uint8_t kind = layout->kinds[operand];
            switch (kind) {
            case LITERAL: word = (uint32_t)take(decoder, &decoder->literals); break;
            case TYPE: word = reference(decoder, &decoder->types); break;
            case RESULT: word = result(decoder); break;
            case ID: word = reference(decoder, &decoder->ids); break;
            default:
                if (decoder->strings.end - decoder->strings.at < 4) return 0;
                word = number(decoder->strings.at);
                decoder->strings.at += 4;
            }
            words[at++] = word;
            if (kind == STRING && !ends_string(word)) continue;
            operand = operand + 1u < layout->count ? operand + 1 : layout->repeated;
        }
    }
    return !decoder->failed;
}

static int is_at_end(const decoder *decoder)
{
    return decoder->first_words.at == decoder->first_words.end && decoder->literals.at == decoder->literals.end &&
           decoder->results.at == decoder->results.end && decoder->types.at == decoder->types.end &&
           decoder->ids.at == decoder->ids.end && decoder->strings.at == decoder->strings.end;
}

static uint32_t word_count(const spvb_bundle *bundle, uint32_t module)
{
    return number(bundle->modules + (size_t)MODULE_SIZE * module + 4);
}

/* Decodes the modules of a block up to one. `words` has room for the largest of them. */
static spvb_status decode_block(const spvb_bundle *bundle, const uint8_t *content, size_t size, uint32_t first,
                                uint32_t module, uint32_t end, uint32_t *words, size_t largest)
{
    if (size < 4 * STREAMS) return SPVB_DAMAGED;
    decoder *state = calloc(1, sizeof *state);
    uint32_t *seen = malloc(largest * sizeof *seen);
    spvb_status status = SPVB_DAMAGED;
    if (!state || !seen) {
        status = SPVB_MEMORY;
        goto out;
    }
    state->bundle = bundle;
    state->seen = seen;
    stream *streams[STREAMS] = {&state->first_words, &state->literals, &state->results,
                                &state->types, &state->ids, &state->strings};
    const uint8_t *at = content + 4 * STREAMS, *content_end = content + size;
    for (int index = 0; index < STREAMS; index++) {
        uint32_t stream_size = number(content + 4 * index);
        if (stream_size > (size_t)(content_end - at)) goto out;
        streams[index]->at = at;
        streams[index]->end = at += stream_size;
    }
    if (at != content_end) goto out;
    for (uint32_t next = first; next <= module; next++)
        if (!decode(state, words, word_count(bundle, next))) goto out;
    if (module + 1 == end && !is_at_end(state)) goto out;
    status = SPVB_OK;
out:
    free(seen);
    free(state);
    return status;
}

uint32_t spvb_module_count(const spvb_bundle *bundle)
{
    return bundle->module_count;
}

spvb_status spvb_module(const spvb_bundle *bundle, uint32_t module, uint32_t **result, size_t *count)
{
    *result = NULL;
    *count = 0;
    if (module >= bundle->module_count) return SPVB_NOT_FOUND;
    uint32_t index = number(bundle->modules + (size_t)MODULE_SIZE * module);
    const uint8_t *block = bundle->blocks + (size_t)BLOCK_SIZE * index;
    const uint8_t *stored = bundle->bytes + long_number(block);
    size_t stored_size = number(block + 8), size = number(block + 12);
    uint32_t first = number(block + 16);
    uint32_t end = index + 1 < bundle->block_count ? number(block + BLOCK_SIZE + 16) : bundle->module_count;
    if (checksum(stored, stored_size) != number(block + 24)) return SPVB_DAMAGED;
    uint8_t *content;
    spvb_status status = decompress(stored, stored_size, size, bundle->dictionary, &content);
    if (status != SPVB_OK) return status;
    size_t largest = 1, before = 0;
    for (uint32_t next = first; next <= module; next++) {
        size_t words = word_count(bundle, next);
        if (words > largest) largest = words;
        if (next < module) before += words;
    }
    uint32_t *words = malloc(largest * sizeof *words);
    if (!words) {
        status = SPVB_MEMORY;
    } else if (number(block + 20) == 0) {
        for (size_t word = 0; word < word_count(bundle, module); word++)
            words[word] = number(content + 4 * (before + word));
    } else {
        status = decode_block(bundle, content, size, first, module, end, words, largest);
    }
    free(content);
    if (status != SPVB_OK) {
        free(words);
        return status;
    }
    *result = words;
    *count = word_count(bundle, module);
    return SPVB_OK;
}

spvb_status spvb_get(const spvb_bundle *bundle, const char *name, uint32_t **words, size_t *count)
{
    uint32_t shader;
    spvb_variant_info variant;
    *words = NULL;
    *count = 0;
    spvb_status status = spvb_find(bundle, name, &shader);
    if (status != SPVB_OK) return status;
    if (spvb_variant_count(bundle, shader) != 1) return SPVB_SEVERAL_VARIANTS;
    status = spvb_variant(bundle, shader, 0, &variant);
    return status == SPVB_OK ? spvb_module(bundle, variant.module, words, count) : status;
}

void spvb_free(uint32_t *words)
{
    free(words);
}
