/* A program with ready shaders in it, which answers questions by itself. */
#include "ready.h"
#include "ready_questions.h"

#include <spvb.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    uint8_t answers[READY_QUESTIONS_QUESTION_COUNT];
    const spvb_bundle *bundle;
    uint32_t shader, reasons[4];
    spvb_choice choice;
    memset(answers, SPVB_YES, sizeof answers);
    if (spvb_open(ready, ready_size, &bundle) != SPVB_OK) return 3;
    if (spvb_question_count(bundle) != READY_QUESTIONS_QUESTION_COUNT) return 4;
    if (spvb_find(bundle, "scale-fp16", &shader) != SPVB_OK) return 5;
    if (spvb_select(bundle, shader, answers, &choice) != SPVB_OK || choice.scratch != 0) return 6;
    answers[READY_QUESTIONS_SUPPORTS_CAP_FLOAT16] = SPVB_NO;
    if (spvb_select(bundle, shader, answers, &choice) != SPVB_DOES_NOT_RUN) return 7;
    if (spvb_reasons(bundle, shader, answers, reasons, 4) != 1 || reasons[0] != READY_QUESTIONS_SUPPORTS_CAP_FLOAT16) return 8;
    spvb_close(bundle);
    puts("ready shaders are selected by questions with names");
    return 0;
}
