// C++17 layer over spvif.h: objects free themselves, and results are a value or an error. Only allocations of the standard library throw.
// The layer requires neither exceptions nor run-time type information.
#ifndef SPVIF_HPP
#define SPVIF_HPP

#include <spvif.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

static_assert(SPVIF_ABI_VERSION == 1, "spvif.hpp and spvif.h are of different versions");

namespace spvif {

/// Returns true if the loaded library has the version of the interface in this header. Check it once if the library is loaded at run time.
inline bool abi_matches() { return spvif_abi_version() == SPVIF_ABI_VERSION; }

namespace detail {

template <class T, void (*destroy)(T *)> struct Destroy {
    void operator()(T *object) const { destroy(object); }
};

template <class T, void (*destroy)(T *)> using Owned = std::unique_ptr<T, Destroy<T, destroy>>;

inline std::string_view view(const char *text) { return text ? std::string_view(text) : std::string_view(); }

// Reads a list by index until null.
template <class Read> auto all(Read read) {
    std::vector<std::remove_const_t<std::remove_pointer_t<decltype(read(std::size_t{}))>>> items;
    for (std::size_t index = 0; auto item = read(index); ++index) items.push_back(*item);
    return items;
}

template <class Read> std::vector<std::string_view> texts(Read read) {
    std::vector<std::string_view> items;
    for (std::size_t index = 0; const char *item = read(index); ++index) items.emplace_back(item);
    return items;
}

} // namespace detail

/// A string parameter of the C interface: a literal, a std::string or a std::string_view. It refers to the string.
class Text {
public:
    Text(const char *text) : text_(text) {}
    Text(const std::string &text) : text_(text.c_str()) {}
    Text(std::string_view text) : own_(text), text_(own_.c_str()) {}
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;

    const char *get() const { return text_; }

private:
    std::string own_;
    const char *text_;
};

namespace detail {

// Numbers are passed by value, so that a constant member of a class needs no definition. Everything else is passed by reference.
template <class T> using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>, int>;
template <class T> using IfText = std::enable_if_t<!std::is_arithmetic_v<T>, int>;

// Returns a value as a string in the syntax of spvif_settings_set_text.
template <class T> std::string number(T value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(+value); // no letter for a number of one byte
    } else {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.*g", std::numeric_limits<double>::max_digits10, static_cast<double>(value));
        // The only part that depends on the locale is between the digits.
        std::string text;
        for (const char *at = digits; *at; ++at) {
            const bool is_plain = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || *at == '+' || *at == '-';
            if (is_plain) text += *at;
            else if (text.find('.') == std::string::npos) text += '.';
        }
        return text;
    }
}

template <class T> spvif_value value(T value) {
    if constexpr (std::is_same_v<T, bool>) {
        return spvif_bool(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return spvif_float(value);
    } else if constexpr (std::is_signed_v<T>) {
        return spvif_int(value);
    } else {
        return spvif_uint(value);
    }
}

} // namespace detail

/// An error: the reason why a call failed.
class Error {
public:
    explicit Error(spvif_status status, spvif_error *object) : status_(status), object_(object) {}

    spvif_status status() const { return status_; }
    /// Returns the message. It is valid as long as the error, as is all data that the following functions return.
    std::string_view message() const { return detail::view(spvif_error_message(object_.get())); }
    /// Returns the missing features of a refused device.
    std::vector<spvif_missing> missing() const {
        return detail::all([&](std::size_t index) { return spvif_error_missing(object_.get(), index); });
    }
    /// Returns the features that a device may or may not have, if strict settings refused it.
    std::vector<std::string_view> unknown() const {
        return detail::texts([&](std::size_t index) { return spvif_error_unknown(object_.get(), index); });
    }
    /// Returns the constants without a value, if they leave a condition undecided.
    std::vector<spvif_constant> undecided() const {
        return detail::all([&](std::size_t index) { return spvif_error_undecided(object_.get(), index); });
    }

private:
    spvif_status status_;
    detail::Owned<spvif_error, spvif_error_destroy> object_;
};

/// A value or an error. `*` and `->` without a value abort the program, as does `error()` without an error: check first, as in
/// `if (!result)`.
template <class T> class [[nodiscard]] Expected {
public:
    Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }
    T &operator*() & { return value(*this); }
    const T &operator*() const & { return value(*this); }
    T &&operator*() && { return std::move(value(*this)); }
    T *operator->() { return &value(*this); }
    const T *operator->() const { return &value(*this); }
    const Error &error() const {
        if (*this) std::abort();
        return *std::get_if<1>(&content_);
    }

private:
    template <class Self> static auto &value(Self &self) {
        if (!self) std::abort();
        return *std::get_if<0>(&self.content_);
    }
    std::variant<T, Error> content_;
};

/// The words of a module.
struct Words {
    const std::uint32_t *data;
    /// The number of words.
    std::size_t count;

    const std::uint32_t *begin() const { return data; }
    const std::uint32_t *end() const { return data + count; }
    /// Returns the size in bytes, for VkShaderModuleCreateInfo.
    std::size_t bytes() const { return count * sizeof(std::uint32_t); }
};

namespace detail {

// Calls a function that stores an object at its last but one parameter and an error at its last.
template <class T, class Call> Expected<T> make(Call call) {
    typename T::Object *object = nullptr;
    spvif_error *error = nullptr;
    const spvif_status status = call(&object, &error);
    if (status != SPVIF_STATUS_OK) return Error(status, error);
    return T(object);
}

} // namespace detail

/// A device: its features, as far as they are known.
class Device {
public:
    using Object = spvif_device;
    /// Takes ownership of an object of the C interface.
    explicit Device(Object *object) : object_(object) {}

    /// Finds a device by its name in the library's table: see spvif_device_by_name.
    static Expected<Device> by_name(const Text &name) {
        return detail::make<Device>(
            [&](Object **object, spvif_error **error) { return spvif_device_by_name(name.get(), object, error); });
    }
    /// Finds a device by its name in a device configuration. `source` is the name of the file in messages.
    static Expected<Device> from_config(const Text &source, const Text &yaml, const Text &name) {
        return detail::make<Device>([&](Object **object, spvif_error **error) {
            return spvif_device_from_config(source.get(), yaml.get(), name.get(), object, error);
        });
    }
    /// Creates a device from parts, such as {{"capabilities", "Shader,Float16"}}: see spvif_parts_set.
    template <std::size_t count>
    static Expected<Device> from_parts(const std::pair<Text, Text> (&parts)[count]) {
        return from_all(parts);
    }
    /// Creates a device from the parts in an array, a vector or a map: pairs of strings.
    template <class Parts> static Expected<Device> from_parts(const Parts &parts) { return from_all(parts); }
    /// Reads a device from a Vulkan driver: see spvif_device_from_vulkan. Handles and functions have Vulkan's types.
    template <class GetInstanceProcAddr, class Instance, class PhysicalDevice>
    static Expected<Device> from_vulkan(GetInstanceProcAddr get_instance_proc_addr, Instance instance,
                                        std::uint32_t api_version, PhysicalDevice physical_device,
                                        const void *create_info) {
        return detail::make<Device>([&](Object **object, spvif_error **error) {
            return spvif_device_from_vulkan(
                reinterpret_cast<spvif_vulkan_get_instance_proc_addr>(get_instance_proc_addr), instance, api_version,
                physical_device, create_info, object, error);
        });
    }
    /// Reads a device from an OpenCL driver: see spvif_device_from_opencl.
    template <class GetDeviceInfo, class GetPlatformInfo, class DeviceId>
    static Expected<Device> from_opencl(GetDeviceInfo get_device_info, GetPlatformInfo get_platform_info,
                                        DeviceId device) {
        return detail::make<Device>([&](Object **object, spvif_error **error) {
            return spvif_device_from_opencl(reinterpret_cast<spvif_opencl_get_info>(get_device_info),
                                            reinterpret_cast<spvif_opencl_get_info>(get_platform_info), device, object,
                                            error);
        });
    }

    std::string_view name() const { return detail::view(spvif_device_name(object_.get())); }
    /// Evaluates a condition. Returns 1 if it holds, 0 if it does not, and -1 if too little is known.
    Expected<int> holds(const Text &condition) const {
        std::int32_t holds = -1;
        spvif_error *error = nullptr;
        const spvif_status status = spvif_device_holds(object_.get(), condition.get(), &holds, &error);
        if (status != SPVIF_STATUS_OK) return Error(status, error);
        return int(holds);
    }
    const Object *get() const { return object_.get(); }

private:
    template <class Parts> static Expected<Device> from_all(const Parts &parts) {
        detail::Owned<spvif_parts, spvif_parts_destroy> all(spvif_parts_create());
        // spvif_device_from_parts reports the failures of these calls.
        const auto set = [&](const Text &part, const Text &value) { spvif_parts_set(all.get(), part.get(), value.get()); };
        for (const auto &[part, value] : parts) set(part, value);
        return detail::make<Device>([&](Object **object, spvif_error **error) {
            return spvif_device_from_parts(all.get(), object, error);
        });
    }
    detail::Owned<Object, spvif_device_destroy> object_;
};

/// Settings of Prepared::specialize. A failed change makes the calls that use the settings fail.
class Settings {
public:
    Settings() : object_(spvif_settings_create()) {}

    /// Sets the constants with a SpecId to a Boolean, a number, or the value of a string.
    template <class T, detail::IfNumber<T> = 0> Settings &set(std::uint32_t spec_id, T value) {
        return spvif_settings_set(object_.get(), spec_id, detail::value(value)), *this;
    }
    template <class T, detail::IfText<T> = 0> Settings &set(std::uint32_t spec_id, const T &value) {
        return set(std::to_string(spec_id), value);
    }
    /// Sets the constants with an OpName, or the decision of the host with this name.
    template <class T, detail::IfNumber<T> = 0> Settings &set(const Text &name, T value) {
        return spvif_settings_set_text(object_.get(), name.get(), detail::number(value).c_str()), *this;
    }
    template <class T, detail::IfText<T> = 0> Settings &set(const Text &name, const T &value) {
        return spvif_settings_set_text(object_.get(), name.get(), Text(value).get()), *this;
    }
    /// Sets a new default value of the constants with a SpecId, which stay specialization constants.
    template <class T, detail::IfNumber<T> = 0> Settings &set_default(std::uint32_t spec_id, T value) {
        return spvif_settings_set_default(object_.get(), spec_id, detail::value(value)), *this;
    }
    template <class T, detail::IfText<T> = 0> Settings &set_default(std::uint32_t spec_id, const T &value) {
        return set_default(std::to_string(spec_id), value);
    }
    /// Sets a new default value of the constants with an OpName.
    template <class T, detail::IfNumber<T> = 0> Settings &set_default(const Text &name, T value) {
        return spvif_settings_set_default_text(object_.get(), name.get(), detail::number(value).c_str()), *this;
    }
    template <class T, detail::IfText<T> = 0> Settings &set_default(const Text &name, const T &value) {
        return spvif_settings_set_default_text(object_.get(), name.get(), Text(value).get()), *this;
    }
    /// Leaves constants unchanged.
    Settings &leave(std::uint32_t spec_id) { return leave(std::to_string(spec_id)); }
    Settings &leave(const Text &name) { return spvif_settings_leave(object_.get(), name.get()), *this; }
    Settings &keep_interface() { return spvif_settings_keep_interface(object_.get()), *this; }
    Settings &strip() { return spvif_settings_strip(object_.get()), *this; }
    Settings &max_version(std::uint32_t major, std::uint32_t minor) {
        return spvif_settings_max_version(object_.get(), major << 16 | minor << 8), *this;
    }
    Settings &ignore_unknown() { return spvif_settings_ignore_unknown(object_.get()), *this; }
    Settings &unset(const Text &policy) { return spvif_settings_unset(object_.get(), policy.get()), *this; }
    Settings &drop_unsupported() { return spvif_settings_drop_unsupported(object_.get()), *this; }
    Settings &add_entry_point(const Text &name) {
        return spvif_settings_add_entry_point(object_.get(), name.get()), *this;
    }
    Settings &max_clones(std::size_t count) {
        return spvif_settings_max_clones(object_.get(), count), *this;
    }
    Settings &lower() { return spvif_settings_lower(object_.get()), *this; }
    Settings &wider_halves() { return spvif_settings_wider_halves(object_.get()), *this; }
    Settings &adapt() { return spvif_settings_adapt(object_.get()), *this; }
    Settings &trap(const std::string &trap) { return spvif_settings_trap(object_.get(), trap.c_str()), *this; }
    Settings &strict() { return spvif_settings_strict(object_.get()), *this; }
    Settings &trim() { return spvif_settings_trim(object_.get()), *this; }
    Settings &work_around(const Text &driver) {
        return spvif_settings_work_around(object_.get(), driver.get()), *this;
    }
    const spvif_settings *get() const { return object_.get(); }

private:
    detail::Owned<spvif_settings, spvif_settings_destroy> object_;
};

/// Options of Module::link. A failed change makes that call fail.
class LinkOptions {
public:
    LinkOptions() : object_(spvif_link_options_create()) {}

    LinkOptions &create_library() { return spvif_link_options_create_library(object_.get()), *this; }
    const spvif_link_options *get() const { return object_.get(); }

private:
    detail::Owned<spvif_link_options, spvif_link_options_destroy> object_;
};

/// Options of Module::pack. A failed change makes that call fail.
class PackOptions {
public:
    PackOptions() : object_(spvif_pack_options_create()) {}

    PackOptions &dialect(const Text &dialect) {
        return spvif_pack_options_dialect(object_.get(), dialect.get()), *this;
    }
    PackOptions &property_names(const Text &names) {
        return spvif_pack_options_property_names(object_.get(), names.get()), *this;
    }
    PackOptions &add_export(const Text &name) {
        return spvif_pack_options_add_export(object_.get(), name.get()), *this;
    }
    PackOptions &keep_exports() { return spvif_pack_options_keep_exports(object_.get()), *this; }
    PackOptions &max_clones(std::size_t count) {
        return spvif_pack_options_max_clones(object_.get(), count), *this;
    }
    PackOptions &lower() { return spvif_pack_options_lower(object_.get(), nullptr), *this; }
    PackOptions &lower(const Text &features) {
        return spvif_pack_options_lower(object_.get(), features.get()), *this;
    }
    PackOptions &strip() { return spvif_pack_options_strip(object_.get()), *this; }
    const spvif_pack_options *get() const { return object_.get(); }

private:
    detail::Owned<spvif_pack_options, spvif_pack_options_destroy> object_;
};

class Module;

/// A module that the library made, and the report on making it. Data that it returns is valid as long as the object.
class Result {
public:
    using Object = spvif_result;
    /// Takes ownership of an object of the C interface.
    explicit Result(Object *object) : object_(object) {}

    Words words() const {
        std::size_t count = 0;
        const std::uint32_t *data = spvif_result_words(object_.get(), &count);
        return {data, count};
    }
    std::string_view properties() const { return detail::view(spvif_result_properties(object_.get())); }
    /// Creates a module from the result, for other calls.
    inline Expected<Module> module() const;

    std::vector<std::string_view> removed() const {
        return detail::texts([&](std::size_t index) { return spvif_result_removed(object_.get(), index); });
    }
    std::vector<std::string_view> warnings() const {
        return detail::texts([&](std::size_t index) { return spvif_result_warning(object_.get(), index); });
    }
    std::vector<std::string_view> undecided() const {
        return detail::texts([&](std::size_t index) { return spvif_result_undecided(object_.get(), index); });
    }
    std::vector<spvif_constant> open() const {
        return detail::all([&](std::size_t index) { return spvif_result_open(object_.get(), index); });
    }
    std::vector<spvif_constant> unknown() const {
        return detail::all([&](std::size_t index) { return spvif_result_unknown(object_.get(), index); });
    }
    std::vector<spvif_constant> set_by_host() const {
        return detail::all([&](std::size_t index) { return spvif_result_set_by_host(object_.get(), index); });
    }
    std::vector<spvif_constant> defaulted() const {
        return detail::all([&](std::size_t index) { return spvif_result_defaulted(object_.get(), index); });
    }
    std::vector<spvif_constant> ignored() const {
        return detail::all([&](std::size_t index) { return spvif_result_ignored(object_.get(), index); });
    }
    std::vector<std::string_view> trapped() const {
        return detail::texts([&](std::size_t index) { return spvif_result_trapped(object_.get(), index); });
    }
    std::vector<spvif_unsupported> unsupported() const {
        return detail::all([&](std::size_t index) { return spvif_result_unsupported(object_.get(), index); });
    }
    std::vector<std::string_view> not_known() const {
        return detail::texts([&](std::size_t index) { return spvif_result_not_known(object_.get(), index); });
    }
    std::vector<std::string_view> adapted() const {
        return detail::texts([&](std::size_t index) { return spvif_result_adapted(object_.get(), index); });
    }
    std::vector<std::string_view> lowered() const {
        return detail::texts([&](std::size_t index) { return spvif_result_lowered(object_.get(), index); });
    }
    /// Returns a description of the changes that work around the defects of a driver. It is empty if the settings did not request them.
    std::string_view work_around() const { return detail::view(spvif_result_work_around(object_.get())); }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_result_destroy> object_;
};

/// The requirements of the entry points of a module. Data that they return is valid as long as the object.
class Requirements {
public:
    using Object = spvif_requirements;
    /// Takes ownership of an object of the C interface.
    explicit Requirements(Object *object) : object_(object) {}

    std::vector<spvif_entry_point> entry_points() const {
        return detail::all(
            [&](std::size_t index) { return spvif_requirements_entry_point(object_.get(), index); });
    }
    /// Returns the requirements of an entry point, by its index.
    std::vector<spvif_required> required(std::size_t entry_point) const {
        return detail::all(
            [&](std::size_t index) { return spvif_requirements_required(object_.get(), entry_point, index); });
    }
    std::vector<std::string_view> superfluous() const {
        return detail::texts(
            [&](std::size_t index) { return spvif_requirements_superfluous(object_.get(), index); });
    }
    /// Returns the specialization constants, sorted by SpecId.
    std::vector<spvif_spec_constant> spec_constants() const {
        return detail::all(
            [&](std::size_t index) { return spvif_requirements_spec_constant(object_.get(), index); });
    }
    /// Returns the effects of the values of a specialization constant, by its index.
    std::vector<spvif_decided> decided(std::size_t spec_constant) const {
        return detail::all(
            [&](std::size_t index) { return spvif_requirements_decided(object_.get(), spec_constant, index); });
    }
    std::string_view json() const { return detail::view(spvif_requirements_json(object_.get())); }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_requirements_destroy> object_;
};

/// The features and extensions that Vulkan must enable for a module. Data that they return is valid as long as the object.
class VulkanRequirements {
public:
    using Object = spvif_vulkan_requirements;
    /// Takes ownership of an object of the C interface.
    explicit VulkanRequirements(Object *object) : object_(object) {}

    /// Joins the requirements of modules, a range of VulkanRequirements: see spvif_vulkan_requirements_union. `features` is the application's chain
    /// for pNext of VkDeviceCreateInfo, or null. It must stay valid as long as the result is used, and pEnabledFeatures must be null.
    template <class Range> static Expected<VulkanRequirements> union_of(const Range &modules, void *features = nullptr) {
        std::vector<const Object *> all;
        for (const VulkanRequirements &requirements : modules) all.push_back(requirements.get());
        return detail::make<VulkanRequirements>([&](Object **object, spvif_error **error) {
            return spvif_vulkan_requirements_union(all.data(), all.size(), features, object, error);
        });
    }
    /// Returns the required version, as in VkApplicationInfo.
    std::uint32_t version() const { return spvif_vulkan_requirements_version(object_.get()); }
    /// Returns the extensions to enable, for ppEnabledExtensionNames of VkDeviceCreateInfo.
    const char *const *extensions(std::uint32_t &count) const {
        return spvif_vulkan_requirements_extensions(object_.get(), &count);
    }
    /// Returns the features to enable as a chain of structures, for pNext of VkDeviceCreateInfo.
    const void *chain() const { return spvif_vulkan_requirements_chain(object_.get()); }
    std::vector<spvif_vulkan_feature> features() const {
        return detail::all(
            [&](std::size_t index) { return spvif_vulkan_requirements_feature(object_.get(), index); });
    }
    std::vector<spvif_vulkan_property> properties() const {
        return detail::all(
            [&](std::size_t index) { return spvif_vulkan_requirements_property(object_.get(), index); });
    }
    std::vector<spvif_vulkan_limit> limits() const {
        return detail::all([&](std::size_t index) { return spvif_vulkan_requirements_limit(object_.get(), index); });
    }
    /// Returns the requirements that the device is known not to meet.
    std::vector<std::string_view> missing() const {
        return detail::texts(
            [&](std::size_t index) { return spvif_vulkan_requirements_missing(object_.get(), index); });
    }
    /// Returns the requirements that the library's tables do not have.
    std::vector<std::string_view> unknown() const {
        return detail::texts(
            [&](std::size_t index) { return spvif_vulkan_requirements_unknown(object_.get(), index); });
    }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_vulkan_requirements_destroy> object_;
};

/// The interface of a module: everything that hosts and other stages refer to. Data that it returns is valid as long as the object.
class Interface {
public:
    using Object = spvif_interface;
    /// Takes ownership of an object of the C interface.
    explicit Interface(Object *object) : object_(object) {}

    std::vector<spvif_entry_point> entry_points() const {
        return detail::all([&](std::size_t index) { return spvif_interface_entry_point(object_.get(), index); });
    }
    std::vector<spvif_binding> bindings() const {
        return detail::all([&](std::size_t index) { return spvif_interface_binding(object_.get(), index); });
    }
    std::vector<spvif_location> locations() const {
        return detail::all([&](std::size_t index) { return spvif_interface_location(object_.get(), index); });
    }
    std::vector<spvif_push_constants> push_constants() const {
        return detail::all([&](std::size_t index) { return spvif_interface_push_constants(object_.get(), index); });
    }
    std::vector<std::uint32_t> spec_ids() const {
        return detail::all([&](std::size_t index) { return spvif_interface_spec_id(object_.get(), index); });
    }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_interface_destroy> object_;
};

/// Values of specialization constants for a driver. Data that they return is valid as long as the object.
class HostValues {
public:
    using Object = spvif_host_values;
    /// Takes ownership of an object of the C interface.
    explicit HostValues(Object *object) : object_(object) {}

    /// Returns the values as a structure with the members of VkSpecializationInfo.
    const spvif_specialization_info &info() const { return *spvif_host_values_info(object_.get()); }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_host_values_destroy> object_;
};

/// The verdict on a device, and the features that decide it. Data that it returns is valid as long as the object.
class Compatibility {
public:
    using Object = spvif_compatibility;
    /// Takes ownership of an object of the C interface.
    explicit Compatibility(Object *object) : object_(object) {}

    /// Returns the verdict: the device runs the module, does not run it, or is not known to run it.
    spvif_verdict verdict() const { return spvif_compatibility_verdict(object_.get()); }
    /// Returns the verdict as "runs", "does not run" or "not known".
    std::string_view verdict_name() const { return detail::view(spvif_compatibility_verdict_name(object_.get())); }
    /// Returns the required features that the device does not have.
    std::vector<std::string_view> missing() const {
        return detail::texts([&](std::size_t index) { return spvif_compatibility_missing(object_.get(), index); });
    }
    /// Returns the required features that the device may or may not have.
    std::vector<std::string_view> unknown() const {
        return detail::texts([&](std::size_t index) { return spvif_compatibility_unknown(object_.get(), index); });
    }
    const Object *get() const { return object_.get(); }

private:
    detail::Owned<Object, spvif_compatibility_destroy> object_;
};

/// A module that is prepared for specializing it any number of times, by any number of threads.
class Prepared {
public:
    using Object = spvif_prepared;
    /// Takes ownership of an object of the C interface.
    explicit Prepared(Object *object) : object_(object) {}

    /// Makes a plain module for a device.
    Expected<Result> specialize(const Device &device) const { return specialize(device.get(), nullptr); }
    Expected<Result> specialize(const Device &device, const Settings &settings) const {
        return specialize(device.get(), settings.get());
    }
    /// Makes a plain module for an unknown device: only sets constants.
    Expected<Result> specialize(const Settings &settings) const { return specialize(nullptr, settings.get()); }
    /// Like specialize, but writes the result into the caller's memory. Returns the number of words of the result.
    Expected<std::size_t> specialize_into(std::uint32_t *words, std::size_t capacity, const Device &device) const {
        return specialize_into(words, capacity, device.get(), nullptr);
    }
    Expected<std::size_t> specialize_into(std::uint32_t *words, std::size_t capacity, const Device &device,
                                          const Settings &settings) const {
        return specialize_into(words, capacity, device.get(), settings.get());
    }
    Expected<std::size_t> specialize_into(std::uint32_t *words, std::size_t capacity, const Settings &settings) const {
        return specialize_into(words, capacity, nullptr, settings.get());
    }
    /// Finds the verdict on a device, without making a module.
    Expected<Compatibility> compatibility(const Device &device) const { return compatibility(device.get(), nullptr); }
    Expected<Compatibility> compatibility(const Device &device, const Settings &settings) const {
        return compatibility(device.get(), settings.get());
    }
    /// Computes a cache key for the result of specialize.
    Expected<std::array<std::uint8_t, 16>> cache_key(const Device &device) const { return cache_key(device.get(), nullptr); }
    Expected<std::array<std::uint8_t, 16>> cache_key(const Device &device, const Settings &settings) const {
        return cache_key(device.get(), settings.get());
    }
    Expected<std::array<std::uint8_t, 16>> cache_key(const Settings &settings) const {
        return cache_key(nullptr, settings.get());
    }
    /// Finds the part of the module's interface that a result no longer has.
    Expected<Interface> removed_interface(const Result &result) const {
        return detail::make<Interface>([&](spvif_interface **object, spvif_error **error) {
            return spvif_removed_interface(object_.get(), result.get(), object, error);
        });
    }
    /// Like removed_interface for the result for a device and settings, which a program found in a cache: see spvif_removed_interface_for.
    Expected<Interface> removed_interface(const Device &device, const Settings &settings) const {
        return removed_interface(device.get(), settings.get());
    }
    Expected<Interface> removed_interface(const Settings &settings) const {
        return removed_interface(nullptr, settings.get());
    }
    /// Collects the values of the specialization constants that a result still has.
    Expected<HostValues> host_values(const Result &result, const Settings &settings) const {
        return detail::make<HostValues>([&](spvif_host_values **values, spvif_error **error) {
            return spvif_host_values_create(object_.get(), result.get(), settings.get(), values, error);
        });
    }
    /// Like host_values for the result for a device and settings, which a program found in a cache: see spvif_host_values_for.
    Expected<HostValues> host_values(const Device &device, const Settings &settings, const Settings &values) const {
        return host_values(device.get(), settings.get(), values.get());
    }
    Expected<HostValues> host_values(const Settings &settings, const Settings &values) const {
        return host_values(nullptr, settings.get(), values.get());
    }
    const Object *get() const { return object_.get(); }

private:
    Expected<Result> specialize(const spvif_device *device, const spvif_settings *settings) const {
        return detail::make<Result>([&](spvif_result **result, spvif_error **error) {
            return spvif_specialize(object_.get(), device, settings, result, error);
        });
    }
    Expected<Interface> removed_interface(const spvif_device *device, const spvif_settings *settings) const {
        return detail::make<Interface>([&](spvif_interface **object, spvif_error **error) {
            return spvif_removed_interface_for(object_.get(), device, settings, object, error);
        });
    }
    Expected<HostValues> host_values(const spvif_device *device, const spvif_settings *settings,
                                     const spvif_settings *values) const {
        return detail::make<HostValues>([&](spvif_host_values **object, spvif_error **error) {
            return spvif_host_values_for(object_.get(), device, settings, values, object, error);
        });
    }
    Expected<std::size_t> specialize_into(std::uint32_t *words, std::size_t capacity, const spvif_device *device,
                                          const spvif_settings *settings) const {
        std::size_t count = 0;
        spvif_error *error = nullptr;
        const spvif_status status =
            spvif_specialize_into(object_.get(), device, settings, words, capacity, &count, &error);
        if (status != SPVIF_STATUS_OK) return Error(status, error);
        return count;
    }
    Expected<Compatibility> compatibility(const spvif_device *device, const spvif_settings *settings) const {
        return detail::make<Compatibility>([&](spvif_compatibility **compatibility, spvif_error **error) {
            return spvif_compatibility_create(object_.get(), device, settings, compatibility, error);
        });
    }
    Expected<std::array<std::uint8_t, 16>> cache_key(const spvif_device *device, const spvif_settings *settings) const {
        std::array<std::uint8_t, 16> own{};
        spvif_error *error = nullptr;
        const spvif_status status = spvif_prepared_cache_key(object_.get(), device, settings, own.data(), &error);
        if (status != SPVIF_STATUS_OK) return Error(status, error);
        return own;
    }
    detail::Owned<Object, spvif_prepared_destroy> object_;
};

/// A SPIR-V module.
class Module {
public:
    using Object = spvif_module;
    /// Takes ownership of an object of the C interface.
    explicit Module(Object *object) : object_(object) {}

    /// Loads a module from bytes, which are copied.
    static Expected<Module> load(const void *bytes, std::size_t size) {
        return detail::make<Module>([&](Object **object, spvif_error **error) {
            return spvif_module_create(bytes, size, object, error);
        });
    }
    /// Loads a module from a container of words or bytes with data() and size().
    template <class Container> static Expected<Module> load(const Container &container) {
        return load(container.data(), container.size() * sizeof(*container.data()));
    }
    /// Links modules to one.
    static Expected<Result> link(const Module *modules, std::size_t count,
                                 const LinkOptions &options = LinkOptions()) {
        std::vector<const Object *> objects;
        for (std::size_t index = 0; index < count; ++index) objects.push_back(modules[index].get());
        return detail::make<Result>([&](spvif_result **result, spvif_error **error) {
            return spvif_link(objects.data(), count, options.get(), result, error);
        });
    }

    /// Creates a copy with a name, such as that of a shader or a file. Error messages about it begin with the name: see spvif_module_name.
    Expected<Module> named(const Text &name) const {
        return detail::make<Module>([&](Object **object, spvif_error **error) {
            return spvif_module_name(object_.get(), name.get(), object, error);
        });
    }
    /// Applies an annotations file to the module. `name` is the name of the file in messages.
    Expected<Module> annotated(const Text &name, const Text &yaml) const {
        return detail::make<Module>([&](Object **object, spvif_error **error) {
            return spvif_module_annotate(object_.get(), name.get(), yaml.get(), object, error);
        });
    }
    /// Creates a copy with property sets that a compiler wrote beside the module. `name` is the name of the file in messages.
    Expected<Module> with_properties(const Text &name, const Text &properties) const {
        return detail::make<Module>([&](Object **object, spvif_error **error) {
            return spvif_module_add_properties(object_.get(), name.get(), properties.get(), object, error);
        });
    }
    /// Creates a copy with a setting for its compile-time properties: see spvif_module_lower_properties. A `max_version` of 0 is any version.
    Expected<Module> lowering_properties(bool keep, std::uint32_t max_version = 0) const {
        return detail::make<Module>([&](Object **object, spvif_error **error) {
            return spvif_module_lower_properties(object_.get(), keep, max_version, object, error);
        });
    }
    /// Returns the warnings about lowering the compile-time properties.
    std::vector<std::string_view> warnings() const {
        return detail::texts([&](std::size_t index) { return spvif_module_warning(object_.get(), index); });
    }
    /// Makes one module for every device.
    Expected<Result> pack(const PackOptions &options = PackOptions()) const {
        return detail::make<Result>([&](spvif_result **result, spvif_error **error) {
            return spvif_pack(object_.get(), options.get(), result, error);
        });
    }
    /// Prepares the module for specializing.
    Expected<Prepared> prepare() const {
        return detail::make<Prepared>([&](spvif_prepared **prepared, spvif_error **error) {
            return spvif_prepare(object_.get(), prepared, error);
        });
    }
    /// Removes the capabilities and extensions that nothing in the module requires.
    Expected<Result> trim() const {
        return detail::make<Result>([&](spvif_result **result, spvif_error **error) {
            return spvif_trim(object_.get(), result, error);
        });
    }
    /// Finds the interface of the module.
    Expected<Interface> whole_interface() const {
        return detail::make<Interface>([&](spvif_interface **object, spvif_error **error) {
            return spvif_interface_create(object_.get(), object, error);
        });
    }
    /// Finds the features and extensions that Vulkan must enable for the unchanged module. The version is as in VkApplicationInfo.
    Expected<VulkanRequirements> vulkan_requirements(std::uint32_t api_version) const {
        return vulkan_requirements(api_version, nullptr);
    }
    /// Like vulkan_requirements, but chooses alternatives that a device supports.
    Expected<VulkanRequirements> vulkan_requirements(std::uint32_t api_version, const Device &device) const {
        return vulkan_requirements(api_version, device.get());
    }
    /// Finds the requirements of the entry points.
    Expected<Requirements> requirements() const {
        return detail::make<Requirements>([&](spvif_requirements **requirements, spvif_error **error) {
            return spvif_requirements_create(object_.get(), requirements, error);
        });
    }
    const Object *get() const { return object_.get(); }

private:
    Expected<VulkanRequirements> vulkan_requirements(std::uint32_t api_version, const spvif_device *device) const {
        return detail::make<VulkanRequirements>([&](spvif_vulkan_requirements **requirements, spvif_error **error) {
            return spvif_requirements_vulkan(object_.get(), api_version, device, requirements, error);
        });
    }

    detail::Owned<Object, spvif_module_destroy> object_;
};

/// A bundle of shaders, as `spirv-if bundle` writes it.
class Bundle {
public:
    using Object = spvif_bundle;
    /// Takes ownership of an object of the C interface.
    explicit Bundle(Object *object) : object_(object) {}

    /// Opens a bundle file, which must not change while the bundle exists. Decompresses nothing.
    static Expected<Bundle> open(const Text &path) {
        return detail::make<Bundle>([&](Object **object, spvif_error **error) {
            return spvif_bundle_open(path.get(), object, error);
        });
    }
    /// Opens a bundle from bytes, which are copied.
    static Expected<Bundle> load(const void *bytes, std::size_t size) {
        return detail::make<Bundle>([&](Object **object, spvif_error **error) {
            return spvif_bundle_create(bytes, size, object, error);
        });
    }

    /// Returns the names of the shaders, sorted.
    std::vector<std::string_view> names() const {
        return detail::texts([&](std::size_t index) { return spvif_bundle_name(object_.get(), index); });
    }
    /// Returns the number of variants of a shader, or 0 if the bundle has no such shader.
    std::size_t variants(const Text &name) const { return spvif_bundle_variants(object_.get(), name.get()); }
    /// Loads a variant of a shader, as it was added.
    Expected<Module> module(const Text &name, std::size_t variant = 0) const {
        return detail::make<Module>([&](spvif_module **module, spvif_error **error) {
            return spvif_bundle_module(object_.get(), name.get(), variant, module, error);
        });
    }
    /// Makes a plain module of a shader for a device.
    Expected<Result> specialize(const Text &name, const Device &device) const {
        return specialize(name, device.get(), nullptr);
    }
    Expected<Result> specialize(const Text &name, const Device &device, const Settings &settings) const {
        return specialize(name, device.get(), settings.get());
    }
    const Object *get() const { return object_.get(); }

private:
    Expected<Result> specialize(const Text &name, const spvif_device *device, const spvif_settings *settings) const {
        return detail::make<Result>([&](spvif_result **result, spvif_error **error) {
            return spvif_bundle_specialize(object_.get(), name.get(), device, settings, result, error);
        });
    }

    detail::Owned<Object, spvif_bundle_destroy> object_;
};

/// A variant of a shader for a bundle. A failed change makes BundleBuilder::build fail.
class ShaderVariant {
public:
    /// Creates a variant for all remaining devices.
    explicit ShaderVariant(const Module &module) : object_(spvif_shader_variant_create(module.get())) {}

    ShaderVariant &set_condition(const Text &condition) {
        return spvif_shader_variant_set_condition(object_.get(), condition.get()), *this;
    }
    ShaderVariant &set_constant(const Text &constant, const Text &value) {
        return spvif_shader_variant_set_constant(object_.get(), constant.get(), value.get()), *this;
    }
    /// Lists the values that the host may give a constant. In a ready shader, each value is a question.
    ShaderVariant &set_constant_values(const Text &constant, const std::vector<std::string> &values) {
        std::vector<const char *> texts;
        for (const auto &value : values) texts.push_back(value.c_str());
        return spvif_shader_variant_set_constant_values(object_.get(), constant.get(), texts.data(), texts.size()), *this;
    }
    const spvif_shader_variant *get() const { return object_.get(); }

private:
    detail::Owned<spvif_shader_variant, spvif_shader_variant_destroy> object_;
};

/// The bytes of a complete bundle.
class BundleBytes {
public:
    using Object = spvif_bundle_bytes;
    /// Takes ownership of an object of the C interface.
    explicit BundleBytes(Object *object) : object_(object) {}

    const void *data() const { return spvif_bundle_bytes_data(object_.get()); }
    std::size_t size() const { return spvif_bundle_bytes_size(object_.get()); }

private:
    detail::Owned<Object, spvif_bundle_bytes_destroy> object_;
};

/// Builder of a bundle, which is not compressed.
class BundleBuilder {
public:
    BundleBuilder() : object_(spvif_bundle_builder_create()) {}

    /// Adds a shader. Each device gets the first variant whose condition holds.
    BundleBuilder &add(const Text &name, const std::vector<ShaderVariant> &variants) {
        const auto objects = get(variants);
        return spvif_bundle_builder_add(object_.get(), name.get(), objects.data(), objects.size()), *this;
    }
    /// Adds a shader with its plain module for every device. `settings` has the changes to these modules.
    BundleBuilder &add_ready(const Text &name, const std::vector<ShaderVariant> &variants,
                             const Settings &settings = Settings(), std::size_t max_results = 256) {
        const auto objects = get(variants);
        return spvif_bundle_builder_add_ready(object_.get(), name.get(), objects.data(), objects.size(), settings.get(),
                                              max_results),
               *this;
    }
    /// Returns the reasons why shaders are not ready, but have their conditions.
    std::vector<std::string_view> notes() const {
        return detail::texts([&](std::size_t index) { return spvif_bundle_builder_note(object_.get(), index); });
    }
    Expected<BundleBytes> build() const {
        return detail::make<BundleBytes>([&](spvif_bundle_bytes **bytes, spvif_error **error) {
            return spvif_bundle_builder_build(object_.get(), bytes, error);
        });
    }

private:
    static std::vector<const spvif_shader_variant *> get(const std::vector<ShaderVariant> &variants) {
        std::vector<const spvif_shader_variant *> objects;
        for (const auto &variant : variants) objects.push_back(variant.get());
        return objects;
    }

    detail::Owned<spvif_bundle_builder, spvif_bundle_builder_destroy> object_;
};

inline Expected<Module> Result::module() const {
    return detail::make<Module>([&](spvif_module **module, spvif_error **error) {
        return spvif_result_module(object_.get(), module, error);
    });
}

} // namespace spvif

#endif
