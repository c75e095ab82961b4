// The C++ layer over the lean library. `layer EXPECTED`.
#include <spvif.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

static std::vector<char> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class T> T value(spvif::Expected<T> expected) {
    if (!expected) {
        std::fprintf(stderr, "%.*s\n", int(expected.error().message().size()), expected.error().message().data());
        std::exit(1);
    }
    return *std::move(expected);
}

int main(int count, char **arguments) {
    if (count != 2 || !spvif::abi_matches()) return 1;
    const std::string expected = arguments[1];
    const auto module = value(spvif::Module::load(read(expected + "/reduce.packed.spv")));
    const auto prepared = value(module.prepare());
    const auto device = value(spvif::Device::from_parts({{"aspects", "gpu,fp16"}}));
    const auto result = value(prepared.specialize(device));
    const auto bytes = read(expected + "/reduce.half.spv");
    const auto words = result.words();
    if (words.bytes() != bytes.size() || !std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const char *>(words.data))) {
        std::fprintf(stderr, "the result is not that of the program\n");
        return 1;
    }
    return 0;
}
