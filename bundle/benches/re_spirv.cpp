// Prints the bytes of a shader after re-spirv set constants in it, and the nanoseconds of one run on the shader that it has analyzed, the best of
// several rounds: `re-spirv shader.spv SPEC_ID=VALUE...`.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <re-spirv.h>
#include <string>

int main(int count, char **arguments)
{
    if (count < 2) return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    respv::Shader shader(bytes.data(), bytes.size(), false);
    if (shader.empty()) return 3;
    std::vector<respv::SpecConstant> constants;
    for (int argument = 2; argument < count; argument++) {
        std::string text = arguments[argument];
        size_t sign = text.find('=');
        constants.emplace_back(std::stoul(text), std::vector<uint32_t>{(uint32_t)std::stoul(text.substr(sign + 1))});
    }
    std::vector<uint8_t> result;
    double best = 1e18;
    for (int round = 0; round < 9; round++) {
        const int times = 200;
        auto start = std::chrono::steady_clock::now();
        for (int time = 0; time < times; time++)
            if (!respv::Optimizer::run(shader, constants.data(), constants.size(), result)) return 4;
        std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
        if (taken.count() / times < best) best = taken.count() / times;
    }
    std::printf("%zu %.0f\n", result.size(), best);
}
