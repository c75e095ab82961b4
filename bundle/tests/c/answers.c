/* Prints what spvb_select chooses for answers that are computed, for the reader in JavaScript (tests/js.mjs). */
#include <spvb.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 26];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    const spvb_bundle *bundle;
    if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 3;
    uint32_t questions = spvb_question_count(bundle);
    uint8_t *answers = malloc(questions + 1);
    for (uint32_t shader = 0; shader < spvb_shader_count(bundle); shader++)
        for (uint32_t seed = 0; seed < 4; seed++) {
            for (uint32_t question = 0; question < questions; question++) {
                spvb_kind kind;
                spvb_question(bundle, question, &kind);
                if (kind == SPVB_REQUIREMENT && seed % 2 == 0) answers[question] = SPVB_YES;
                else answers[question] = (uint8_t)((seed * 2654435761u + question * 40503u) >> 5) % (seed < 2 ? 2 : 3);
            }
            spvb_text name = spvb_shader_name(bundle, shader);
            printf("%.*s %u ", (int)name.size, name.text, seed);
            spvb_choice choice;
            spvb_status status = spvb_select(bundle, shader, answers, &choice);
            if (status != SPVB_OK) {
                printf("status %d %u\n", status, spvb_reasons(bundle, shader, answers, NULL, 0));
                continue;
            }
            uint32_t *words = malloc(4 * (size_t)choice.words), sum = 0;
            if (spvb_write(bundle, &choice, words, NULL) != SPVB_OK) return 4;
            for (uint32_t word = 0; word < choice.words; word++) sum = sum * 31 + words[word];
            printf("%u %u %llx\n", choice.words, sum, (unsigned long long)choice.key);
            free(words);
        }
    spvb_close(bundle);
    return 0;
}
