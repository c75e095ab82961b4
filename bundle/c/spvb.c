/* The reader of bundles. See spvb.h, and spec-extensions/bundle.md of spirv-if for the format. */
#include "spvb.h"

#include <stdlib.h>
#include <string.h>
#ifndef SPVB_WITHOUT_ZSTD
#include <zstd.h>
#endif

enum {
    HEADER_SIZE = 64,
    READY_HEADER_SIZE = 96,
    SHADER_SIZE = 12,
    VARIANT_SIZE = 16,
    CONSTANT_SIZE = 16,
    MODULE_SIZE = 8,
    BLOCK_SIZE = 28,
    QUESTION_SIZE = 12,
    READY_SIZE = 20,
    NODE_SIZE = 6,
    RESULT_SIZE = 20,
    KEY_SIZE = 8,
    LIST_SIZE = 4,
    ITEM_SIZE = 4,
    MAX_QUESTIONS = 0xffff,
    MAX_NODES = 4096,
    MAX_RESULTS = 0x7fff,
    FIRST_RESULT = 0x8000,
    NOTHING = 0xffff,
    STREAMS = 6,
    HEADER_WORDS = 5,
    OP_FUNCTION = 54,
    ESCAPE = 255,
    MAX_RECENT = 256,
    MIN_DICTIONARY = 1024,
    MAX_CONTENT = 1 << 26
};

/* The encodings of blocks. */
enum { RAW, CODED, STORED };

/* The item of a list before the requirements of an entry point. */
#define ENTRY_POINT 0xffffffffu

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
    /* The tables of ready shaders. */
    const uint8_t *questions, *ready, *nodes, *results, *keys, *lists, *items, *runs;
    uint32_t question_count, ready_count, node_count, result_count, list_count, item_count, runs_size;
    /* They, if they are compressed in the bundle. */
    uint8_t *decompressed;
    uint32_t checksums[8][256];
#ifndef SPVB_WITHOUT_ZSTD
    ZSTD_DDict *dictionary;
#endif
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

/* Makes the tables of CRC-32 as in zlib, which takes eight bytes at a time. */
static void make_checksum_tables(spvb_bundle *bundle)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        bundle->checksums[0][byte] = crc;
    }
    for (int table = 1; table < 8; table++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t crc = bundle->checksums[table - 1][byte];
            bundle->checksums[table][byte] = crc >> 8 ^ bundle->checksums[0][crc & 0xff];
        }
}

static uint32_t checksum(const spvb_bundle *bundle, const uint8_t *bytes, size_t size)
{
    const uint32_t(*tables)[256] = bundle->checksums;
    uint32_t crc = 0xffffffff;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint32_t low = crc ^ number(bytes), high = number(bytes + 4);
        crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^ tables[5][low >> 16 & 0xff] ^ tables[4][low >> 24] ^
              tables[3][high & 0xff] ^ tables[2][high >> 8 & 0xff] ^ tables[1][high >> 16 & 0xff] ^ tables[0][high >> 24];
    }
    for (; size; size--, bytes++) crc = crc >> 8 ^ tables[0][(crc ^ *bytes) & 0xff];
    return ~crc;
}

static uint32_t short_number(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* The end of the records that begin at a number in a record, where the next record has the first one after them. */
static uint32_t end_of(const uint8_t *record, size_t size, size_t at, uint32_t index, uint32_t count, uint32_t total)
{
    return index + 1 < count ? number(record + size + at) : total;
}

/* Takes a number from the start of bytes. Returns 0 if there is none. */
static int take_number(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift <= 28 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return 1;
    }
    return 0;
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

static uint32_t first_variant(const spvb_bundle *bundle, uint32_t shader)
{
    if (shader >= bundle->shader_count) return bundle->variant_count;
    return number(bundle->shaders + (size_t)SHADER_SIZE * shader + 8);
}

/* Checks that the numbers in all records fit. */
static int fits(const spvb_bundle *bundle, uint64_t start_of_blocks)
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
    uint64_t block_end = start_of_blocks;
    for (uint32_t index = 0; index < bundle->block_count; index++) {
        const uint8_t *record = bundle->blocks + (size_t)BLOCK_SIZE * index;
        uint64_t offset = long_number(record), stored = number(record + 8), content = number(record + 12);
        uint32_t encoding = number(record + 20);
        uint32_t end = index + 1 < bundle->block_count ? number(record + BLOCK_SIZE + 16) : bundle->module_count;
        if (offset < block_end || offset > bundle->size || stored > bundle->size - offset) return 0;
        block_end = offset + stored;
        if (content > MAX_CONTENT || encoding > STORED || number(record + 16) != module) return 0;
        if (end <= module || end > bundle->module_count) return 0;
        if (encoding == STORED && stored != content) return 0;
        uint64_t words = 0;
        for (; module < end; module++) {
            const uint8_t *of_module = bundle->modules + (size_t)MODULE_SIZE * module;
            uint32_t count = number(of_module + 4);
            if (number(of_module) != index || (encoding == CODED && count < HEADER_WORDS)) return 0;
            words += count;
        }
        /* A coded word has a byte at least. */
        if (encoding != CODED ? 4 * words != content : words > content) return 0;
    }
    return module == bundle->module_count;
}

/* The runs of a ready shader. */
typedef struct run_reader {
    const uint8_t *sets, *at, *end;
    uint64_t set_count;
    size_t set_size;
} run_reader;

static int read_sets(run_reader *reader, const uint8_t *at, const uint8_t *end, uint32_t results)
{
    reader->at = at;
    reader->end = end;
    reader->set_size = (results + 7) / 8;
    if (!take_number(&reader->at, end, &reader->set_count)) return 0;
    if (reader->set_count > (size_t)(end - reader->at) / reader->set_size) return 0;
    reader->sets = reader->at;
    reader->at += (size_t)reader->set_count * reader->set_size;
    return 1;
}

/* Reads the next run: its number of words, and the set of results that have it. */
static int read_run(run_reader *reader, uint64_t *words, const uint8_t **set)
{
    uint64_t index;
    if (!take_number(&reader->at, reader->end, words) || *words == 0) return 0;
    if (!take_number(&reader->at, reader->end, &index) || index >= reader->set_count) return 0;
    *set = reader->sets + (size_t)index * reader->set_size;
    return 1;
}

/* The columns of results. */
enum { VERSION, BOUND, WORDS, REQUIREMENTS, REMOVED_BINDINGS };

static uint32_t of_result(const spvb_bundle *bundle, uint32_t result, int column)
{
    return number(bundle->results + 4 * ((size_t)column * bundle->result_count + result));
}

static int is_child(uint32_t child, uint32_t node, uint32_t nodes, uint32_t results)
{
    if (child < FIRST_RESULT) return child > node && child < nodes;
    return child == NOTHING || child - FIRST_RESULT < results;
}

/* Checks the tables of ready shaders, except the items of lists. */
static int fits_ready(const spvb_bundle *bundle)
{
    if (bundle->question_count > MAX_QUESTIONS) return 0;
    for (uint32_t index = 0; index < bundle->question_count; index++) {
        const uint8_t *record = bundle->questions + (size_t)QUESTION_SIZE * index;
        uint32_t kind = number(record + 8);
        if (kind > SPVB_CONSTANT || !is_text(bundle, record)) return 0;
        if (index == 0) continue;
        uint32_t before = number(record - QUESTION_SIZE + 8);
        if (before > kind) return 0;
        if (before == kind && compare(text_at(bundle, record - QUESTION_SIZE), text_at(bundle, record)) >= 0) return 0;
    }
    uint32_t first = 0;
    for (uint32_t list = 0; list < bundle->list_count; list++) {
        uint32_t item = number(bundle->lists + (size_t)LIST_SIZE * list);
        if (list == 0 ? item != 0 : item < first) return 0;
        if (item > bundle->item_count) return 0;
        first = item;
    }
    uint32_t node = 0, result = 0, run = 0;
    for (uint32_t index = 0; index < bundle->ready_count; index++) {
        const uint8_t *record = bundle->ready + (size_t)READY_SIZE * index;
        uint32_t shader = number(record);
        if (shader >= bundle->shader_count || number(record + 4) > 3) return 0;
        if (index && shader <= number(record - READY_SIZE)) return 0;
        if (number(record + 8) != node || number(record + 12) != result || number(record + 16) != run) return 0;
        uint32_t nodes_end = end_of(record, READY_SIZE, 8, index, bundle->ready_count, bundle->node_count);
        uint32_t results_end = end_of(record, READY_SIZE, 12, index, bundle->ready_count, bundle->result_count);
        uint32_t runs_end = end_of(record, READY_SIZE, 16, index, bundle->ready_count, bundle->runs_size);
        if (nodes_end < node || nodes_end > bundle->node_count || nodes_end - node > MAX_NODES) return 0;
        if (results_end <= result || results_end > bundle->result_count || results_end - result > MAX_RESULTS) return 0;
        if (runs_end < run || runs_end > bundle->runs_size) return 0;
        const uint8_t *variant = bundle->variants + (size_t)VARIANT_SIZE * first_variant(bundle, shader);
        if (first_variant(bundle, shader + 1) - first_variant(bundle, shader) != 1 || number(variant + 4)) return 0;
        if (end_of(variant, VARIANT_SIZE, 12, first_variant(bundle, shader), bundle->variant_count,
                   bundle->constant_count) != number(variant + 12)) return 0;
        for (uint32_t count = nodes_end - node, of_shader = 0; of_shader < count; of_shader++) {
            const uint8_t *at = bundle->nodes + (size_t)NODE_SIZE * (node + of_shader);
            if (short_number(at) >= bundle->question_count) return 0;
            if (!is_child(short_number(at + 2), of_shader, count, results_end - result)) return 0;
            if (!is_child(short_number(at + 4), of_shader, count, results_end - result)) return 0;
        }
        run_reader reader;
        if (!read_sets(&reader, bundle->runs + run, bundle->runs + runs_end, results_end - result)) return 0;
        uint64_t words = HEADER_WORDS;
        while (reader.at < reader.end) {
            uint64_t count;
            const uint8_t *set;
            if (!read_run(&reader, &count, &set)) return 0;
            words += count;
        }
        if (words != number(bundle->modules + (size_t)MODULE_SIZE * number(variant + 8) + 4)) return 0;
        for (; result < results_end; result++) {
            /* A block bounds the pool, so that callers allocate no more than it has, and its bytes fit into any size_t. */
            if (of_result(bundle, result, WORDS) < HEADER_WORDS || of_result(bundle, result, WORDS) > words) return 0;
            if (of_result(bundle, result, REQUIREMENTS) >= bundle->list_count) return 0;
            if (of_result(bundle, result, REMOVED_BINDINGS) >= bundle->list_count) return 0;
        }
        node = nodes_end;
        run = runs_end;
    }
    return node == bundle->node_count && result == bundle->result_count && run == bundle->runs_size;
}

/* Checks the checksums of blocks that are not compressed: later reads only copy. */
static int are_stored_blocks_whole(const spvb_bundle *bundle, uint32_t version)
{
    for (uint32_t index = 0; index < bundle->block_count; index++) {
        const uint8_t *block = bundle->blocks + (size_t)BLOCK_SIZE * index;
        if (number(block + 20) != STORED) continue;
        if (version == 1 || checksum(bundle, bundle->bytes + long_number(block), number(block + 8)) != number(block + 24)) return 0;
    }
    return 1;
}

#ifdef SPVB_WITHOUT_ZSTD
static spvb_status read_dictionary(spvb_bundle *bundle, const uint8_t *stored, size_t stored_size, size_t size)
{
    (void)bundle, (void)stored, (void)stored_size, (void)size;
    return SPVB_COMPRESSED;
}
#else
/* Decompresses a frame of a known size. */
static spvb_status decompress(const uint8_t *stored, size_t stored_size, size_t size, const ZSTD_DDict *dictionary,
                              uint8_t *content)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) return SPVB_MEMORY;
    size_t written = dictionary
        ? ZSTD_decompress_usingDDict(context, content, size, stored, stored_size, dictionary)
        : ZSTD_decompressDCtx(context, content, size, stored, stored_size);
    ZSTD_freeDCtx(context);
    return ZSTD_isError(written) || written != size ? SPVB_DAMAGED : SPVB_OK;
}

static spvb_status read_dictionary(spvb_bundle *bundle, const uint8_t *stored, size_t stored_size, size_t size)
{
    static const uint8_t magic[4] = {0x37, 0xa4, 0x30, 0xec};
    uint8_t *content = malloc(size);
    if (!content) return SPVB_MEMORY;
    spvb_status status = decompress(stored, stored_size, size, NULL, content);
    if (status == SPVB_OK && size >= MIN_DICTIONARY && memcmp(content, magic, sizeof magic) == 0)
        bundle->dictionary = ZSTD_createDDict(content, size);
    free(content);
    if (status != SPVB_OK) return status;
    return bundle->dictionary ? SPVB_OK : SPVB_DAMAGED;
}
#endif

/* Finds the tables of ready shaders, which are stored as they are, or compressed. */
static spvb_status read_ready(spvb_bundle *bundle, const uint8_t *stored, size_t stored_size)
{
    static const uint8_t shapes[8][2] = {{60, QUESTION_SIZE}, {64, READY_SIZE}, {68, NODE_SIZE}, {72, RESULT_SIZE},
                                         {72, KEY_SIZE}, {76, LIST_SIZE}, {80, ITEM_SIZE}, {84, 1}};
    uint32_t counts[8];
    uint64_t size = 0;
    for (int table = 0; table < 8; table++) {
        counts[table] = number(bundle->bytes + shapes[table][0]);
        size += (uint64_t)counts[table] * shapes[table][1];
        if (size > MAX_CONTENT) return SPVB_DAMAGED;
    }
    if (size != stored_size) {
#ifdef SPVB_WITHOUT_ZSTD
        return SPVB_COMPRESSED;
#else
        bundle->decompressed = malloc((size_t)size + 1);
        if (!bundle->decompressed) return SPVB_MEMORY;
        spvb_status status = decompress(stored, stored_size, (size_t)size, NULL, bundle->decompressed);
        if (status != SPVB_OK) return status;
        stored = bundle->decompressed;
#endif
    }
    const uint8_t **tables[8] = {&bundle->questions, &bundle->ready, &bundle->nodes, &bundle->results,
                                 &bundle->keys, &bundle->lists, &bundle->items, &bundle->runs};
    for (int table = 0; table < 8; table++) {
        *tables[table] = stored;
        stored += (size_t)counts[table] * shapes[table][1];
    }
    bundle->question_count = counts[0], bundle->ready_count = counts[1], bundle->node_count = counts[2];
    bundle->result_count = counts[3], bundle->list_count = counts[5], bundle->item_count = counts[6];
    bundle->runs_size = counts[7];
    return SPVB_OK;
}

static spvb_status read_bundle(spvb_bundle *bundle)
{
    const uint8_t *bytes = bundle->bytes;
    if (bundle->size < 4 || memcmp(bytes, "SPVB", 4) != 0) return SPVB_NOT_A_BUNDLE;
    if (bundle->size < HEADER_SIZE) return SPVB_DAMAGED;
    uint32_t version = number(bytes + 4);
    if (version != 1 && version != 2) return SPVB_VERSION;
    uint32_t header_size = version == 1 ? HEADER_SIZE : READY_HEADER_SIZE;
    if (bundle->size < header_size || checksum(bundle, bytes, header_size - 4) != number(bytes + header_size - 4)) return SPVB_DAMAGED;
    if (long_number(bytes + 8) != bundle->size) return SPVB_DAMAGED;
    /* The place of each count in the header and the size of each record, in the order of the tables. */
    static const uint8_t shapes[9][2] = {{16, SHADER_SIZE}, {20, VARIANT_SIZE}, {24, CONSTANT_SIZE},
                                         {28, MODULE_SIZE}, {32, BLOCK_SIZE}, {88, 1}, {36, 1}, {40, 1}, {44, 1}};
    const uint8_t *tables[9];
    uint32_t counts[9];
    uint64_t at = header_size;
    for (int table = 0; table < 9; table++) {
        counts[table] = shapes[table][0] == 88 && version == 1 ? 0 : number(bytes + shapes[table][0]);
        tables[table] = bytes + at;
        at += (uint64_t)counts[table] * shapes[table][1];
        if (at > bundle->size) return SPVB_DAMAGED;
    }
    bundle->shaders = tables[0], bundle->shader_count = counts[0];
    bundle->variants = tables[1], bundle->variant_count = counts[1];
    bundle->constants = tables[2], bundle->constant_count = counts[2];
    bundle->modules = tables[3], bundle->module_count = counts[3];
    bundle->blocks = tables[4], bundle->block_count = counts[4];
    bundle->text = tables[6], bundle->text_size = counts[6];
    size_t tables_size = (size_t)(tables[8] - bytes) - header_size;
    if (checksum(bundle, bytes + header_size, tables_size) != number(bytes + 56)) return SPVB_DAMAGED;
    if (!fits(bundle, at)) return SPVB_DAMAGED;
    spvb_status status = version == 1 ? SPVB_OK : read_ready(bundle, tables[5], counts[5]);
    if (status != SPVB_OK) return status;
    if (!fits_ready(bundle) || !are_stored_blocks_whole(bundle, version)) return SPVB_DAMAGED;
    status = read_layouts(bundle, tables[7], counts[7]);
    if (status != SPVB_OK) return status;
    const uint8_t *word = tables[7] + counts[7] - 4 * (size_t)bundle->first_word_count;
    for (uint32_t index = 0; index < bundle->first_word_count; index++, word += 4) {
        bundle->first_words[index].word = number(word);
        bundle->first_words[index].layout = find_layout(bundle, number(word));
    }
    uint32_t size = number(bytes + 48);
    if ((size == 0) != (counts[8] == 0) || size > MAX_CONTENT) return SPVB_DAMAGED;
    if (size == 0) return SPVB_OK;
    if (checksum(bundle, tables[8], counts[8]) != number(bytes + 52)) return SPVB_DAMAGED;
    return read_dictionary(bundle, tables[8], counts[8], size);
}

spvb_status spvb_open(const void *bytes, size_t size, const spvb_bundle **result)
{
    spvb_bundle *bundle = calloc(1, sizeof *bundle);
    *result = NULL;
    if (!bundle) return SPVB_MEMORY;
    bundle->bytes = bytes;
    bundle->size = size;
    make_checksum_tables(bundle);
    spvb_status status = read_bundle(bundle);
    if (status == SPVB_OK) *result = bundle;
    else spvb_close(bundle);
    return status;
}

void spvb_close(const spvb_bundle *bundle)
{
    if (!bundle) return;
#ifndef SPVB_WITHOUT_ZSTD
    ZSTD_freeDDict(bundle->dictionary);
#endif
    free(bundle->decompressed);
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

/* The record of a ready shader; NULL for others. */
static const uint8_t *find_ready(const spvb_bundle *bundle, uint32_t shader)
{
    uint32_t start = 0, end = bundle->ready_count;
    while (start < end) {
        uint32_t middle = start + (end - start) / 2;
        const uint8_t *record = bundle->ready + (size_t)READY_SIZE * middle;
        if (number(record) == shader) return record;
        if (number(record) < shader) start = middle + 1;
        else end = middle;
    }
    return NULL;
}

uint32_t spvb_variant_count(const spvb_bundle *bundle, uint32_t shader)
{
    if (find_ready(bundle, shader)) return 0;
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

static uint32_t word_count(const spvb_bundle *bundle, uint32_t module)
{
    return number(bundle->modules + (size_t)MODULE_SIZE * module + 4);
}

#ifndef SPVB_WITHOUT_ZSTD
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
    uint64_t value;
    if (take_number(&stream->at, stream->end, &value)) return value;
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

/* Decodes the modules of a block up to one. `words` and `seen` have room for the words of the largest of them. */
static spvb_status decode_block(const spvb_bundle *bundle, const uint8_t *content, size_t size, uint32_t first,
                                uint32_t module, uint32_t end, uint32_t *words, uint32_t *seen)
{
    if (size < 4 * STREAMS) return SPVB_DAMAGED;
    decoder state;
    memset(&state, 0, sizeof state);
    state.bundle = bundle;
    state.seen = seen;
    stream *streams[STREAMS] = {&state.first_words, &state.literals, &state.results,
                                &state.types, &state.ids, &state.strings};
    const uint8_t *at = content + 4 * STREAMS, *content_end = content + size;
    for (int index = 0; index < STREAMS; index++) {
        uint32_t stream_size = number(content + 4 * index);
        if (stream_size > (size_t)(content_end - at)) return SPVB_DAMAGED;
        streams[index]->at = at;
        streams[index]->end = at += stream_size;
    }
    if (at != content_end) return SPVB_DAMAGED;
    for (uint32_t next = first; next <= module; next++)
        if (!decode(&state, words, word_count(bundle, next))) return SPVB_DAMAGED;
    return module + 1 == end && !is_at_end(&state) ? SPVB_DAMAGED : SPVB_OK;
}
#endif

/* Copies words, which are in little-endian order. */
static void copy(uint32_t *into, const uint8_t *from, size_t count)
{
    static const uint32_t one = 1;
    memcpy(into, from, 4 * count);
    if (*(const uint8_t *)&one == 1) return;
    for (size_t word = 0; word < count; word++) into[word] = number(from + 4 * word);
}

/* A module in its block. */
typedef struct block_place {
    const uint8_t *stored;
    size_t stored_size, size;
    uint32_t encoding, checksum, first, module, end;
    /* The words of the largest module up to this one, and of those before it. */
    size_t largest, before;
} block_place;

static block_place find_block(const spvb_bundle *bundle, uint32_t module)
{
    uint32_t index = number(bundle->modules + (size_t)MODULE_SIZE * module);
    const uint8_t *block = bundle->blocks + (size_t)BLOCK_SIZE * index;
    block_place place = {0};
    place.stored = bundle->bytes + long_number(block);
    place.stored_size = number(block + 8);
    place.size = number(block + 12);
    place.first = number(block + 16);
    place.encoding = number(block + 20);
    place.checksum = number(block + 24);
    place.end = end_of(block, BLOCK_SIZE, 16, index, bundle->block_count, bundle->module_count);
    place.module = module;
    place.largest = 1;
    for (uint32_t next = place.first; next <= module; next++) {
        size_t words = word_count(bundle, next);
        if (words > place.largest) place.largest = words;
        if (next < module) place.before += words;
    }
    return place;
}

/* The bytes that read_words needs. */
static size_t scratch_of(const block_place *place)
{
    switch (place->encoding) {
    case STORED: return 0;
    case RAW: return place->size;
    default: return place->size + 8 * place->largest;
    }
}

/* Finds the words of a module. Either they are in the bundle or in scratch as little-endian bytes, or scratch begins with them, and `bytes` is NULL. */
static spvb_status read_words(const spvb_bundle *bundle, const block_place *place, uint32_t *scratch,
                              const uint8_t **bytes)
{
    *bytes = NULL;
    if (place->encoding == STORED) {
        *bytes = place->stored + 4 * place->before;
        return SPVB_OK;
    }
#ifdef SPVB_WITHOUT_ZSTD
    (void)bundle, (void)scratch;
    return SPVB_COMPRESSED;
#else
    if (checksum(bundle, place->stored, place->stored_size) != place->checksum) return SPVB_DAMAGED;
    uint8_t *content = (uint8_t *)scratch + (scratch_of(place) - place->size);
    spvb_status status = decompress(place->stored, place->stored_size, place->size, bundle->dictionary, content);
    if (place->encoding == RAW) *bytes = content + 4 * place->before;
    if (status != SPVB_OK || place->encoding == RAW) return status;
    return decode_block(bundle, content, place->size, place->first, place->module, place->end, scratch,
                        scratch + place->largest);
#endif
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
    block_place place = find_block(bundle, module);
    size_t size = scratch_of(&place), words = word_count(bundle, module);
    uint32_t *scratch = malloc(size ? size : 1), *into = malloc(words ? 4 * words : 1);
    const uint8_t *bytes;
    spvb_status status = SPVB_MEMORY;
    if (scratch && into) status = read_words(bundle, &place, scratch, &bytes);
    if (status == SPVB_OK) {
        if (bytes) copy(into, bytes, words);
        else memcpy(into, scratch, 4 * words);
        *result = into;
        *count = words;
    } else {
        free(into);
    }
    free(scratch);
    return status;
}

/* Returns the module of a ready shader that is for all devices. */
static spvb_status get_for_all(const spvb_bundle *bundle, uint32_t shader, uint32_t **words, size_t *count);

spvb_status spvb_get(const spvb_bundle *bundle, const char *name, uint32_t **words, size_t *count)
{
    uint32_t shader;
    spvb_variant_info variant;
    *words = NULL;
    *count = 0;
    spvb_status status = spvb_find(bundle, name, &shader);
    if (status != SPVB_OK) return status;
    if (find_ready(bundle, shader)) return get_for_all(bundle, shader, words, count);
    if (spvb_variant_count(bundle, shader) != 1) return SPVB_SEVERAL_VARIANTS;
    status = spvb_variant(bundle, shader, 0, &variant);
    return status == SPVB_OK ? spvb_module(bundle, variant.module, words, count) : status;
}

void spvb_free(uint32_t *words)
{
    free(words);
}

uint32_t spvb_question_count(const spvb_bundle *bundle)
{
    return bundle->question_count;
}

spvb_text spvb_question(const spvb_bundle *bundle, uint32_t question, spvb_kind *kind)
{
    const uint8_t *record = bundle->questions + (size_t)QUESTION_SIZE * question;
    if (kind) *kind = (spvb_kind)number(record + 8);
    return text_at(bundle, record);
}

/* A ready shader: its nodes and its results. */
typedef struct ready_shader {
    const uint8_t *record, *nodes;
    uint32_t index, node_count, first_result, result_count;
} ready_shader;

static int get_ready(const spvb_bundle *bundle, uint32_t shader, ready_shader *ready)
{
    const uint8_t *record = find_ready(bundle, shader);
    if (!record) return 0;
    ready->record = record;
    ready->index = (uint32_t)((size_t)(record - bundle->ready) / READY_SIZE);
    ready->nodes = bundle->nodes + (size_t)NODE_SIZE * number(record + 8);
    ready->first_result = number(record + 12);
    ready->node_count =
        end_of(record, READY_SIZE, 8, ready->index, bundle->ready_count, bundle->node_count) - number(record + 8);
    ready->result_count =
        end_of(record, READY_SIZE, 12, ready->index, bundle->ready_count, bundle->result_count) - number(record + 12);
    return 1;
}

/* The items of a list. */
static const uint8_t *list_items(const spvb_bundle *bundle, uint32_t list, uint32_t *count)
{
    const uint8_t *record = bundle->lists + (size_t)LIST_SIZE * list;
    *count = end_of(record, LIST_SIZE, 0, list, bundle->list_count, bundle->item_count) - number(record);
    return bundle->items + (size_t)ITEM_SIZE * number(record);
}

/* An answer to a question: any byte but those of yes and no is unknown. */
static uint8_t answer_to(const uint8_t *answers, uint32_t question)
{
    return answers[question] <= SPVB_YES ? answers[question] : SPVB_UNKNOWN;
}

/* A set of questions. */
typedef struct question_set {
    uint32_t count;
    uint8_t bits[(MAX_QUESTIONS + 7) / 8];
} question_set;

static void clear(question_set *set, uint32_t question_count)
{
    set->count = 0;
    memset(set->bits, 0, (question_count + 7) / 8);
}

static int contains(const question_set *set, uint32_t question)
{
    return set->bits[question / 8] >> question % 8 & 1;
}

static void add(question_set *set, uint32_t question)
{
    set->count += !contains(set, question);
    set->bits[question / 8] |= (uint8_t)(1 << question % 8);
}

/* Follows both ways from nodes whose answers are unknown, and adds the questions that decide between several ends. */
static spvb_status walk_both(const ready_shader *ready, const uint8_t *answers, uint32_t first, uint32_t *end,
                             question_set *reasons)
{
    /* Which nodes are reached, and the end of all ways from each; 0 for several. No child is node 0. */
    uint8_t reached[MAX_NODES / 8];
    uint16_t ends[MAX_NODES];
    memset(reached, 0, (ready->node_count + 7) / 8);
    reached[first / 8] |= (uint8_t)(1 << first % 8);
    for (uint32_t node = first; node < ready->node_count; node++) {
        if (!(reached[node / 8] >> node % 8 & 1)) continue;
        const uint8_t *at = ready->nodes + (size_t)NODE_SIZE * node;
        uint8_t answer = answer_to(answers, short_number(at));
        uint32_t no = short_number(at + 2), yes = short_number(at + 4);
        if (answer != SPVB_YES && no < FIRST_RESULT) reached[no / 8] |= (uint8_t)(1 << no % 8);
        if (answer != SPVB_NO && yes < FIRST_RESULT) reached[yes / 8] |= (uint8_t)(1 << yes % 8);
    }
    for (uint32_t node = ready->node_count; node-- > first;) {
        if (!(reached[node / 8] >> node % 8 & 1)) continue;
        const uint8_t *at = ready->nodes + (size_t)NODE_SIZE * node;
        uint8_t answer = answer_to(answers, short_number(at));
        uint32_t no = short_number(at + 2), yes = short_number(at + 4);
        if (answer != SPVB_YES && no < FIRST_RESULT) no = ends[no];
        if (answer != SPVB_NO && yes < FIRST_RESULT) yes = ends[yes];
        if (answer == SPVB_YES) no = yes;
        if (answer == SPVB_NO) yes = no;
        ends[node] = (uint16_t)(no == yes ? no : 0);
        if (no != yes) add(reasons, short_number(at));
    }
    *end = ends[first];
    return *end == 0 ? SPVB_NOT_KNOWN : SPVB_OK;
}

/* Finds the end of the way of a device. */
static spvb_status walk(const ready_shader *ready, const uint8_t *answers, uint32_t *end, question_set *reasons)
{
    uint32_t at = ready->node_count ? 0 : FIRST_RESULT;
    while (at < FIRST_RESULT) {
        const uint8_t *node = ready->nodes + (size_t)NODE_SIZE * at;
        uint8_t answer = answer_to(answers, short_number(node));
        if (answer == SPVB_UNKNOWN) return walk_both(ready, answers, at, end, reasons);
        at = short_number(node + (answer == SPVB_YES ? 4 : 2));
    }
    *end = at;
    return SPVB_OK;
}

/* Adds the requirements of a list that have an answer: those of the whole result, or all. */
static void add_answered(const uint8_t *items, uint32_t count, const uint8_t *answers, uint8_t answer, int is_all,
                         question_set *reasons)
{
    for (uint32_t index = 0; index < count; index++, items += ITEM_SIZE) {
        uint32_t question = number(items);
        if (question == ENTRY_POINT && !is_all) return;
        if (question != ENTRY_POINT && answer_to(answers, question) == answer) add(reasons, question);
    }
}

/* Compares the requirements of a result with answers. */
static spvb_status check_requirements(const spvb_bundle *bundle, uint32_t list, const uint8_t *answers,
                                      question_set *reasons)
{
    uint32_t count, entry_points = 0;
    const uint8_t *items = list_items(bundle, list, &count);
    int is_missing = 0, has_missing = 0, runs_one = 0;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t question = number(items + (size_t)ITEM_SIZE * index);
        if (question == ENTRY_POINT) {
            runs_one |= entry_points++ && !has_missing;
            has_missing = 0;
            continue;
        }
        if (question >= bundle->question_count) return SPVB_DAMAGED;
        uint8_t answer = answer_to(answers, question);
        if (answer == SPVB_NO && entry_points) has_missing = 1;
        if (answer == SPVB_NO && !entry_points) is_missing = 1;
    }
    runs_one |= !entry_points || !has_missing;
    if (is_missing || !runs_one) {
        add_answered(items, count, answers, SPVB_NO, !runs_one, reasons);
        return SPVB_DOES_NOT_RUN;
    }
    add_answered(items, count, answers, SPVB_UNKNOWN, 1, reasons);
    return SPVB_OK;
}

static spvb_status choose(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, spvb_choice *choice,
                          question_set *reasons)
{
    memset(choice, 0, sizeof *choice);
    clear(reasons, bundle->question_count);
    if (shader >= bundle->shader_count) return SPVB_NOT_FOUND;
    choice->shader = shader;
    const uint8_t *variant = bundle->variants + (size_t)VARIANT_SIZE * first_variant(bundle, shader);
    uint32_t module = number(variant + 8);
    ready_shader ready;
    if (!get_ready(bundle, shader, &ready)) return SPVB_NOT_READY;
    uint32_t end, count;
    spvb_status status = walk(&ready, answers, &end, reasons);
    if (status != SPVB_OK) return status;
    if (end == NOTHING) return SPVB_NO_RESULT;
    choice->result = end - FIRST_RESULT;
    uint32_t result = ready.first_result + choice->result;
    choice->words = of_result(bundle, result, WORDS);
    choice->key = long_number(bundle->keys + (size_t)KEY_SIZE * result);
    list_items(bundle, of_result(bundle, result, REMOVED_BINDINGS), &count);
    choice->removed_bindings = count / 2;
    status = check_requirements(bundle, of_result(bundle, result, REQUIREMENTS), answers, reasons);
    if (status != SPVB_OK) return status;
    choice->unknown = reasons->count;
    block_place place = find_block(bundle, module);
    choice->scratch = scratch_of(&place);
    return SPVB_OK;
}

spvb_status spvb_select(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, spvb_choice *choice)
{
    question_set reasons;
    return choose(bundle, shader, answers, choice, &reasons);
}

uint32_t spvb_reasons(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, uint32_t *questions,
                      uint32_t capacity)
{
    spvb_choice choice;
    question_set reasons;
    choose(bundle, shader, answers, &choice, &reasons);
    for (uint32_t question = 0, written = 0; written < reasons.count && written < capacity; question++)
        if (contains(&reasons, question)) questions[written++] = question;
    return reasons.count;
}

spvb_binding spvb_removed_binding(const spvb_bundle *bundle, const spvb_choice *choice, uint32_t index)
{
    spvb_binding binding = {0, 0};
    ready_shader ready;
    uint32_t count;
    if (!get_ready(bundle, choice->shader, &ready) || choice->result >= ready.result_count) return binding;
    uint32_t list = of_result(bundle, ready.first_result + choice->result, REMOVED_BINDINGS);
    const uint8_t *items = list_items(bundle, list, &count);
    if (index >= count / 2) return binding;
    binding.set = number(items + 8 * (size_t)index);
    binding.binding = number(items + 8 * (size_t)index + 4);
    return binding;
}

/* Writes the header of a result, and the runs that it has. The pool is in little-endian bytes, or else words. */
static spvb_status write_result(const spvb_bundle *bundle, const ready_shader *ready, uint32_t result,
                                const uint8_t *bytes, const uint32_t *words, uint32_t *into)
{
    uint32_t of_bundle = ready->first_result + result;
    uint32_t runs_end = end_of(ready->record, READY_SIZE, 16, ready->index, bundle->ready_count, bundle->runs_size);
    run_reader reader;
    if (!read_sets(&reader, bundle->runs + number(ready->record + 16), bundle->runs + runs_end, ready->result_count))
        return SPVB_DAMAGED;
    uint64_t room = of_result(bundle, of_bundle, WORDS), written = HEADER_WORDS, at = HEADER_WORDS, start = HEADER_WORDS;
    if (bytes) copy(into, bytes, HEADER_WORDS);
    else memcpy(into, words, 4 * HEADER_WORDS);
    into[1] = of_result(bundle, of_bundle, VERSION);
    into[3] = of_result(bundle, of_bundle, BOUND);
    /* Runs that follow each other in the result are copied at once. */
    for (int is_last = 0; !is_last;) {
        uint64_t count = 0;
        const uint8_t *set = NULL;
        is_last = reader.at >= reader.end;
        if (!is_last && !read_run(&reader, &count, &set)) return SPVB_DAMAGED;
        int is_in = set && set[result / 8] >> result % 8 & 1;
        if (!is_in) {
            uint64_t size = at - start;
            if (size > room - written) return SPVB_DAMAGED;
            if (bytes) copy(into + written, bytes + 4 * start, (size_t)size);
            else if (size) memcpy(into + written, words + start, 4 * (size_t)size);
            written += size;
            start = at + count;
        }
        at += count;
    }
    return written == room ? SPVB_OK : SPVB_DAMAGED;
}

spvb_status spvb_write(const spvb_bundle *bundle, const spvb_choice *choice, uint32_t *into, void *scratch)
{
    ready_shader ready;
    if (choice->shader >= bundle->shader_count) return SPVB_NOT_FOUND;
    if (!get_ready(bundle, choice->shader, &ready)) return SPVB_NOT_READY;
    if (choice->result >= ready.result_count) return SPVB_NOT_FOUND;
    if (choice->words != of_result(bundle, ready.first_result + choice->result, WORDS)) return SPVB_NOT_FOUND;
    const uint8_t *variant = bundle->variants + (size_t)VARIANT_SIZE * first_variant(bundle, choice->shader);
    block_place place = find_block(bundle, number(variant + 8));
    size_t size = scratch_of(&place);
    uint32_t *own = NULL;
    if (!scratch && size) {
        scratch = own = malloc(size);
        if (!own) return SPVB_MEMORY;
    }
    const uint8_t *bytes;
    spvb_status status = read_words(bundle, &place, scratch, &bytes);
    if (status == SPVB_OK) status = write_result(bundle, &ready, choice->result, bytes, scratch, into);
    free(own);
    return status;
}

static spvb_status get_for_all(const spvb_bundle *bundle, uint32_t shader, uint32_t **words, size_t *count)
{
    ready_shader ready;
    if (!get_ready(bundle, shader, &ready) || ready.node_count) return SPVB_READY;
    spvb_choice choice;
    memset(&choice, 0, sizeof choice);
    choice.shader = shader;
    choice.words = of_result(bundle, ready.first_result, WORDS);
    uint32_t *into = malloc(4 * (size_t)choice.words);
    spvb_status status = into ? spvb_write(bundle, &choice, into, NULL) : SPVB_MEMORY;
    if (status != SPVB_OK) {
        free(into);
        return status;
    }
    *words = into;
    *count = choice.words;
    return SPVB_OK;
}

/* The rest of a condition. */
typedef struct condition {
    const char *at, *end;
    spvb_answer_leaf *answer;
    void *context;
    int depth, failed;
} condition;

/* Skips spaces, and takes a sign if it comes next. */
static int takes(condition *condition, const char *sign)
{
    size_t size = strlen(sign);
    while (condition->at < condition->end && *condition->at == ' ') condition->at++;
    if ((size_t)(condition->end - condition->at) < size || memcmp(condition->at, sign, size) != 0) return 0;
    condition->at += size;
    return 1;
}

static int is_of_name(char character)
{
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '_';
}

static void read_bound(condition *condition, spvb_leaf *leaf)
{
    takes(condition, "");
    do {
        uint64_t value = 0;
        const char *start = condition->at;
        for (; condition->at < condition->end && *condition->at >= '0' && *condition->at <= '9'; condition->at++)
            if (value <= UINT32_MAX) value = 10 * value + (uint64_t)(*condition->at - '0');
        if (condition->at == start || value > UINT32_MAX || leaf->parts == 4) {
            condition->failed = 1;
            return;
        }
        leaf->bound[leaf->parts++] = (uint32_t)value;
    } while (condition->at < condition->end && *condition->at == '.' && condition->at++);
}

static uint8_t evaluate_leaf(condition *condition)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    static const spvb_sign kinds[] = {SPVB_EQUAL, SPVB_NOT_EQUAL, SPVB_LESS_OR_EQUAL, SPVB_GREATER_OR_EQUAL,
                                      SPVB_LESS, SPVB_GREATER};
    spvb_leaf leaf;
    memset(&leaf, 0, sizeof leaf);
    leaf.name.text = condition->at;
    while (condition->at < condition->end && is_of_name(*condition->at)) condition->at++;
    leaf.name.size = (size_t)(condition->at - leaf.name.text);
    if (leaf.name.size == 0) condition->failed = 1;
    if (takes(condition, "(")) {
        leaf.argument.text = condition->at;
        while (condition->at < condition->end && *condition->at != ')') condition->at++;
        leaf.argument.size = (size_t)(condition->at - leaf.argument.text);
        if (!takes(condition, ")")) condition->failed = 1;
    }
    for (int sign = 0; sign < 6; sign++) {
        if (!takes(condition, signs[sign])) continue;
        leaf.sign = kinds[sign];
        read_bound(condition, &leaf);
        break;
    }
    return condition->failed ? SPVB_UNKNOWN : condition->answer(condition->context, &leaf);
}

static uint8_t evaluate_or(condition *condition);

static uint8_t evaluate_unary(condition *condition)
{
    uint8_t value = SPVB_UNKNOWN;
    int is_negated = 0;
    while (takes(condition, "!")) is_negated = !is_negated;
    if (takes(condition, "(")) {
        /* Deeper ones are no conditions that spirv-if writes. */
        if (++condition->depth > 64) condition->failed = 1;
        else value = evaluate_or(condition);
        condition->depth--;
        if (!takes(condition, ")")) condition->failed = 1;
    } else {
        value = evaluate_leaf(condition);
    }
    if (value > SPVB_YES || !is_negated) return value;
    return value == SPVB_YES ? SPVB_NO : SPVB_YES;
}

static uint8_t evaluate_and(condition *condition)
{
    uint8_t value = evaluate_unary(condition);
    while (!condition->failed && takes(condition, "&&")) {
        uint8_t other = evaluate_unary(condition);
        if (value == SPVB_NO || other == SPVB_NO) value = SPVB_NO;
        else if (value != SPVB_YES || other != SPVB_YES) value = SPVB_UNKNOWN;
    }
    return value;
}

static uint8_t evaluate_or(condition *condition)
{
    uint8_t value = evaluate_and(condition);
    while (!condition->failed && takes(condition, "||")) {
        uint8_t other = evaluate_and(condition);
        if (value == SPVB_YES || other == SPVB_YES) value = SPVB_YES;
        else if (value != SPVB_NO || other != SPVB_NO) value = SPVB_UNKNOWN;
    }
    return value;
}

uint8_t spvb_evaluate(spvb_text text, spvb_answer_leaf *answer, void *context)
{
    condition condition = {text.text, text.text + text.size, answer, context, 0, 0};
    uint8_t value = evaluate_or(&condition);
    takes(&condition, "");
    return condition.failed || condition.at != condition.end ? SPVB_UNKNOWN : value;
}

uint8_t spvb_compare(uint64_t number, const spvb_leaf *leaf)
{
    uint64_t bound = leaf->bound[0];
    switch (leaf->sign) {
    case SPVB_EQUAL: return number == bound;
    case SPVB_NOT_EQUAL: return number != bound;
    case SPVB_LESS: return number < bound;
    case SPVB_LESS_OR_EQUAL: return number <= bound;
    case SPVB_GREATER: return number > bound;
    case SPVB_GREATER_OR_EQUAL: return number >= bound;
    default: return SPVB_YES;
    }
}

const spvb_row *spvb_find_row(const spvb_row *rows, size_t count, char kind, spvb_text name)
{
    size_t start = 0, end = count;
    while (start < end) {
        size_t middle = start + (end - start) / 2;
        const char *key = rows[middle].key;
        spvb_text of_row = {key + 2, strlen(key + 2)};
        int order = key[0] != kind ? key[0] - kind : compare(of_row, name);
        if (order == 0) return &rows[middle];
        if (order < 0) start = middle + 1;
        else end = middle;
    }
    return NULL;
}

int spvb_is(spvb_text text, const char *other)
{
    return strlen(other) == text.size && memcmp(text.text, other, text.size) == 0;
}
