// The C++ layer, without exceptions. `layer FIXTURES EXPECTED`.
#include <spvif.hpp>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
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

static spvif_void_function SPVIF_CALL has_nothing(void *, const char *) { return nullptr; }
static std::int32_t SPVIF_CALL says_nothing(void *, std::uint32_t, std::size_t, void *, std::size_t *) { return -1; }

// Devices by every way that needs no driver, and what drivers that do not answer make.
static void devices() {
    const auto half = value(spvif::Device::from_parts({{"aspects", "gpu,fp16"}}));
    CHECK(value(half.holds("fp16")) == 1 && value(half.holds("fp64")) == 0 && value(half.holds("cap(Geometry)")) == -1);
    const auto unknown = spvif::Device::from_parts({{"colour", "red"}, {std::string("aspects"), std::string_view("gpu")}});
    CHECK(unknown.error().status() == SPVIF_STATUS_REQUEST);
    CHECK(unknown.error().message().find("a device has no part `colour`") != std::string_view::npos);

    const std::pair<const char *, const char *> array[] = {{"aspects", "gpu,fp16"}, {"capabilities", "Shader"}};
    const std::vector<std::pair<const char *, const char *>> vector(std::begin(array), std::end(array));
    const std::pair<std::string, std::string> strings[] = {{"aspects", "gpu,fp16"}, {"capabilities", "Shader"}};
    const std::map<std::string_view, std::string> map(vector.begin(), vector.end());
    const std::pair<spvif::Text, spvif::Text> texts[] = {{"aspects", "gpu,fp16"}, {"capabilities", "Shader"}};
    const spvif::Device made[] = {value(spvif::Device::from_parts(array)), value(spvif::Device::from_parts(vector)),
                                  value(spvif::Device::from_parts(strings)), value(spvif::Device::from_parts(map)),
                                  value(spvif::Device::from_parts(texts))};
    for (const auto &device : made) {
        CHECK(value(device.holds("fp16 && cap(Shader)")) == 1 && value(device.holds("cap(Geometry)")) == 0);
    }

    const std::string yaml = "mine:\n  aspects: [gpu, fp16]\n";
    const auto mine = value(spvif::Device::from_config("mine.yaml", yaml, "mine"));
    CHECK(mine.name() == "mine" && value(mine.holds(std::string("fp16"))) == 1);
    const auto gfx12 = value(spvif::Device::from_parts({{"device", "gfx1201:wavefrontsize64-"}, {"provider-features", "vulkan:maxX"}}));
    CHECK(value(gfx12.holds("feature(amdgpu:wavefrontsize32) && feature(vulkan:maxX)")) == 1);
    CHECK(spvif::Device::from_config("mine.yaml", yaml, "yours").error().status() == SPVIF_STATUS_REQUEST);

    int handle = 0;
    const auto vulkan = spvif::Device::from_vulkan(has_nothing, &handle, 1u << 22, &handle, nullptr);
    CHECK(vulkan.error().status() == SPVIF_STATUS_DRIVER);
    CHECK(vulkan.error().message().find("vkGetPhysicalDeviceProperties") != std::string_view::npos);
    const auto opencl = spvif::Device::from_opencl(says_nothing, says_nothing, &handle);
    CHECK(opencl.error().status() == SPVIF_STATUS_DRIVER && !opencl.error().message().empty());
}

// Constants that are declared in a class, and defined nowhere.
struct Kernel {
    static const std::uint32_t count_id = 3;
    static const int subgroups = 1;
    static const unsigned count = 7;
    static const bool half = true;
};

// Constants by SpecId, of which 0 is one, and by name, with values of every type.
static void settings(const spvif::Module &precision) {
    const auto prepared = value(precision.prepare());
    const auto words = [&](const spvif::Settings &settings) {
        const auto result = value(prepared.specialize(settings));
        return std::vector<std::uint32_t>(result.words().begin(), result.words().end());
    };
    using Settings = spvif::Settings;
    const auto on = words(Settings().set("use_half", "true")), off = words(Settings().set("use_half", false));
    CHECK(on != off);
    CHECK(words(Settings().set(0, "true")) == on && words(Settings().set(0, true)) == on && words(Settings().set(0u, std::string("true"))) == on);
    CHECK(words(Settings().set(std::string("use_half"), true)) == on && words(Settings().set(std::string_view("use_half"), std::string_view("true"))) == on);
    CHECK(words(Settings().set(0, std::string("false"))) == off);
    const auto on_by_default = words(Settings().set_default("use_half", "true"));
    CHECK(on_by_default != on && words(Settings().set_default(0, "true")) == on_by_default);
    CHECK(words(Settings().set_default(0, true)) == on_by_default && words(Settings().set_default("use_half", true)) == on_by_default);
    const auto numbers = words(Settings().set(2, 1).set(3, 7u).set(4, 0.1).set(5, -2));
    CHECK(words(Settings().set("subgroups", 1).set("offset", 7u).set("factor", 0.1).set("step", -2)) == numbers);
    CHECK(words(Settings().set("subgroups", std::int8_t(1)).set("offset", std::uint8_t(7)).set("factor", "0.1").set("step", -2)) == numbers);
    const auto defaults = words(Settings().set_default(2, 1).set_default(3, 7u).set_default(4, 0.1f).set_default(5, std::string("-2")));
    CHECK(words(Settings().set_default("subgroups", 1).set_default("offset", 7u).set_default("factor", 0.1f).set_default("step", -2)) == defaults);
    CHECK(words(Settings().leave(0)) == words(Settings().leave("use_half")) && words(Settings().leave(std::string("use_half"))) == words(Settings()));

    CHECK(words(Settings().set(2, Kernel::subgroups).set(Kernel::count_id, Kernel::count).set(4, 0.1).set(5, -2)) == numbers);
    CHECK(words(Settings().set("subgroups", Kernel::subgroups).set("offset", Kernel::count).set("factor", 0.1).set("step", -2)) == numbers);
    CHECK(words(Settings().set_default(0, Kernel::half)) == on_by_default && words(Settings().set_default("use_half", Kernel::half)) == on_by_default);

    // What fails in a chain, the call says.
    const char *const none = nullptr;
    const auto failed = prepared.specialize(Settings().set(0, none).trim().set("use_half", none));
    CHECK(failed.error().status() == SPVIF_STATUS_ARGUMENT && failed.error().message() == "the value for SpecId 0 is null");
    CHECK(prepared.cache_key(Settings().leave(none)).error().message() == "the constant is null");
    CHECK(precision.pack(spvif::PackOptions().add_export("\xff").strip()).error().message() == "the name of an export is not UTF-8");

    const auto ignoring = value(prepared.specialize(Settings().set(99, 1).ignore_unknown()));
    CHECK(ignoring.ignored().size() == 1 && ignoring.ignored()[0].spec_id == 99);
    CHECK(ignoring.open().empty() && ignoring.unknown().empty() && ignoring.work_around().empty());
    const auto pvc = value(spvif::Device::by_name(std::string("intel_gpu_pvc")));
    CHECK(value(prepared.cache_key(pvc)) == value(prepared.cache_key(pvc, Settings())) && value(prepared.cache_key(pvc)) != value(prepared.cache_key(Settings())));
}

// Lists that calls.c reads one by one.
static void lists(const std::string &fixtures, const std::string &expected) {
    const auto module = value(spvif::Module::load(read(expected + "/interface.spv")));
    const auto prepared = value(module.prepare());
    const auto fill = value(prepared.specialize(spvif::Settings().add_entry_point(std::string("fill"))));
    const auto lacks = value(prepared.removed_interface(fill));
    CHECK(lacks.entry_points().size() == 1 && lacks.bindings().size() == 1 && lacks.spec_ids().size() == 1);
    CHECK(lacks.locations().size() == 2 && lacks.locations()[0].location == 3);
    CHECK(lacks.push_constants().size() == 1 && lacks.push_constants()[0].members == 2);
    const auto whole = value(module.whole_interface());
    CHECK(whole.bindings()[0].descriptor_type == 7 && whole.bindings()[0].count == 1 && whole.bindings()[0].stages == 0x10);
    CHECK(whole.push_constants()[0].size == 8 && whole.push_constants()[0].stages == 0x10);
    // For a program that found the result in a cache.
    const auto on_hit = value(prepared.removed_interface(spvif::Settings().add_entry_point("fill")));
    CHECK(on_hit.bindings().size() == 1 && on_hit.locations().size() == 2 && on_hit.spec_ids() == lacks.spec_ids());
    const auto small = value(spvif::Device::from_config("small.yaml", "small: { aspects: [gpu], max-work-group-size: 256 }", "small"));
    const auto partly = value(prepared.specialize(small));
    CHECK(partly.unsupported().size() == 1 && partly.unsupported()[0].missing->number == 512);
    const auto requirements = value(module.requirements());
    CHECK(requirements.superfluous() == std::vector<std::string_view>{"Int64"});
    CHECK(requirements.decided(0).size() == 2 && requirements.decided(1).empty());

    const auto kernels = value(spvif::Module::load(read(expected + "/kernels.spv")));
    const auto properties = read(expected + "/kernels.prop");
    const auto complete = value(kernels.with_properties("kernels.prop", std::string(properties.begin(), properties.end())));
    const auto dg1 = value(spvif::Device::by_name("intel_gpu_dg1"));
    CHECK(equal(value(value(complete.prepare()).specialize(dg1)).words(), read(expected + "/kernels.intel_gpu_dg1.spv")));
    const auto by_default = value(value(complete.prepare()).specialize(spvif::Settings().unset("default")));
    CHECK(by_default.defaulted().size() == 1 && by_default.defaulted()[0].spec_id == 1);

    const auto guarded = value(spvif::Module::load(read(fixtures + "/annotations/guarded.spv")));
    const auto yaml = read(fixtures + "/annotations/guarded.yaml");
    const auto annotated = value(guarded.annotated("guarded.yaml", std::string(yaml.begin(), yaml.end())));
    CHECK(equal(value(annotated.pack()).words(), read(expected + "/guarded.packed.spv")));

    const auto rare = value(spvif::Module::load(read(fixtures + "/vulkan/long.spv")));
    const auto twins = value(rare.pack(spvif::PackOptions().lower("Int64")));
    CHECK(equal(twins.words(), read(expected + "/long.packed.spv")) && twins.lowered().size() == 1);

    const auto run = value(spvif::Module::load(read(fixtures + "/properties/run.spv")));
    const auto kept = value(value(run.lowering_properties(true)).prepare());
    CHECK(equal(value(kept.specialize(spvif::Settings())).words(), read(expected + "/properties.kept.spv")));
    const auto later = value(spvif::Module::load(read(expected + "/later.spv")));
    CHECK(value(later.lowering_properties(false, 0x10000)).warnings().size() == 1 && later.warnings().empty());
}

// The three verdicts; strict settings refuse the third.
static void verdicts(const spvif::Prepared &plain) {
    const auto runs = value(plain.compatibility(value(spvif::Device::by_name("intel_gpu_pvc"))));
    CHECK(runs.verdict() == SPVIF_VERDICT_RUNS && runs.missing().empty() && runs.unknown().empty());
    const auto does_not_run = value(plain.compatibility(value(spvif::Device::by_name("intel_gpu_acm_g10"))));
    CHECK(does_not_run.verdict() == SPVIF_VERDICT_DOES_NOT_RUN && does_not_run.verdict_name() == "does not run");
    CHECK(does_not_run.missing() == std::vector<std::string_view>{"Float64"});
    const auto described = value(spvif::Device::from_parts({{"aspects", "gpu,fp64"}}));
    const auto not_known = value(plain.compatibility(described, spvif::Settings().strict()));
    CHECK(not_known.verdict() == SPVIF_VERDICT_NOT_KNOWN && not_known.missing().empty());
    const auto written = value(plain.specialize(described));
    CHECK(!not_known.unknown().empty() && written.not_known() == not_known.unknown());
    const auto strict = plain.specialize(described, spvif::Settings().strict());
    const auto trapped = value(plain.specialize(described, spvif::Settings().trap("silent")));
    CHECK(trapped.trapped().empty());
    CHECK(!strict && strict.error().status() == SPVIF_STATUS_REFUSED && strict.error().unknown() == not_known.unknown());
}

int main(int count, char **arguments) {
    CHECK(count == 3 && spvif::abi_matches());
    const std::string fixtures = arguments[1], expected = arguments[2];

    const auto compiled = value(spvif::Module::load(read(fixtures + "/glsl/reduce.spv")));
    const auto packed = value(compiled.pack());
    CHECK(equal(packed.words(), read(expected + "/reduce.packed.spv")));
    CHECK(packed.set_by_host().size() == 1 && packed.set_by_host()[0].condition == std::string_view("fp16"));
    CHECK(packed.properties().find("fp16") != std::string_view::npos || !packed.properties().empty());
    CHECK(packed.warnings().size() == 1 && packed.undecided().empty());

    const auto prepared = value(value(packed.module()).prepare());
    for (const char *name : {"intel_gpu_bmg_g21", "nvidia_gpu_sm_50"}) {
        const auto device = value(spvif::Device::by_name(name));
        CHECK(device.name() == name);
        const auto result = value(prepared.specialize(device));
        CHECK(equal(result.words(), read(expected + "/reduce." + name + ".spv")));
    }
    auto undecided = prepared.specialize(spvif::Settings());
    CHECK(!undecided && undecided.error().status() == SPVIF_STATUS_UNDECIDED);
    CHECK(undecided.error().undecided().size() == 1 && undecided.error().missing().empty());

    const auto plain = value(value(spvif::Module::load(read(fixtures + "/opencl/plain.spv"))).prepare());
    const auto refused = plain.specialize(value(spvif::Device::by_name("intel_gpu_acm_g10")));
    CHECK(!refused && refused.error().status() == SPVIF_STATUS_REFUSED && !refused.error().missing().empty());
    CHECK(refused.error().message().find("Float64") != std::string_view::npos);
    verdicts(plain);

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
    CHECK(value(precise.cache_key(older)) != value(precise.cache_key(settings)) && value(precise.cache_key(older)) == value(precise.cache_key(older)));
    CHECK(value(precise.removed_interface(left)).spec_ids() == std::vector<std::uint32_t>({0, 1, 2}));
    CHECK(value(precision.whole_interface()).bindings().size() == 1);
    const auto host_values = value(precise.host_values(left, spvif::Settings().set(10, 64u)));
    CHECK(host_values.info().map_entry_count == 1 && host_values.info().map_entries[0].constant_id == 10);
    const auto on_hit = value(precise.host_values(older, spvif::Settings().set(10, 64u)));
    CHECK(on_hit.info().map_entry_count == 1 && on_hit.info().data_size == host_values.info().data_size);
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
    // Kernels keep their exports in any case.
    const auto library = value(spvif::Module::link(units, 2, spvif::LinkOptions().create_library()));
    CHECK(equal(value(value(library.module()).pack()).words(), read(expected + "/linked.spv")));

    const auto bundle = value(spvif::Bundle::open(expected + "/app.spvb"));
    CHECK(bundle.names() == std::vector<std::string_view>({"precision", "scale"}) && bundle.variants("scale") == 2);
    CHECK(value(bundle.module("scale", 1)).get() != nullptr && !bundle.module("scala"));
    const auto bundled = value(bundle.specialize("scale", value(spvif::Device::by_name("intel_gpu_bmg_g21"))));
    CHECK(equal(bundled.words(), read(expected + "/bundled/scale.spv")));
    CHECK(!spvif::Bundle::load("SPVB", 4));
    const auto fixture = [&](const char *name) { return value(spvif::Module::load(read(fixtures + name))); };
    std::vector<spvif::ShaderVariant> scale, constants;
    scale.emplace_back(fixture("/merge/scale-fp16.spv")).set_condition("fp16");
    scale.emplace_back(fixture("/merge/scale.spv"));
    constants.emplace_back(fixture("/spec/precision.spv")).set_constant_values("use_half", {"true", "false"});
    spvif::BundleBuilder builder;
    builder.add_ready("scale", scale, spvif::Settings().strip()).add_ready("precision", constants, spvif::Settings().strip());
    const auto built = value(builder.build());
    const auto ready = read(expected + "/ready.spvb");
    CHECK(built.size() == ready.size() && std::memcmp(built.data(), ready.data(), built.size()) == 0);
    CHECK(builder.add("scale", scale).notes().empty() && !builder.build());

    const auto requirements = value(compiled.requirements());
    CHECK(requirements.entry_points().size() == 1 && !requirements.required(0).empty() && requirements.required(1).empty());
    CHECK(requirements.json().find("Float16") != std::string_view::npos);
    const auto vulkan = value(compiled.vulkan_requirements(1u << 22 | 3u << 12));
    std::uint32_t extensions = 99;
    CHECK(vulkan.extensions(extensions) != nullptr && extensions == 0 && vulkan.version() == (1u << 22 | 3u << 12));
    CHECK(vulkan.chain() != nullptr && !vulkan.features().empty() && !vulkan.limits().empty());
    std::vector<spvif::VulkanRequirements> of_modules;
    of_modules.push_back(value(compiled.vulkan_requirements(1u << 22 | 3u << 12)));
    const auto joined = value(spvif::VulkanRequirements::union_of(of_modules));
    CHECK(joined.chain() != nullptr && joined.features().size() == vulkan.features().size());
    CHECK(vulkan.properties().empty() && vulkan.missing().empty() && vulkan.unknown().empty());

    devices();
    ::settings(precision);
    // In the locale of the user, which may write numbers with a comma.
    CHECK(std::setlocale(LC_ALL, "") != nullptr);
    ::settings(precision);
    lists(fixtures, expected);

    const char text[] = "OpCapability Shader";
    const auto damaged = spvif::Module::load(text, sizeof text);
    CHECK(!damaged && damaged.error().status() == SPVIF_STATUS_LOAD);
    // A moved object is empty, and frees nothing.
    auto first = value(spvif::Device::by_name("intel_gpu_pvc"));
    auto second = std::move(first);
    CHECK(first.get() == nullptr && second.get() != nullptr);
    std::printf("the C++ layer does what the C interface does, with a decimal '%s'\n", std::localeconv()->decimal_point);
    return 0;
}
