// The C++ layer, without exceptions. `layer FIXTURES EXPECTED`.
#include <spvif.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#define CHECK(condition)                                                                                          \
    do {                                                                                                          \
        if (!(condition)) {                                                                                       \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                          \
            std::exit(1);                                                                                         \
        }                                                                                                         \
    } while (0)

static std::vector<char> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    CHECK(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

static bool equal(spvif::Words words, const std::vector<char> &bytes) {
    return words.bytes() == bytes.size() && std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const char *>(words.data));
}

template <class T> T value(spvif::Expected<T> expected) {
    if (!expected) {
        std::fprintf(stderr, "%.*s\n", int(expected.error().message().size()), expected.error().message().data());
        std::exit(1);
    }
    return *std::move(expected);
}

int main(int count, char **arguments) {
    CHECK(count == 3 && spvif::abi_matches());
    const std::string fixtures = arguments[1], expected = arguments[2];

    const auto compiled = value(spvif::Module::load(read(fixtures + "/glsl/reduce.spv")));
    const auto packed = value(compiled.pack());
    CHECK(equal(packed.words(), read(expected + "/reduce.packed.spv")));
    CHECK(packed.set_by_host().size() == 1 && packed.set_by_host()[0].condition == std::string_view("fp16"));
    CHECK(packed.properties().find("fp16") != std::string_view::npos || !packed.properties().empty());
    CHECK(packed.warnings().empty() && packed.undecided().empty());

    const auto prepared = value(value(packed.module()).prepare());
    for (const char *name : {"intel_gpu_pvc", "nvidia_gpu_sm_50"}) {
        const auto device = value(spvif::Device::by_name(name));
        CHECK(device.name() == name);
        const auto result = value(prepared.specialize(device));
        CHECK(equal(result.words(), read(expected + "/reduce." + name + ".spv")));
    }
    auto undecided = prepared.specialize(spvif::Settings().refuse_undecided());
    CHECK(!undecided && undecided.error().status() == SPVIF_STATUS_UNDECIDED);
    CHECK(undecided.error().undecided().size() == 1 && undecided.error().missing().empty());

    const auto plain = value(value(spvif::Module::load(read(fixtures + "/opencl/plain.spv"))).prepare());
    const auto refused = plain.specialize(value(spvif::Device::by_name("intel_gpu_acm_g10")));
    CHECK(!refused && refused.error().status() == SPVIF_STATUS_REFUSED && !refused.error().missing().empty());
    CHECK(refused.error().message().find("`fp64`") != std::string_view::npos);

    const auto precision = value(spvif::Module::load(read(fixtures + "/spec/precision.spv")));
    spvif::Settings settings;
    settings.set(0, false).set(1, "true").set(2, 0).set(10, 32u).trim();
    const auto set = value(value(precision.prepare()).specialize(settings));
    CHECK(equal(set.words(), read(expected + "/precision.spv")));
    CHECK(!set.removed().empty() && set.removed()[0] == "Float16");
    spvif::Settings older;
    older.set(0, false).set(1, true).set("subgroups", "0").set_default(10, 32u).set_default("factor", "2.5").leave("offset");
    older.keep_interface().strip().trim().max_clones(8).max_version(1, 2);
    const auto precise = value(precision.prepare());
    const auto left = value(precise.specialize(older));
    CHECK(equal(left.words(), read(expected + "/precision.older.spv")));
    CHECK(value(precise.key(older)) != value(precise.key(settings)) && value(precise.key(older)) == value(precise.key(older)));
    CHECK(value(precise.removed_interface(left)).spec_ids() == std::vector<std::uint32_t>({0, 1, 2}));
    CHECK(value(precision.whole_interface()).bindings().size() == 1);
    const auto host_values = value(precise.host_values(left, spvif::Settings().set(10, 64u)));
    CHECK(host_values.info().map_entry_count == 1 && host_values.info().map_entries[0].constant_id == 10);
    std::vector<std::uint32_t> memory(4);
    CHECK(precise.specialize_into(memory.data(), memory.size(), older).error().status() == SPVIF_STATUS_BUFFER);
    memory.resize(left.words().count);
    CHECK(value(precise.specialize_into(memory.data(), memory.size(), older)) == memory.size());
    CHECK(std::equal(memory.begin(), memory.end(), left.words().begin()));
    CHECK(value(precision.requirements()).spec_constants().size() == 8);
    CHECK(equal(value(precision.trim()).words(), read(expected + "/precision.trimmed.spv")));

    const spvif::Module units[] = {value(spvif::Module::load(read(fixtures + "/link/static-user-O2.spv"))),
                                   value(spvif::Module::load(read(fixtures + "/link/static-library-O2.spv")))};
    const auto linked = value(value(spvif::Module::link(units, 2)).module());
    // calls.c wrote what the C functions make of them.
    CHECK(equal(value(linked.pack(spvif::PackOptions())).words(), read(expected + "/linked.spv")));

    const auto requirements = value(compiled.requirements());
    CHECK(requirements.entry_points().size() == 1 && !requirements.required(0).empty() && requirements.required(1).empty());
    CHECK(requirements.json().find("Float16") != std::string_view::npos);

    const auto half = value(spvif::Device::from_parts({{"aspects", "gpu,fp16"}}));
    CHECK(value(half.holds("fp16")) == 1 && value(half.holds("fp64")) == 0 && value(half.holds("cap(Geometry)")) == -1);
    CHECK(spvif::Device::from_parts({{"colour", "red"}}).error().status() == SPVIF_STATUS_REQUEST);

    const char text[] = "OpCapability Shader";
    const auto damaged = spvif::Module::load(text, sizeof text);
    CHECK(!damaged && damaged.error().status() == SPVIF_STATUS_LOAD);
    // A moved object is empty, and frees nothing.
    auto first = value(spvif::Device::by_name("intel_gpu_pvc"));
    auto second = std::move(first);
    CHECK(first.get() == nullptr && second.get() != nullptr);
    std::puts("the C++ layer does what the C interface does");
    return 0;
}
