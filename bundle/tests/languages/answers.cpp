// Prints what tests/c/answers.c prints.
#include <spvb.h>
#include <spvb_vulkan.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

int main(int count, char **arguments)
{
    if (count != 2) return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    const spvb_bundle *opened;
    if (spvb_open(bytes.data(), bytes.size(), &opened) != SPVB_OK) return 3;
    const std::unique_ptr<const spvb_bundle, void (*)(const spvb_bundle *)> bundle(opened, spvb_close);
    std::vector<uint8_t> answers(spvb_question_count(opened));
    for (uint32_t shader = 0; shader < spvb_shader_count(opened); shader++) {
        const spvb_text name = spvb_shader_name(opened, shader);
        for (uint32_t seed = 0; seed < 4; seed++) {
            for (uint32_t question = 0; question < answers.size(); question++) {
                spvb_kind kind;
                spvb_question(opened, question, &kind);
                const bool is_required = kind == SPVB_REQUIREMENT && seed % 2 == 0;
                answers[question] = is_required ? uint8_t(SPVB_YES)
                    : uint8_t(uint8_t((seed * 2654435761u + question * 40503u) >> 5) % (seed < 2 ? 2 : 3));
            }
            std::printf("%s %u ", std::string(name.text, name.size).c_str(), seed);
            spvb_choice choice;
            const spvb_status status = spvb_select(opened, shader, answers.data(), &choice);
            if (status != SPVB_OK) {
                std::printf("status %d %u\n", status, spvb_reasons(opened, shader, answers.data(), nullptr, 0));
                continue;
            }
            std::vector<uint32_t> words(choice.words);
            if (spvb_write(opened, &choice, words.data(), nullptr) != SPVB_OK) return 4;
            uint32_t sum = 0;
            for (const uint32_t word : words) sum = sum * 31 + word;
            std::printf("%zu %u %llx\n", words.size(), sum, static_cast<unsigned long long>(choice.key));
        }
    }
}

// The headers for Vulkan are those of C, too.
void answer(const spvb_bundle *bundle, const spvb_vulkan &device, uint8_t *answers)
{
    spvb_vulkan_answer_all(bundle, &device, answers);
}
