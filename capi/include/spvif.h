/* The C interface of spirv-if. docs/c.md is its manual.
 *
 * Rules for all functions:
 * - Objects are opaque. A function that creates one stores it at its `X **` parameter. The caller owns the object and frees it with
 *   spvif_X_destroy. Pointers that a function returns from an object belong to the object, and are valid as long as it.
 * - A function that can fail returns a status. On failure, it stores null at the parameter of the result and an error at `error`. On
 *   success, it stores null at `error`. `error` may be null.
 * - A function that changes settings, options, variants, builders or the parts of a device has no `error`. The object keeps the first
 *   failure: every function that uses the object then fails with that status and message, even if other changes succeeded.
 * - All other objects are immutable. Several threads may use an object at once, as long as none of them changes or destroys it.
 * - Strings are UTF-8 and end with a NUL character. Where a function requires a string or an object, null is an error, and never
 *   undefined behavior.
 * - A function with an `index` returns an item of a list. Indices count from 0, and the function returns null after the last item.
 *   Structures may get more members in later versions: do not make arrays of them.
 * - A library that is built without a feature does not have all functions. A program that calls a missing function does not link
 *   (docs/c.md, "Lean library").
 *
 * cbindgen writes this file from capi/src: change the comments there.
 */

#ifndef SPVIF_H
#define SPVIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(SPVIF_SHARED)
#define SPVIF_API __declspec(dllimport)
#else
#define SPVIF_API
#endif

/* The calling convention of Vulkan's and OpenCL's functions: VKAPI_PTR and CL_API_CALL. */
#if defined(_WIN32) && !defined(_WIN64)
#define SPVIF_CALL __stdcall
#else
#define SPVIF_CALL
#endif


// The version of this interface. It changes when programs that were compiled for another version would no longer work.
#define SPVIF_ABI_VERSION 1

// The outcome of a call.
typedef enum {
    // Success.
    SPVIF_STATUS_OK = 0,
    // The bytes are not a SPIR-V module, or the module is damaged.
    SPVIF_STATUS_LOAD = 1,
    // The device does not run the module: `spvif_error_missing` lists the missing features. With `spvif_settings_strict`, also:
    // the device is not known to run the module. `spvif_error_unknown` then lists the features that the device may or may not
    // have, and no feature is missing.
    SPVIF_STATUS_REFUSED = 2,
    // The device and the settings do not decide every condition: `spvif_error_undecided` lists the constants without a value.
    SPVIF_STATUS_UNDECIDED = 3,
    // The request does not fit the module: a name, a SpecId or a value does not exist.
    SPVIF_STATUS_REQUEST = 4,
    // The module, or data beside it, breaks a rule that the call requires.
    SPVIF_STATUS_MODULE = 5,
    // The library was built without a feature that the call requires, such as `probe` for drivers.
    SPVIF_STATUS_UNSUPPORTED = 6,
    // A driver did not answer.
    SPVIF_STATUS_DRIVER = 7,
    // An argument is null, a string is not UTF-8, or a number is not a version.
    SPVIF_STATUS_ARGUMENT = 8,
    // The buffer is too small for the result.
    SPVIF_STATUS_BUFFER = 9,
    // The library has a defect.
    SPVIF_STATUS_INTERNAL = 10,
    // The result uses constructs that the requested version of SPIR-V does not have: `spvif_error_missing` lists them.
    SPVIF_STATUS_TOO_NEW = 11,
} spvif_status;

// The verdict on a module and a device.
typedef enum {
    // The device is not known to run the module: it may or may not have a required feature.
    SPVIF_VERDICT_NOT_KNOWN = 0,
    // The device runs the module.
    SPVIF_VERDICT_RUNS = 1,
    // The device does not run the module: a required feature is missing.
    SPVIF_VERDICT_DOES_NOT_RUN = 2,
} spvif_verdict;

// The kind of a missing feature.
typedef enum {
    // A kind that this version of the header does not know.
    SPVIF_MISSING_KIND_OTHER = 0,
    // A version of SPIR-V. `number` is the version as in the header of a module: 0x10500 for 1.5. With the status
    // `SPVIF_STATUS_TOO_NEW`, `name` is the construct that requires it.
    SPVIF_MISSING_KIND_VERSION = 1,
    // A capability. `number` is its number in SPIR-V.
    SPVIF_MISSING_KIND_CAPABILITY = 2,
    // An extension. `name` is its name.
    SPVIF_MISSING_KIND_EXTENSION = 3,
    // A work-group size. `number` is the number of work-items.
    SPVIF_MISSING_KIND_WORK_GROUP_SIZE = 4,
    // An aspect of SYCL. `number` is its number.
    SPVIF_MISSING_KIND_ASPECT = 5,
    // A sub-group size. `number` is the number of work-items.
    SPVIF_MISSING_KIND_SUB_GROUP_SIZE = 6,
    // The device itself: it is not among the devices that the module is compiled for.
    SPVIF_MISSING_KIND_FIXED_TARGETS = 7,
    // A Vulkan feature or property that no capability names. `name` is its name, or the names of alternatives.
    SPVIF_MISSING_KIND_VULKAN_FEATURE = 8,
    // A Vulkan limit. The device's limit must be at least `number`.
    SPVIF_MISSING_KIND_VULKAN_LIMIT = 9,
    // The condition of the whole module. It does not hold: no variant of the module is for the device.
    SPVIF_MISSING_KIND_CONDITION = 10,
    // Conditional calls that nothing decided. `number` is their number. The module makes all of them as long as it is not
    // specialized.
    SPVIF_MISSING_KIND_UNDECIDED_CALLS = 11,
    // A driver defect: the compiler of the driver is known to fail on the module.
    SPVIF_MISSING_KIND_DRIVER_DEFECT = 12,
} spvif_missing_kind;

// The kind of a requirement.
typedef enum {
    // A capability. `number` is its number in SPIR-V.
    SPVIF_REQUIREMENT_KIND_CAPABILITY = 1,
    // An extension. `name` is its name.
    SPVIF_REQUIREMENT_KIND_EXTENSION = 2,
    // An aspect of SYCL that the code uses. `number` is its number.
    SPVIF_REQUIREMENT_KIND_ASPECT = 3,
    // An aspect of SYCL that the code declares (`device_has`). `number` is its number.
    SPVIF_REQUIREMENT_KIND_DECLARED_ASPECT = 4,
    // A work-group size. `size` is the number of work-items in each dimension, and `number` their product.
    SPVIF_REQUIREMENT_KIND_WORK_GROUP_SIZE = 5,
    // A sub-group size. `number` is the number of work-items.
    SPVIF_REQUIREMENT_KIND_SUB_GROUP_SIZE = 6,
} spvif_requirement_kind;

// The kind of a value.
typedef enum {
    // A Boolean: `integer` is 0 or 1.
    SPVIF_VALUE_KIND_BOOL = 0,
    // A signed integer, in `integer`.
    SPVIF_VALUE_KIND_INT = 1,
    // An unsigned integer, in `unsigned_integer`.
    SPVIF_VALUE_KIND_UINT = 2,
    // A floating-point number, in `number`.
    SPVIF_VALUE_KIND_FLOAT = 3,
} spvif_value_kind;

// A bundle of shaders, as `spirv-if bundle` writes it. It is immutable: several threads may use it at once.
typedef struct spvif_bundle spvif_bundle;

// A bundle under construction. A failed change makes `spvif_bundle_builder_build` fail.
typedef struct spvif_bundle_builder spvif_bundle_builder;

// The bytes of a complete bundle.
typedef struct spvif_bundle_bytes spvif_bundle_bytes;

// A verdict with the features that decide it. It is immutable: several threads may use it at once.
typedef struct spvif_compatibility spvif_compatibility;

// A device: its features, as far as they are known. It is immutable: several threads may use it at once.
typedef struct spvif_device spvif_device;

// An error.
typedef struct spvif_error spvif_error;

// Values of specialization constants for a driver. They are immutable: several threads may use them at once.
typedef struct spvif_host_values spvif_host_values;

// The interface of a module: everything that hosts and other stages refer to. It is immutable: several threads may use it at
// once.
typedef struct spvif_interface spvif_interface;

// Options of `spvif_link`.
typedef struct spvif_link_options spvif_link_options;

// A SPIR-V module, with its property sets and annotations. It is immutable: several threads may use it at once.
typedef struct spvif_module spvif_module;

// A module that this library made, and the report on making it. It is immutable: several threads may use it at once.
typedef struct spvif_result spvif_result;

// Options of `spvif_pack`.
typedef struct spvif_pack_options spvif_pack_options;

// The description of a device, part by part.
typedef struct spvif_parts spvif_parts;

// A module that is prepared for specializing: everything that does not depend on the device is computed once. It is immutable:
// several threads may use it at once.
typedef struct spvif_prepared spvif_prepared;

// The requirements of the entry points of a module. They are immutable: several threads may use them at once.
typedef struct spvif_requirements spvif_requirements;

// Settings of `spvif_specialize`. Several threads may use them at once, as long as none of them changes the settings.
typedef struct spvif_settings spvif_settings;

// A variant of a shader for a bundle. A failed change makes the functions that add the variant fail.
typedef struct spvif_shader_variant spvif_shader_variant;

// The features, extensions and limits that a module requires of a Vulkan device. They are immutable: several threads may use
// them at once.
typedef struct spvif_vulkan_requirements spvif_vulkan_requirements;

// A pointer to any function.
typedef void (SPVIF_CALL *spvif_void_function)(void);

// The type of vkGetInstanceProcAddr (PFN_vkGetInstanceProcAddr) without Vulkan's header. Cast the function to it.
typedef spvif_void_function (SPVIF_CALL *spvif_vulkan_get_instance_proc_addr)(void *instance, const char *name);

// The type of clGetDeviceInfo and clGetPlatformInfo without OpenCL's header. Cast the functions to it.
typedef int32_t (SPVIF_CALL *spvif_opencl_get_info)(void *object,
                                                    uint32_t query,
                                                    size_t size,
                                                    void *value,
                                                    size_t *size_of_answer);

// A feature that a device is known not to have. Later versions may add members.
typedef struct {
    // The kind.
    spvif_missing_kind kind;
    // The number, whose meaning depends on the kind.
    uint64_t number;
    // The name, such as `Float64`, `aspect fp64` or `sub-group size 8`. For an extension, its own name.
    const char *name;
    // The reason as a clause: "it requires the sub-group size 8, which the device does not support".
    const char *reason;
} spvif_missing;

// A specialization constant, and the condition that it represents. Later versions may add members.
typedef struct {
    // The SpecId.
    uint32_t spec_id;
    // The condition, such as "fp16 && !fp64", or null if it is not known.
    const char *condition;
} spvif_constant;

// The place of a constant's value. It has the members of VkSpecializationMapEntry.
typedef struct {
    // The SpecId.
    uint32_t constant_id;
    // The offset of the value, in bytes.
    uint32_t offset;
    // The size of the value, in bytes.
    size_t size;
} spvif_map_entry;

// Constants with their values. The structure has the members of VkSpecializationInfo, and a pointer to it may be cast. Later
// versions do not add members.
typedef struct {
    // The number of entries.
    uint32_t map_entry_count;
    // The entries.
    const spvif_map_entry *map_entries;
    // The size of the values, in bytes.
    size_t data_size;
    // The values, in the host's byte order.
    const void *data;
} spvif_specialization_info;

// An entry point, or an exported function that nothing in its module calls. Later versions may add members.
typedef struct {
    // The name for the host. For an exported function, its linkage name.
    const char *name;
    // The execution model, such as "GLCompute", or null for an exported function.
    const char *stage;
    // The condition under which the entry point exists, or null if it always does.
    const char *condition;
} spvif_entry_point;

// The binding of a descriptor. Later versions may add members.
typedef struct {
    // The number of the descriptor set.
    uint32_t set;
    // The number in the set.
    uint32_t binding;
    // The name of the variable, or null if it has none.
    const char *name;
    // The type of the descriptors, a VkDescriptorType. `UINT32_MAX` if Vulkan has no descriptor for the variable.
    uint32_t descriptor_type;
    // The name of that type, such as "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", or null if it has none.
    const char *type_name;
    // The number of descriptors, with the default values of specialization constants. 0 for an array without a length.
    uint32_t count;
    // The stages that use the binding, as VkShaderStageFlags.
    uint32_t stages;
} spvif_binding;

// The location of a variable. Later versions may add members.
typedef struct {
    // The storage class of the variable, such as "Input".
    const char *storage_class;
    // The number of the location.
    uint32_t location;
    // The first component.
    uint32_t component;
    // The name of the variable, or null if it has none.
    const char *name;
} spvif_location;

// A block of push constants. Later versions may add members.
typedef struct {
    // The number of members.
    size_t members;
    // The name of the variable, or null if it has none.
    const char *name;
    // The offset of the first byte, for VkPushConstantRange.
    uint32_t offset;
    // The number of bytes from the offset on, for VkPushConstantRange, with the default values of specialization constants. 0 if
    // the members have no offsets.
    uint32_t size;
    // The stages that use the block, as VkShaderStageFlags.
    uint32_t stages;
} spvif_push_constants;

// A requirement of an entry point. Later versions may add members.
typedef struct {
    // The kind.
    spvif_requirement_kind kind;
    // The number, whose meaning depends on the kind.
    uint32_t number;
    // The name, such as "Float64" or "sub-group size 16".
    const char *name;
    // The condition of the requirement, or null if it always applies.
    const char *condition;
    // The number of work-items of a work-group size in each dimension.
    uint32_t size[3];
    // True if the host can set another size by a specialization constant.
    bool specializable;
} spvif_required;

// A specialization constant that hosts can set, and the code that depends on it. Later versions may add members.
typedef struct {
    // The SpecId.
    uint32_t spec_id;
    // The result id.
    uint32_t id;
    // The name, or null if it has none.
    const char *name;
    // The type, such as "bool" or "uint32".
    const char *type_name;
    // The default value, in the syntax of `spvif_settings_set_text`.
    const char *default_value;
    // The number of branches that the constant decides, alone or with others, directly or through values computed from it.
    size_t branches;
    // The number of array types whose length depends on the constant.
    size_t array_sizes;
    // True if the size of work-groups depends on the constant.
    bool work_group_size;
    // True if values were not tried, since that takes too much work in this module.
    bool untried;
} spvif_spec_constant;

// The effect of a value of a constant. Later versions may add members.
typedef struct {
    // The value of a Boolean constant. False for a number, whose value is `text`.
    bool value;
    // The number of blocks that the value removes.
    size_t blocks;
    // The number of capabilities that the module no longer requires with the value.
    size_t capability_count;
    // The numbers of these capabilities in SPIR-V.
    const uint32_t *capabilities;
    // The value, in the syntax of `spvif_settings_set_text`.
    const char *text;
} spvif_decided;

// An entry point that the device does not run. Later versions may add members.
typedef struct {
    // The name of the entry point.
    const char *entry_point;
    // The missing feature.
    const spvif_missing *missing;
} spvif_unsupported;

// The number of a value.
typedef union {
    // A Boolean or a signed integer.
    int64_t integer;
    // An unsigned integer.
    uint64_t unsigned_integer;
    // A floating-point number.
    double number;
} spvif_value_data;

// A value of a specialization constant. `spvif_bool`, `spvif_int`, `spvif_uint` and `spvif_float` make one.
typedef struct {
    // The kind, a `spvif_value_kind`.
    uint32_t kind;
    // The number.
    spvif_value_data data;
} spvif_value;

// A feature of Vulkan. Later versions may add members.
typedef struct {
    // The structure, such as "VkPhysicalDeviceVulkan12Features". "VkPhysicalDeviceFeatures" stands for the member `features` of
    // VkPhysicalDeviceFeatures2.
    const char *structure;
    // The member, such as "shaderFloat16".
    const char *member;
} spvif_vulkan_feature;

// A property that a Vulkan device must have. Later versions may add members.
typedef struct {
    // The structure, such as "VkPhysicalDeviceVulkan11Properties".
    const char *structure;
    // The member.
    const char *member;
    // The value: "VK_TRUE", or a bit that must be set.
    const char *value;
} spvif_vulkan_property;

// A limit that a Vulkan device must meet. Later versions may add members.
typedef struct {
    // The member of VkPhysicalDeviceLimits or VkPhysicalDeviceMeshShaderPropertiesEXT. An array has an index:
    // "maxComputeWorkGroupSize[0]".
    const char *member;
    // The minimum for the device's limit.
    uint64_t at_least;
} spvif_vulkan_limit;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the interface in the loaded library. A program must not use a library whose version differs from
// `SPVIF_ABI_VERSION`.
SPVIF_API
uint32_t spvif_abi_version(void);

// Returns the version of the loaded library, such as "0.1.0". The string is static: do not free it.
SPVIF_API const char *spvif_version(void);

// Applies an annotations file to a module, and stores the new module at `annotated`. `yaml` is the text of the file
// (spec-extensions/annotations.md), and `name` is its name in messages. An entry that matches nothing in the module is an error
// (`SPVIF_STATUS_REQUEST`).
SPVIF_API
spvif_status spvif_module_annotate(const spvif_module *module,
                                   const char *name,
                                   const char *yaml,
                                   spvif_module **annotated,
                                   spvif_error **error);

// Opens a bundle file and maps it into memory. The file must not change while the bundle exists. Decompresses nothing.
SPVIF_API
spvif_status spvif_bundle_open(const char *path,
                               spvif_bundle **bundle,
                               spvif_error **error);

// Opens a bundle from `size` bytes, which are copied.
SPVIF_API
spvif_status spvif_bundle_create(const void *bytes,
                                 size_t size,
                                 spvif_bundle **bundle,
                                 spvif_error **error);

// Returns the name of shader `index`, or null after the last. The names are sorted.
SPVIF_API const char *spvif_bundle_name(const spvif_bundle *bundle, size_t index);

// Returns the number of variants of a shader, or 0 if the bundle has no such shader.
SPVIF_API size_t spvif_bundle_variants(const spvif_bundle *bundle, const char *name);

// Loads variant `variant` of a shader, as it was added. Variants count from 0. A device gets the first variant whose condition
// holds: see `spvif_bundle_specialize`.
SPVIF_API
spvif_status spvif_bundle_module(const spvif_bundle *bundle,
                                 const char *name,
                                 size_t variant,
                                 spvif_module **module,
                                 spvif_error **error);

// Makes a plain module of a shader for a device. Like `spvif_specialize`, for the first variant whose condition holds, with the
// constants that the bundle fixes. `device` may be null for an unknown device, and `settings` for the default settings.
SPVIF_API
spvif_status spvif_bundle_specialize(const spvif_bundle *bundle,
                                     const char *name,
                                     const spvif_device *device,
                                     const spvif_settings *settings,
                                     spvif_result **result,
                                     spvif_error **error);

// Frees a bundle. Modules that were loaded from the bundle stay valid. Does nothing for null.
SPVIF_API void spvif_bundle_destroy(spvif_bundle *bundle);

// Creates a variant for all remaining devices. The words of `module` are copied. Returns null if `module` is null.
SPVIF_API
spvif_shader_variant *spvif_shader_variant_create(const spvif_module *module);

// Sets the condition on devices, in the syntax of `spec-extensions/conditions.md`.
SPVIF_API
spvif_status spvif_shader_variant_set_condition(spvif_shader_variant *variant,
                                                const char *condition);

// Fixes a specialization constant to a value. `constant` is its SpecId or its name, and `value` has the syntax of `spirv-if
// specialize --set`.
SPVIF_API
spvif_status spvif_shader_variant_set_constant(spvif_shader_variant *variant,
                                               const char *constant,
                                               const char *value);

// Lists the `count` values, at `values`, that the host may give a specialization constant. In a ready shader, each value is a
// question.
SPVIF_API
spvif_status spvif_shader_variant_set_constant_values(spvif_shader_variant *variant,
                                                      const char *constant,
                                                      const char *const *values,
                                                      size_t count);

// Frees a variant. Does nothing for null.
SPVIF_API void spvif_shader_variant_destroy(spvif_shader_variant *variant);

// Creates a builder of an empty bundle.
SPVIF_API spvif_bundle_builder *spvif_bundle_builder_create(void);

// Adds a shader with `count` variants, which are copied. Each device gets the first variant whose condition holds. Only the last
// variant may have no condition.
SPVIF_API
spvif_status spvif_bundle_builder_add(spvif_bundle_builder *builder,
                                      const char *name,
                                      const spvif_shader_variant *const *variants,
                                      size_t count);

// Like `spvif_bundle_builder_add`, but adds the plain module of the shader for every device, so that no device requires this
// library to load it. `settings` has the changes to these modules (`spvif_settings_trim`, `spvif_settings_strip`), and may be
// null.
//
// A shader that has more modules than `max_results`, or cannot be ready, is added with its conditions. A note then gives the
// reason (`spvif_bundle_builder_note`).
SPVIF_API
spvif_status spvif_bundle_builder_add_ready(spvif_bundle_builder *builder,
                                            const char *name,
                                            const spvif_shader_variant *const *variants,
                                            size_t count,
                                            const spvif_settings *settings,
                                            size_t max_results);

// Returns note `index` about a shader that is not ready, or null after the last.
SPVIF_API const char *spvif_bundle_builder_note(const spvif_bundle_builder *builder, size_t index);

// Builds the bytes of the bundle. They are not compressed: reading a module is a copy. Equal shaders result in equal bytes.
SPVIF_API
spvif_status spvif_bundle_builder_build(const spvif_bundle_builder *builder,
                                        spvif_bundle_bytes **bytes,
                                        spvif_error **error);

// Frees a builder. Does nothing for null.
SPVIF_API void spvif_bundle_builder_destroy(spvif_bundle_builder *builder);

// Returns a pointer to the bytes. Write them to a file `app.spvb`, or pass them to `spvif_bundle_create` or `spvb_open`.
SPVIF_API
const void *spvif_bundle_bytes_data(const spvif_bundle_bytes *bytes);

// Returns the number of bytes.
SPVIF_API size_t spvif_bundle_bytes_size(const spvif_bundle_bytes *bytes);

// Frees the bytes. Does nothing for null.
SPVIF_API void spvif_bundle_bytes_destroy(spvif_bundle_bytes *bytes);

// Finds the verdict on a module and a device, without making a module. The verdict is that of `spvif_specialize`, but a refusal
// is not an error here. `device` may be null for an unknown device, and `settings` for the default settings.
SPVIF_API
spvif_status spvif_compatibility_create(const spvif_prepared *prepared,
                                        const spvif_device *device,
                                        const spvif_settings *settings,
                                        spvif_compatibility **compatibility,
                                        spvif_error **error);

// Returns the verdict, or `SPVIF_VERDICT_NOT_KNOWN` for null.
SPVIF_API spvif_verdict spvif_compatibility_verdict(const spvif_compatibility *compatibility);

// Returns the verdict as "runs", "does not run" or "not known", or an empty string for null. The string is valid as long as the
// object, like all data that the following functions return.
SPVIF_API
const char *spvif_compatibility_verdict_name(const spvif_compatibility *compatibility);

// Returns the name of missing feature `index`, such as "Float64" or "sub-group size 8", or null after the last. The module
// requires the feature, and the device does not have it.
SPVIF_API
const char *spvif_compatibility_missing(const spvif_compatibility *compatibility,
                                        size_t index);

// Returns the name of unknown feature `index`, or null after the last. The device may or may not have the feature.
SPVIF_API
const char *spvif_compatibility_unknown(const spvif_compatibility *compatibility,
                                        size_t index);

// Frees a verdict, with all data that it returned. Does nothing for null.
SPVIF_API void spvif_compatibility_destroy(spvif_compatibility *compatibility);

// Creates an empty description.
SPVIF_API spvif_parts *spvif_parts_create(void);

// Sets a part of a description. `value` is a name, or several names with commas between them. The parts are the options of the
// program `spirv-if`:
//
// - "device": a device of the table, to which the other parts add
// - "capabilities": all supported capabilities, such as "Shader,Float16"; capabilities that these imply may be left out
// - "aspects": all aspects of the device, such as "gpu,fp16"
// - "extensions": additional SPIR-V extensions that the device accepts, as names or globs
// - "provider-features": features of providers, such as "amdgpu:gfx12-insts"; "!" stands before a feature that the device does
//   not have, and "!amdgpu:*" for all others of a provider
// - "limits": numbers, such as "subgroup_size=32,max_shared_memory=49152"
// - "driver": the Vulkan driver, such as "qualcomm 512.744"
// - "architecture": an architecture, such as "intel_gpu_pvc"
// - "category", "family", "target", "features": properties in the device registry
//
// Any other part is an error (`SPVIF_STATUS_REQUEST`). `spvif_device_from_parts` parses the values.
SPVIF_API
spvif_status spvif_parts_set(spvif_parts *parts,
                             const char *part,
                             const char *value);

// Frees a description. Does nothing for null.
SPVIF_API void spvif_parts_destroy(spvif_parts *parts);

// Creates a device from a description. Features that the description does not list are unknown.
SPVIF_API
spvif_status spvif_device_from_parts(const spvif_parts *parts,
                                     spvif_device **device,
                                     spvif_error **error);

// Returns the name of a device. It is the name of the entry in a device configuration, or derived from the name that the driver
// reports. It is empty for a device that was described by its parts. The string is valid as long as the device.
SPVIF_API
const char *spvif_device_name(const spvif_device *device);

// Evaluates a condition, such as "fp16 && !arch(intel_gpu_pvc)" or "cap(Float16)", on a device. Sets `holds` to 1 if the
// condition holds, to 0 if it does not, and to -1 if too little is known of the device.
SPVIF_API
spvif_status spvif_device_holds(const spvif_device *device,
                                const char *condition,
                                int32_t *holds,
                                spvif_error **error);

// Frees a device. Does nothing for null.
SPVIF_API void spvif_device_destroy(spvif_device *device);

// Finds a device by its name in the library's table, which `spirv-if devices` lists. `arch:NAME` is any device of an
// architecture. `gfx90a:xnack+:sramecc-` is an AMD processor with modes; modes that are not named are unknown.
SPVIF_API
spvif_status spvif_device_by_name(const char *name,
                                  spvif_device **device,
                                  spvif_error **error);

// Finds a device by its name in a device configuration. `yaml` is the text of the configuration (spec-extensions/devices.md),
// and `source` is the name of the file in messages. Modes may follow the name, as in `spvif_device_by_name`.
SPVIF_API
spvif_status spvif_device_from_config(const char *source,
                                      const char *yaml,
                                      const char *name,
                                      spvif_device **device,
                                      spvif_error **error);

// Reads a device from a Vulkan driver, as the application creates it. Of features and extensions, only those that the
// application enables count.
//
// `instance` is a VkInstance. `api_version` is the version in its VkApplicationInfo; 0 means 1.0. `physical_device` is a
// VkPhysicalDevice of the instance. `create_info` is the VkDeviceCreateInfo that the application passes to vkCreateDevice,
// before or after this call. If `create_info` is null, everything that the driver supports counts. This is for applications that
// enable all of it, or that query before they enable features.
//
// The device keeps no reference to these objects. Without the feature `probe`, the status is `SPVIF_STATUS_UNSUPPORTED`.
SPVIF_API
spvif_status spvif_device_from_vulkan(spvif_vulkan_get_instance_proc_addr get_instance_proc_addr,
                                      void *instance,
                                      uint32_t api_version,
                                      void *physical_device,
                                      const void *create_info,
                                      spvif_device **device,
                                      spvif_error **error);

// Reads a device from an OpenCL driver. `device_id` is a cl_device_id. `get_device_info` and `get_platform_info` are
// clGetDeviceInfo and clGetPlatformInfo as the application calls them. If `get_platform_info` is null, the driver stays unknown.
//
// The device keeps no reference to these objects. Without the feature `probe`, the status is `SPVIF_STATUS_UNSUPPORTED`.
SPVIF_API
spvif_status spvif_device_from_opencl(spvif_opencl_get_info get_device_info,
                                      spvif_opencl_get_info get_platform_info,
                                      void *device_id,
                                      spvif_device **device,
                                      spvif_error **error);

// Returns the status of an error, or `SPVIF_STATUS_OK` for null.
SPVIF_API spvif_status spvif_error_status(const spvif_error *error);

// Returns the message of an error, or an empty string for null. The string is valid as long as the error.
SPVIF_API const char *spvif_error_message(const spvif_error *error);

// Returns missing feature `index` of an error, or null after the last. The status is `SPVIF_STATUS_REFUSED` or
// `SPVIF_STATUS_TOO_NEW`. The data is valid as long as the error.
SPVIF_API
const spvif_missing *spvif_error_missing(const spvif_error *error,
                                         size_t index);

// Returns the name of unknown feature `index` of an error, or null after the last. The status is `SPVIF_STATUS_REFUSED`, and the
// device may or may not have the feature. The string is valid as long as the error.
SPVIF_API
const char *spvif_error_unknown(const spvif_error *error,
                                size_t index);

// Returns undecided constant `index` of an error, or null after the last. The status is `SPVIF_STATUS_UNDECIDED`. The data is
// valid as long as the error.
SPVIF_API
const spvif_constant *spvif_error_undecided(const spvif_error *error,
                                            size_t index);

// Frees an error, with all data that it returned. Does nothing for null.
SPVIF_API void spvif_error_destroy(spvif_error *error);

// Collects the values that settings set for the constants of a result of `spvif_specialize`. A driver needs them together with
// the result. Constants that are no longer specialization constants in the result are left out. A SpecId that the module does
// not have is an error, unless the settings ignore it (`spvif_settings_ignore_unknown`).
SPVIF_API
spvif_status spvif_host_values_create(const spvif_prepared *prepared,
                                      const spvif_result *result,
                                      const spvif_settings *settings,
                                      spvif_host_values **values,
                                      spvif_error **error);

// Like `spvif_host_values_create`, but for the result that `spvif_specialize` makes for a device and settings. It does not write
// that module: a program calls it when it found the result in a cache. `values` are the settings with the values for the driver;
// null means those of `settings`. `device` and `settings` may be null, as for `spvif_specialize`.
SPVIF_API
spvif_status spvif_host_values_for(const spvif_prepared *prepared,
                                   const spvif_device *device,
                                   const spvif_settings *settings,
                                   const spvif_settings *values,
                                   spvif_host_values **object,
                                   spvif_error **error);

// Returns the values as Vulkan's structure, or null for null. The structure is valid as long as the values.
SPVIF_API const spvif_specialization_info *spvif_host_values_info(const spvif_host_values *values);

// Frees values, with all data that they returned. Does nothing for null.
SPVIF_API void spvif_host_values_destroy(spvif_host_values *values);

// Finds the interface of a module.
SPVIF_API
spvif_status spvif_interface_create(const spvif_module *module,
                                    spvif_interface **object,
                                    spvif_error **error);

// Finds the part of the module's interface that a result of `spvif_specialize` no longer has. A pipeline layout that was made
// for the module may still refer to it.
SPVIF_API
spvif_status spvif_removed_interface(const spvif_prepared *prepared,
                                     const spvif_result *result,
                                     spvif_interface **object,
                                     spvif_error **error);

// Like `spvif_removed_interface`, but for the result that `spvif_specialize` makes for a device and settings. It does not write
// that module: a program calls it when it found the result in a cache. `device` and `settings` may be null, as for
// `spvif_specialize`.
SPVIF_API
spvif_status spvif_removed_interface_for(const spvif_prepared *prepared,
                                         const spvif_device *device,
                                         const spvif_settings *settings,
                                         spvif_interface **object,
                                         spvif_error **error);

// Returns entry point `index` with its execution model, or null after the last. The data is valid as long as the interface, as
// is all data that the following functions return.
SPVIF_API
const spvif_entry_point *spvif_interface_entry_point(const spvif_interface *object,
                                                     size_t index);

// Returns binding `index`, or null after the last.
SPVIF_API const spvif_binding *spvif_interface_binding(const spvif_interface *object, size_t index);

// Returns location `index`, or null after the last.
SPVIF_API const spvif_location *spvif_interface_location(const spvif_interface *object, size_t index);

// Returns block of push constants `index`, or null after the last.
SPVIF_API
const spvif_push_constants *spvif_interface_push_constants(const spvif_interface *object,
                                                           size_t index);

// Returns a pointer to SpecId `index`, or null after the last.
SPVIF_API const uint32_t *spvif_interface_spec_id(const spvif_interface *object, size_t index);

// Frees an interface, with all data that it returned. Does nothing for null.
SPVIF_API void spvif_interface_destroy(spvif_interface *object);

// Creates options with their default values.
SPVIF_API spvif_link_options *spvif_link_options_create(void);

// Keeps the exports of shaders, for a library that is linked again. By default, shaders with entry points and without imports
// lose their exports and the capability Linkage, which Vulkan does not accept. Modules of kernels always keep their exports.
SPVIF_API
spvif_status spvif_link_options_create_library(spvif_link_options *options);

// Frees options. Does nothing for null.
SPVIF_API void spvif_link_options_destroy(spvif_link_options *options);

// Links the `count` modules at `modules`: connects imports with exports, and merges equal types and constants
// (spec-extensions/linking.md). `options` may be null for the default options.
SPVIF_API
spvif_status spvif_link(const spvif_module *const *modules,
                        size_t count,
                        const spvif_link_options *options,
                        spvif_result **result,
                        spvif_error **error);

// Loads a module from `size` bytes, which are copied. They may have any alignment and either byte order. A packed module carries
// its property sets.
SPVIF_API
spvif_status spvif_module_create(const void *bytes,
                                 size_t size,
                                 spvif_module **module,
                                 spvif_error **error);

// Creates a copy of a module with a name, such as that of a shader or a file. Error messages about the module, and about objects
// prepared from it, begin with the name and a colon.
SPVIF_API
spvif_status spvif_module_name(const spvif_module *module,
                               const char *name,
                               spvif_module **named,
                               spvif_error **error);

// Returns warning `index` about lowering the module's compile-time properties, or null after the last.
SPVIF_API const char *spvif_module_warning(const spvif_module *module, size_t index);

// Frees a module. Modules that were prepared from it stay valid. Does nothing for null.
SPVIF_API void spvif_module_destroy(spvif_module *module);

// Creates options with their default values.
SPVIF_API spvif_pack_options *spvif_pack_options_create(void);

// Sets the form of conditions. "spec-conditional", the default, makes them specialization constants, which `spvif_specialize`
// sets. "function-variants" makes them the device constants of SPV_INTEL_function_variants, for a consumer that supports the
// extension.
SPVIF_API
spvif_status spvif_pack_options_dialect(spvif_pack_options *options,
                                        const char *dialect);

// Sets the names of properties: "design", the default, for those in the SYCL design documents, or "dpcpp" for those that DPC++
// reads today.
SPVIF_API
spvif_status spvif_pack_options_property_names(spvif_pack_options *options,
                                               const char *names);

// Keeps a function on every device, in addition to the entry points. `name` is its linkage name or OpName. Each call adds one
// function.
SPVIF_API
spvif_status spvif_pack_options_add_export(spvif_pack_options *options,
                                           const char *name);

// Keeps all exported functions and variables on every device.
SPVIF_API spvif_status spvif_pack_options_keep_exports(spvif_pack_options *options);

// Sets the maximum number of clones of one function, 8 by default. A function is cloned for each combination of values of the
// constants that guard its blocks.
SPVIF_API
spvif_status spvif_pack_options_max_clones(spvif_pack_options *options,
                                           size_t count);

// Writes lowered twins for devices without features, as code that does not require them. `features` has the names of capabilities with
// commas between them, such as `Int64,Float64`; one that cannot be lowered is an error of `spvif_pack`. If `features` is null, these are all
// features that can be lowered. Fallbacks of the source come first. `spvif_result_lowered` describes the twins.
SPVIF_API
spvif_status spvif_pack_options_lower(spvif_pack_options *options,
                                      const char *features);

// Removes names, debug information and reflection from the result. Keeps everything that states a condition.
SPVIF_API spvif_status spvif_pack_options_strip(spvif_pack_options *options);

// Frees options. Does nothing for null.
SPVIF_API void spvif_pack_options_destroy(spvif_pack_options *options);

// Makes one module for every device from a compiler's module: everything that only conditional code requires becomes
// conditional. `options` may be null for the default options.
SPVIF_API
spvif_status spvif_pack(const spvif_module *module,
                        const spvif_pack_options *options,
                        spvif_result **result,
                        spvif_error **error);

// Prepares a module for specializing it any number of times.
SPVIF_API
spvif_status spvif_prepare(const spvif_module *module,
                           spvif_prepared **prepared,
                           spvif_error **error);

// Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold.
// `device` may be null for an unknown device, and `settings` for the default settings.
//
// A device that does not run the result is an error (`SPVIF_STATUS_REFUSED`). A device that is not known to run it is an error
// only if the settings are strict (`spvif_result_not_known`). A condition that nothing decides is an error unless the settings
// say otherwise (`spvif_settings_unset`).
SPVIF_API
spvif_status spvif_specialize(const spvif_prepared *prepared,
                              const spvif_device *device,
                              const spvif_settings *settings,
                              spvif_result **result,
                              spvif_error **error);

// Like `spvif_specialize`, but writes the result into the caller's memory, which has room for `capacity` words at `words`. The
// memory needs no initial values.
//
// `count` receives the number of words of the result, even if they do not fit. The status is then `SPVIF_STATUS_BUFFER`. If
// `capacity` is 0, `words` may be null: such a call returns only the number.
//
// After an error, the memory holds no module. Words beyond the size of both the result and the module are never changed.
SPVIF_API
spvif_status spvif_specialize_into(const spvif_prepared *prepared,
                                   const spvif_device *device,
                                   const spvif_settings *settings,
                                   uint32_t *words,
                                   size_t capacity,
                                   size_t *count,
                                   spvif_error **error);

// Writes a cache key for the result of `spvif_specialize`: 16 bytes at `key`. Specializes nothing. If the keys of two calls are
// equal, the results have equal words, or the refusals are equal. The same settings in another order have another key. Keys are
// the same in every process, and differ between versions of the library.
SPVIF_API
spvif_status spvif_prepared_cache_key(const spvif_prepared *prepared,
                                      const spvif_device *device,
                                      const spvif_settings *settings,
                                      uint8_t *key,
                                      spvif_error **error);

// Frees a prepared module. Does nothing for null.
SPVIF_API void spvif_prepared_destroy(spvif_prepared *prepared);

// Creates a copy of a module with property sets that a compiler wrote beside it. `properties` is the text of their file
// (spec-extensions/property-sets.md), and `name` is the name of the file in messages. A packed module carries its property sets,
// and needs no file.
SPVIF_API
spvif_status spvif_module_add_properties(const spvif_module *module,
                                         const char *name,
                                         const char *properties,
                                         spvif_module **with_properties,
                                         spvif_error **error);

// Creates a copy of a module with a setting for its compile-time properties (spec-extensions/sycl-properties.md). By default,
// modules that are made from it have execution modes and decorations instead of the properties. If `keep` is true, they keep the
// properties.
//
// `max_version` is the latest version of SPIR-V that execution modes and decorations may require. It is written as in the header
// of a module: 0x10300 for 1.3, or 0 for any version.
SPVIF_API
spvif_status spvif_module_lower_properties(const spvif_module *module,
                                           bool keep,
                                           uint32_t max_version,
                                           spvif_module **lowered,
                                           spvif_error **error);

// Finds the requirements of the entry points of a module, with their conditions.
SPVIF_API
spvif_status spvif_requirements_create(const spvif_module *module,
                                       spvif_requirements **requirements,
                                       spvif_error **error);

// Returns entry point `index`, or null after the last. The data is valid as long as the requirements, as is all data that the
// following functions return.
SPVIF_API
const spvif_entry_point *spvif_requirements_entry_point(const spvif_requirements *requirements,
                                                        size_t index);

// Returns requirement `index` of entry point `entry_point`, or null after the last. Both count from 0.
SPVIF_API
const spvif_required *spvif_requirements_required(const spvif_requirements *requirements,
                                                  size_t entry_point,
                                                  size_t index);

// Returns the name of superfluous declaration `index`, or null after the last. It is a capability or extension that the module
// declares and does not require.
SPVIF_API
const char *spvif_requirements_superfluous(const spvif_requirements *requirements,
                                           size_t index);

// Returns specialization constant `index`, or null after the last. The constants are sorted by SpecId.
SPVIF_API
const spvif_spec_constant *spvif_requirements_spec_constant(const spvif_requirements *requirements,
                                                            size_t index);

// Returns the effect of value `index` of specialization constant `spec_constant`, or null after the last. A Boolean constant has
// two values. For a number, the values are the default and those that the module compares the number with, if they decide other
// branches. A number has none if no value removes anything.
SPVIF_API
const spvif_decided *spvif_requirements_decided(const spvif_requirements *requirements,
                                                size_t spec_constant,
                                                size_t index);

// Returns all findings on the module as JSON (spec-extensions/inspect.md, "Module").
SPVIF_API const char *spvif_requirements_json(const spvif_requirements *requirements);

// Frees requirements, with all data that they returned. Does nothing for null.
SPVIF_API void spvif_requirements_destroy(spvif_requirements *requirements);

// Returns the words of the module in the host's byte order. They are valid as long as the result. `count` receives their number,
// and may be null.
SPVIF_API
const uint32_t *spvif_result_words(const spvif_result *result,
                                   size_t *count);

// Returns the property sets of the module as the text of a file (spec-extensions/property-sets.md), or an empty string if it has
// none. The string is valid as long as the result. A packed module carries its property sets: this library does not need the
// file.
SPVIF_API
const char *spvif_result_properties(const spvif_result *result);

// Creates a module from a result, for other calls. It has the words and property sets of the result, and the translation units
// of a linked module.
SPVIF_API
spvif_status spvif_result_module(const spvif_result *result,
                                 spvif_module **module,
                                 spvif_error **error);

// Returns the name of removed item `index`, or null after the last. Items are capabilities, extensions and functions that
// nothing requires. The string is valid as long as the result, as is all data that the following functions return.
SPVIF_API
const char *spvif_result_removed(const spvif_result *result,
                                 size_t index);

// Returns warning `index`, or null after the last.
SPVIF_API const char *spvif_result_warning(const spvif_result *result, size_t index);

// Returns a description of conditional part `index`, or null after the last. The part stays conditional, and the description
// names the constants that it depends on.
SPVIF_API
const char *spvif_result_undecided(const spvif_result *result,
                                   size_t index);

// Returns open constant `index`, or null after the last. The device leaves its condition open, in a module that was not packed.
// The result has the constant, and the host sets it.
SPVIF_API
const spvif_constant *spvif_result_open(const spvif_result *result,
                                        size_t index);

// Returns constant `index` that annotations bind to an unknown condition, or null after the last. The constant has no value,
// since the device may or may not meet the condition.
SPVIF_API
const spvif_constant *spvif_result_unknown(const spvif_result *result,
                                           size_t index);

// Returns condition constant `index` of a packed module, or null after the last. The constant must be true where its condition
// holds: `spvif_specialize` sets it.
SPVIF_API
const spvif_constant *spvif_result_set_by_host(const spvif_result *result,
                                               size_t index);

// Returns constant `index` that took its default value (`spvif_settings_unset`), or null after the last.
SPVIF_API const spvif_constant *spvif_result_defaulted(const spvif_result *result, size_t index);

// Returns ignored constant `index`, or null after the last. The settings have a value for it, but the module does not have the
// constant (`spvif_settings_ignore_unknown`).
SPVIF_API
const spvif_constant *spvif_result_ignored(const spvif_result *result,
                                           size_t index);

// Returns a description of trapped block `index`, or null after the last. It names the function, the missing feature and the
// trap.
SPVIF_API
const char *spvif_result_trapped(const spvif_result *result,
                                 size_t index);

// Returns entry point `index` that the device does not run, with the missing feature, or null after the last.
SPVIF_API const spvif_unsupported *spvif_result_unsupported(const spvif_result *result, size_t index);

// Returns the name of unknown feature `index`, or null after the last. The device may or may not have the feature, so it is not
// known to run the module.
SPVIF_API
const char *spvif_result_not_known(const spvif_result *result,
                                   size_t index);

// Returns a description of adaptation `index`, or null after the last. It adapts the module to the device
// (`spvif_settings_adapt`) or to an older version of SPIR-V.
SPVIF_API const char *spvif_result_adapted(const spvif_result *result, size_t index);

// Returns a description of lowered feature `index` with its cost (`spvif_settings_lower`), or null after the last. That of a packed
// module begins with the condition of its twin (`spvif_pack_options_lower`).
SPVIF_API
const char *spvif_result_lowered(const spvif_result *result,
                                 size_t index);

// Returns a description of the changes that work around the defects of a driver, or null if the settings did not request them.
SPVIF_API
const char *spvif_result_work_around(const spvif_result *result);

// Frees a result, with all data that it returned. Does nothing for null.
SPVIF_API void spvif_result_destroy(spvif_result *result);

// Creates default settings: the device decides every condition, and a condition that it does not decide is an error.
SPVIF_API
spvif_settings *spvif_settings_create(void);

// Sets the constants with a SpecId to a value, such as `spvif_uint(64)`. A value that does not fit the type of its constant is
// an error of `spvif_specialize`.
SPVIF_API
spvif_status spvif_settings_set(spvif_settings *settings,
                                uint32_t spec_id,
                                spvif_value value);

// Sets constants to the value of a string: "true", "-3", "1.5", or bits such as "0x3f800000". `constant` is their SpecId or their
// name. "true" and "false" for a name also decide host(NAME) in conditions, such as host(fast) for "fast".
SPVIF_API
spvif_status spvif_settings_set_text(spvif_settings *settings,
                                     const char *constant,
                                     const char *value);

// Sets a new default value of the constants with a SpecId. They stay specialization constants, so nothing that depends on them is
// decided. A driver can still set them, as by VkSpecializationInfo.
SPVIF_API
spvif_status spvif_settings_set_default(spvif_settings *settings,
                                        uint32_t spec_id,
                                        spvif_value value);

// Sets a new default value of constants to that of a string (`spvif_settings_set_text`).
SPVIF_API
spvif_status spvif_settings_set_default_text(spvif_settings *settings,
                                             const char *constant,
                                             const char *value);

// Leaves constants unchanged, even if the device decides their values. `constant` is their SpecId or their name.
SPVIF_API
spvif_status spvif_settings_leave(spvif_settings *settings,
                                  const char *constant);

// Ignores values for SpecIds that the module does not have, as Vulkan does. `spvif_result_ignored` lists them. By default, such
// a SpecId is an error.
SPVIF_API
spvif_status spvif_settings_ignore_unknown(spvif_settings *settings);

// Sets the treatment of conditions that nothing decides. "error", the default, makes them an error (`SPVIF_STATUS_UNDECIDED`),
// even without a device. "keep" keeps their code conditional, which a driver must not load. "default" decides them by the
// default values of the constants that they depend on.
SPVIF_API
spvif_status spvif_settings_unset(spvif_settings *settings,
                                  const char *policy);

// Adds an entry point to those that the result keeps. By default, the result keeps all entry points, and
// `spvif_result_unsupported` lists those that the device does not run.
SPVIF_API spvif_status spvif_settings_add_entry_point(spvif_settings *settings, const char *name);

// Sets the maximum number of clones of one function, 8 by default. It applies where calls stay conditional in a module that was
// not packed: see `spvif_pack_options_max_clones`.
SPVIF_API
spvif_status spvif_settings_max_clones(spvif_settings *settings,
                                       size_t count);

// Removes capabilities and extensions that nothing in the result requires, as `spvif_trim` does.
SPVIF_API spvif_status spvif_settings_trim(spvif_settings *settings);

// Refuses a device that is not known to run the result. By default, such a device is accepted, and `spvif_result_not_known`
// lists the unknown features.
SPVIF_API
spvif_status spvif_settings_strict(spvif_settings *settings);

// Keeps the interface unchanged: variables with a binding or a location and push constants stay, even if nothing in the result
// uses them. By default, unused ones are removed, and `spvif_removed_interface` lists them.
SPVIF_API
spvif_status spvif_settings_keep_interface(spvif_settings *settings);

// Removes names, debug information and reflection from results. Keeps everything that states a condition.
SPVIF_API spvif_status spvif_settings_strip(spvif_settings *settings);

// Leaves out the entry points that the device is known not to run, if it runs others. `spvif_result_unsupported` lists them. By
// default, the device is refused.
SPVIF_API
spvif_status spvif_settings_drop_unsupported(spvif_settings *settings);

// Works around the known defects of a driver: "nvidia", NVIDIA's Vulkan driver, or "rusticl", Mesa's OpenCL driver.
SPVIF_API
spvif_status spvif_settings_work_around(spvif_settings *settings,
                                        const char *driver);

// Replaces constructs that the device is known to reject, if the result computes the same, or something else that the module
// permits. `spvif_result_adapted` lists the changes.
SPVIF_API
spvif_status spvif_settings_adapt(spvif_settings *settings);

// Rewrites code that requires features which the device is known not to have. The new code computes the same without them.
// 64-bit integers become two words of 32 bits. Doubles become two words as well, or 64-bit integers if the device has these.
// Integers of 8 and 16 bits become one word. Code that cannot be lowered is an error. `spvif_result_lowered` lists the features.
SPVIF_API
spvif_status spvif_settings_lower(spvif_settings *settings);

// Leaves out the rounding of halves that `spvif_settings_lower` makes floats, so that results are not those of the module.
SPVIF_API
spvif_status spvif_settings_wider_halves(spvif_settings *settings);

// Limits the version of SPIR-V of results. `version` is written as in the header of a module: 0x10300 for 1.3. A newer module is
// changed to this version if it uses nothing newer. Otherwise the status is `SPVIF_STATUS_TOO_NEW`.
SPVIF_API
spvif_status spvif_settings_max_version(spvif_settings *settings,
                                        uint32_t version);

// Replaces blocks behind run-time branches by a trap, if they require features that the device is known not to have. `trap` is
// `abort`, `silent` or `store:BUFFER:OFFSET` (spec-extensions/specializing.md, "Traps"). `spvif_result_trapped` lists the
// blocks.
SPVIF_API
spvif_status spvif_settings_trap(spvif_settings *settings,
                                 const char *trap);

// Frees settings. Does nothing for null.
SPVIF_API void spvif_settings_destroy(spvif_settings *settings);

// Removes the capabilities and extensions that nothing in a module requires. `spvif_result_removed` lists them.
SPVIF_API
spvif_status spvif_trim(const spvif_module *module,
                        spvif_result **result,
                        spvif_error **error);

// Finds the features and extensions that a Vulkan application must enable for an unchanged module. They include features that no
// capability names.
//
// `api_version` is the version for which the application creates its instance and device, as in VkApplicationInfo; 0 means 1.0.
// Some requirements have alternatives. The result has one that `device` supports, or the first one if `device` is null. To
// choose among all features of a driver, pass the device of `spvif_device_from_vulkan` without a `create_info`.
SPVIF_API
spvif_status spvif_requirements_vulkan(const spvif_module *module,
                                       uint32_t api_version,
                                       const spvif_device *device,
                                       spvif_vulkan_requirements **requirements,
                                       spvif_error **error);

// Joins the requirements of `count` modules with the features that the application enables itself.
//
// `features` is the application's chain for pNext of VkDeviceCreateInfo, or null. This function sets the features of the modules
// in its structures. If some features have no structure there, `spvif_vulkan_requirements_chain` returns new structures that
// continue with `features`. `features` must stay valid as long as the result is used. pEnabledFeatures must be null, since
// VkPhysicalDeviceFeatures2 has these features.
//
// Vulkan forbids a structure of a core version, such as VkPhysicalDeviceVulkan12Features, beside a structure that it gathers,
// such as VkPhysicalDeviceShaderFloat16Int8Features. Each feature is set in the one that the chain has, and the other is not
// added. If only the structure of the core version has a feature, and the chain has a structure that it gathers, the status is
// `SPVIF_STATUS_REQUEST`. Some features may then be set already.
//
// The result does not depend on the requirements of the modules, which may be freed.
SPVIF_API
spvif_status spvif_vulkan_requirements_union(const spvif_vulkan_requirements *const *all,
                                             size_t count,
                                             void *features,
                                             spvif_vulkan_requirements **requirements,
                                             spvif_error **error);

// Returns the required version of Vulkan, as in VkApplicationInfo. It is `api_version`, or a later version if the module needs
// one. `spvif_vulkan_requirements_missing` then lists the version.
SPVIF_API
uint32_t spvif_vulkan_requirements_version(const spvif_vulkan_requirements *requirements);

// Returns the names of the device extensions to enable, with those that they depend on, for ppEnabledExtensionNames of
// VkDeviceCreateInfo. `count` receives their number, and may be null. The names are valid as long as the requirements, as is all
// data that the following functions return.
SPVIF_API
const char *const *spvif_vulkan_requirements_extensions(const spvif_vulkan_requirements *requirements,
                                                        uint32_t *count);

// Returns the features to enable as a chain of structures, for pNext of VkDeviceCreateInfo, or null for null. The first
// structure is a VkPhysicalDeviceFeatures2, unless the requirements were joined with an application's chain.
SPVIF_API
const void *spvif_vulkan_requirements_chain(const spvif_vulkan_requirements *requirements);

// Returns feature `index` to enable, or null after the last. Its structure is the one that it has without an application's
// chain.
SPVIF_API
const spvif_vulkan_feature *spvif_vulkan_requirements_feature(const spvif_vulkan_requirements *requirements,
                                                              size_t index);

// Returns property `index` that the device must have, or null after the last.
SPVIF_API
const spvif_vulkan_property *spvif_vulkan_requirements_property(const spvif_vulkan_requirements *requirements,
                                                                size_t index);

// Returns limit `index` that the device must meet, or null after the last.
SPVIF_API
const spvif_vulkan_limit *spvif_vulkan_requirements_limit(const spvif_vulkan_requirements *requirements,
                                                          size_t index);

// Returns the name of missing requirement `index`, or null after the last. It is a feature or property with its alternatives, a
// version, or a limit that the device is known not to have. With any missing requirement, the device does not run the module.
SPVIF_API
const char *spvif_vulkan_requirements_missing(const spvif_vulkan_requirements *requirements,
                                              size_t index);

// Returns the name of unknown requirement `index`, or null after the last. It is a capability, extension or version that the
// library's tables do not have.
SPVIF_API
const char *spvif_vulkan_requirements_unknown(const spvif_vulkan_requirements *requirements,
                                              size_t index);

// Frees requirements, with all data that they returned. Does nothing for null.
SPVIF_API void spvif_vulkan_requirements_destroy(spvif_vulkan_requirements *requirements);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SPVIF_H */

#ifndef SPVIF_VALUES_H
#define SPVIF_VALUES_H
/* Values of specialization constants. */
static inline spvif_value spvif_bool(bool value) {
    spvif_value result;
    result.kind = SPVIF_VALUE_KIND_BOOL;
    result.data.integer = value;
    return result;
}
static inline spvif_value spvif_int(int64_t value) {
    spvif_value result;
    result.kind = SPVIF_VALUE_KIND_INT;
    result.data.integer = value;
    return result;
}
static inline spvif_value spvif_uint(uint64_t value) {
    spvif_value result;
    result.kind = SPVIF_VALUE_KIND_UINT;
    result.data.unsigned_integer = value;
    return result;
}
static inline spvif_value spvif_float(double value) {
    spvif_value result;
    result.kind = SPVIF_VALUE_KIND_FLOAT;
    result.data.number = value;
    return result;
}
#endif

/* A program that requires one version of the interface defines this macro before it includes the header. */
#if defined(SPVIF_REQUIRED_ABI_VERSION)
#if SPVIF_REQUIRED_ABI_VERSION != SPVIF_ABI_VERSION
#error "spvif.h has another version of the interface than this program is written for"
#endif
#endif

