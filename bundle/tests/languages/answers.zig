// Prints what tests/c/answers.c prints. `zig translate-c` makes c.zig of spvb.h, stdio.h and stdlib.h.
const c = @import("c.zig");

var bytes: [1 << 26]u8 = undefined;

pub export fn main(count: c_int, arguments: [*][*:0]const u8) c_int {
    const file = if (count == 2) c.fopen(arguments[1], "rb") else null;
    if (file == null) return 2;
    const size = c.fread(&bytes, 1, bytes.len, file);
    var bundle: ?*const c.spvb_bundle = null;
    if (c.spvb_open(&bytes, size, &bundle) != c.SPVB_OK) return 3;
    defer c.spvb_close(bundle);
    const questions = c.spvb_question_count(bundle);
    const answers: [*]u8 = @ptrCast(c.malloc(questions + 1) orelse return 4);
    defer c.free(answers);
    var shader: u32 = 0;
    while (shader < c.spvb_shader_count(bundle)) : (shader += 1) {
        const name = c.spvb_shader_name(bundle, shader);
        var seed: u32 = 0;
        while (seed < 4) : (seed += 1) {
            var question: u32 = 0;
            while (question < questions) : (question += 1) {
                var kind: c.spvb_kind = undefined;
                _ = c.spvb_question(bundle, question, &kind);
                const number: u8 = @truncate((seed *% 2654435761 +% question *% 40503) >> 5);
                const is_required = kind == c.SPVB_REQUIREMENT and seed % 2 == 0;
                answers[question] = if (is_required) c.SPVB_YES else number % @as(u8, if (seed < 2) 2 else 3);
            }
            _ = c.printf("%.*s %u ", @as(c_int, @intCast(name.size)), name.text, seed);
            var choice: c.spvb_choice = undefined;
            const status = c.spvb_select(bundle, shader, answers, &choice);
            if (status != c.SPVB_OK) {
                _ = c.printf("status %d %u\n", @as(c_int, @intCast(status)), c.spvb_reasons(bundle, shader, answers, null, 0));
                continue;
            }
            const words: [*]u32 = @ptrCast(@alignCast(c.malloc(4 * @as(usize, choice.words)) orelse return 4));
            defer c.free(words);
            if (c.spvb_write(bundle, &choice, words, null) != c.SPVB_OK) return 5;
            var sum: u32 = 0;
            for (words[0..choice.words]) |word| sum = sum *% 31 +% word;
            _ = c.printf("%u %u %llx\n", choice.words, sum, choice.key);
        }
    }
    return 0;
}
