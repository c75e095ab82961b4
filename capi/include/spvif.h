/* The C interface of spirv-if. docs/c.md is its manual.
 *
 * Rules for all functions:
 * - Objects are opaque. What a function puts at its `X **` parameter is the caller's, who frees it with spvif_X_destroy. Pointers that an
 *   object gives out are the object's, and live as long as it.
 * - A function that can fail returns a status. If it is not SPVIF_STATUS_OK, an object at `error` says why, unless `error` is null; the
 *   place of the result holds null then. On success the place of the error holds null.
 * - A function that changes settings, options or the parts of a device has no `error`. The object remembers the first such function that
 *   failed: every function that uses the object then fails with that status and that message, whatever else was changed before or after.
 * - Objects do not change once they are made, but for settings, options and the parts of a device, by functions with their names: several
 *   threads may use one object at once, as long as none of them changes or destroys it.
 * - Texts are UTF-8 and end in 0. Null is an error where a text or an object is needed, and nothing worse.
 * - Lists are read by index, from 0, until null comes. Structures may get more members: do not keep arrays of them.
 * - A library that is built without features lacks functions: a program that calls one of them does not link (docs/c.md, "Lean library").
 *
 * Written by cbindgen from capi/src: change that.
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


// The version of this interface. It changes when a program that was compiled with another version would not work.
#define SPVIF_ABI_VERSION 1

// The outcome of a call.
typedef enum {
    // Success.
    SPVIF_STATUS_OK = 0,
    // The bytes are not a SPIR-V module, or a damaged one.
    SPVIF_STATUS_LOAD = 1,
    // The device does not run the module: `spvif_error_missing` lists what is missing. With `spvif_settings_strict`, also a device that is not
    // known to run it: `spvif_error_unknown` lists the features that it may or may not have, and nothing is missing.
    SPVIF_STATUS_REFUSED = 2,
    // Something would stay conditional on the device, or without one: `spvif_error_undecided` lists the constants without a value.
    SPVIF_STATUS_UNDECIDED = 3,
    // The request makes no sense for this module: a name, a SpecId or a value that does not exist.
    SPVIF_STATUS_REQUEST = 4,
    // The module, or what lies beside it, breaks a rule that the call depends on.
    SPVIF_STATUS_MODULE = 5,
    // The library was built without this (drivers need the feature `probe`).
    SPVIF_STATUS_UNSUPPORTED = 6,
    // A driver did not answer.
    SPVIF_STATUS_DRIVER = 7,
    // An argument is null, a text is not UTF-8, or a number is not a version.
    SPVIF_STATUS_ARGUMENT = 8,
    // The buffer is too small for the result.
    SPVIF_STATUS_BUFFER = 9,
    // A defect of the library.
    SPVIF_STATUS_INTERNAL = 10,
    // The result uses what the version that was requested does not have: `spvif_error_missing` lists it.
    SPVIF_STATUS_TOO_NEW = 11,
} spvif_status;

// The verdict on a module and a device.
typedef enum {
    // Nothing says if the device has a required feature, so that it is not known whether the device runs the module.
    SPVIF_VERDICT_NOT_KNOWN = 0,
    // The device runs the module.
    SPVIF_VERDICT_RUNS = 1,
    // The device does not run the module: it does not have a required feature.
    SPVIF_VERDICT_DOES_NOT_RUN = 2,
} spvif_verdict;

// The kind of a missing feature.
typedef enum {
    // One that this version of the header does not know.
    SPVIF_MISSING_KIND_OTHER = 0,
    // A version of SPIR-V: `number` is 0x10500 for 1.5, as in the header of a module. `name` is the construct that requires it, where the status
    // is `SPVIF_STATUS_TOO_NEW`.
    SPVIF_MISSING_KIND_VERSION = 1,
    // A capability: `number` is its number in SPIR-V.
    SPVIF_MISSING_KIND_CAPABILITY = 2,
    // An extension: `name` is its name.
    SPVIF_MISSING_KIND_EXTENSION = 3,
    // A work-group size, in work-items: `number`.
    SPVIF_MISSING_KIND_WORK_GROUP_SIZE = 4,
    // An aspect of SYCL: `number` is its number.
    SPVIF_MISSING_KIND_ASPECT = 5,
    // A sub-group size, in work-items: `number`.
    SPVIF_MISSING_KIND_SUB_GROUP_SIZE = 6,
    // The device is none of those that the module is compiled for.
    SPVIF_MISSING_KIND_FIXED_TARGETS = 7,
    // A feature or property of Vulkan that no capability names: `name` is its name, or those of alternatives.
    SPVIF_MISSING_KIND_VULKAN_FEATURE = 8,
    // A limit of Vulkan: it must be at least `number`.
    SPVIF_MISSING_KIND_VULKAN_LIMIT = 9,
    // The condition of the whole module does not hold: none of its variants is for the device.
    SPVIF_MISSING_KIND_CONDITION = 10,
    // Nothing has decided conditional calls: `number` is their number. As the module is, all of them are made.
    SPVIF_MISSING_KIND_UNDECIDED_CALLS = 11,
    // The compiler of the device's driver is known to fail at the module.
    SPVIF_MISSING_KIND_DRIVER_DEFECT = 12,
} spvif_missing_kind;

// The kind of a requirement.
typedef enum {
    // A capability: `number` is its number in SPIR-V.
    SPVIF_REQUIREMENT_KIND_CAPABILITY = 1,
    // An extension, by `name`.
    SPVIF_REQUIREMENT_KIND_EXTENSION = 2,
    // An aspect of SYCL that the code uses: `number` is its number.
    SPVIF_REQUIREMENT_KIND_ASPECT = 3,
    // An aspect of SYCL that the code declares (`device_has`).
    SPVIF_REQUIREMENT_KIND_DECLARED_ASPECT = 4,
    // The work-group size, in work-items by dimension: `size`.
    SPVIF_REQUIREMENT_KIND_WORK_GROUP_SIZE = 5,
    // The sub-group size, in work-items: `number`.
    SPVIF_REQUIREMENT_KIND_SUB_GROUP_SIZE = 6,
} spvif_requirement_kind;

// A bundle of shaders, as `spirv-if bundle` makes it. It never changes, and may be used by several threads at once.
typedef struct spvif_bundle spvif_bundle;

// The shaders of a bundle that is built. A change that fails makes `spvif_bundle_builder_build` fail.
typedef struct spvif_bundle_builder spvif_bundle_builder;

// The bytes of a bundle that was built.
typedef struct spvif_bundle_bytes spvif_bundle_bytes;

// A verdict with the features that decide it. It never changes, and may be used by several threads at once.
typedef struct spvif_compatibility spvif_compatibility;

// A device: its features, as far as they are known. It never changes, and may be used by several threads at once.
typedef struct spvif_device spvif_device;

// An error.
typedef struct spvif_error spvif_error;

// Values of constants for a driver. They never change, and may be used by several threads at once.
typedef struct spvif_host_values spvif_host_values;

// The interface of a module: what hosts and other stages refer to. It never changes, and may be used by several threads at once.
typedef struct spvif_interface spvif_interface;

// Options of `spvif_link`.
typedef struct spvif_link_options spvif_link_options;

// A SPIR-V module, with its property sets and annotations. It never changes, and may be used by several threads at once.
typedef struct spvif_module spvif_module;

// A module that this library made, and the report on making it. It never changes, and may be used by several threads at once.
typedef struct spvif_result spvif_result;

// Options of `spvif_pack`.
typedef struct spvif_pack_options spvif_pack_options;

// The description of a device, part by part.
typedef struct spvif_parts spvif_parts;

// A module that is prepared for being specialized: what does not depend on the device is computed once. It never changes, and may be used
// by several threads at once.
typedef struct spvif_prepared spvif_prepared;

// The requirements of the entry points of a module. They never change, and may be used by several threads at once.
typedef struct spvif_requirements spvif_requirements;

// Settings of `spvif_specialize`. They are made once, and may be used by several threads at once as long as none changes them.
typedef struct spvif_settings spvif_settings;

// A variant of a shader that is added to a bundle.
typedef struct spvif_shader_variant spvif_shader_variant;

// The features, extensions and limits that a Vulkan device needs for a module. They never change, and may be used by several threads at once.
typedef struct spvif_vulkan_requirements spvif_vulkan_requirements;

// Any function.
typedef void (SPVIF_CALL *spvif_void_function)(void);

// The type of vkGetInstanceProcAddr (PFN_vkGetInstanceProcAddr), without Vulkan's header: cast it.
typedef spvif_void_function (SPVIF_CALL *spvif_vulkan_get_instance_proc_addr)(void *instance, const char *name);

// The type of clGetDeviceInfo and clGetPlatformInfo, without OpenCL's header: cast them.
typedef int32_t (SPVIF_CALL *spvif_opencl_get_info)(void *object,
                                                    uint32_t query,
                                                    size_t size,
                                                    void *value,
                                                    size_t *size_of_answer);

// A feature that a device is known not to have. It may have more members in later versions.
typedef struct {
    // The kind.
    spvif_missing_kind kind;
    // The number; by kind.
    uint64_t number;
    // The name: `Float64`, `aspect fp64`, `sub-group size 8`; of an extension, its own.
    const char *name;
    // The reason as a clause: "it requires the sub-group size 8, which the device does not support".
    const char *reason;
} spvif_missing;

// A specialization constant, and the condition that it stands for. It may have more members in later versions.
typedef struct {
    // The SpecId.
    uint32_t spec_id;
    // The condition, such as "fp16 && !fp64"; null if it is not known.
    const char *condition;
} spvif_constant;

// The place of the value of a constant, with the members of VkSpecializationMapEntry.
typedef struct {
    // The SpecId.
    uint32_t constant_id;
    // The offset of its value, in bytes.
    uint32_t offset;
    // The size of its value, in bytes.
    size_t size;
} spvif_map_entry;

// Constants with their values, with the members of VkSpecializationInfo, as which a pointer to it may be used. It never gets more.
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

// An entry point, or an exported function that nothing in its module calls. It may have more members in later versions.
typedef struct {
    // The name for the host; the linkage name of an exported function.
    const char *name;
    // The execution model, such as "GLCompute"; null for an exported function.
    const char *stage;
    // The condition under which it exists; null for always.
    const char *condition;
} spvif_entry_point;

// The binding of a descriptor. It may have more members in later versions.
typedef struct {
    // The number of its descriptor set.
    uint32_t set;
    // The number in the set.
    uint32_t binding;
    // The name of its variable; null if it has none.
    const char *name;
    // The type of its descriptors, a VkDescriptorType; `UINT32_MAX` for a variable that Vulkan has no descriptor for.
    uint32_t descriptor_type;
    // The name of that type, such as "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"; null if there is none.
    const char *type_name;
    // The number of its descriptors, by the defaults of specialization constants; 0 for an array without a length.
    uint32_t count;
    // The stages that use it, as VkShaderStageFlags.
    uint32_t stages;
} spvif_binding;

// The location of a variable. It may have more members in later versions.
typedef struct {
    // The storage class of the variable, such as "Input".
    const char *storage_class;
    // The number.
    uint32_t location;
    // The first component.
    uint32_t component;
    // The name of the variable; null if it has none.
    const char *name;
} spvif_location;

// A block of push constants. It may have more members in later versions.
typedef struct {
    // The number of its members.
    size_t members;
    // The name of its variable; null if it has none.
    const char *name;
    // The offset of its first byte, for VkPushConstantRange.
    uint32_t offset;
    // The number of bytes from there on, by the defaults of specialization constants, for VkPushConstantRange; 0 if its members have no offsets.
    uint32_t size;
    // The stages that use it, as VkShaderStageFlags.
    uint32_t stages;
} spvif_push_constants;

// A requirement of an entry point. It may have more members in later versions.
typedef struct {
    // The kind.
    spvif_requirement_kind kind;
    // The number; by kind.
    uint32_t number;
    // The name, such as "Float64"; of a size, "sub-group size 16".
    const char *name;
    // The condition under which it is required; null for always.
    const char *condition;
    // The dimensions of a work-group size.
    uint32_t size[3];
    // True if the host can set another size by a specialization constant.
    bool specializable;
} spvif_required;

// A specialization constant that hosts can set, and what it decides. It may have more members in later versions.
typedef struct {
    // The SpecId.
    uint32_t spec_id;
    // The result id.
    uint32_t id;
    // The name; null if it has none.
    const char *name;
    // The type, such as "bool" or "uint32".
    const char *type_name;
    // The default value, as `spvif_settings_set_text` reads it.
    const char *default_value;
    // The number of branches that it decides, alone or with others, by itself or by values that are computed from it.
    size_t branches;
    // The number of array types whose length depends on it.
    size_t array_sizes;
    // True if the size of work-groups depends on it.
    bool work_group_size;
    // True if values were not tried, since that takes too much work in this module.
    bool untried;
} spvif_spec_constant;

// The effect of a value of a constant. It may have more members in later versions.
typedef struct {
    // The value of a Boolean constant; false for a number, whose value is `text`.
    bool value;
    // The number of blocks that it removes.
    size_t blocks;
    // The number of capabilities that nothing requires then.
    size_t capability_count;
    // The numbers of these capabilities in SPIR-V.
    const uint32_t *capabilities;
    // The value, as `spvif_settings_set_text` reads it.
    const char *text;
} spvif_decided;

// An entry point that the device does not run. It may have more members in later versions.
typedef struct {
    // The name of the entry point.
    const char *entry_point;
    // The missing feature.
    const spvif_missing *missing;
} spvif_unsupported;

// A feature of Vulkan. It may have more members in later versions.
typedef struct {
    // The structure, such as "VkPhysicalDeviceVulkan12Features"; "VkPhysicalDeviceFeatures" for the members of
    // VkPhysicalDeviceFeatures2 itself.
    const char *structure;
    // The member, such as "shaderFloat16".
    const char *member;
} spvif_vulkan_feature;

// A property that a Vulkan device must have. It may have more members in later versions.
typedef struct {
    // The structure, such as "VkPhysicalDeviceVulkan11Properties".
    const char *structure;
    // The member.
    const char *member;
    // The value: "VK_TRUE", or a bit that must be set.
    const char *value;
} spvif_vulkan_property;

// A limit that a Vulkan device must have. It may have more members in later versions.
typedef struct {
    // The member of VkPhysicalDeviceLimits or VkPhysicalDeviceMeshShaderPropertiesEXT, with its index if it is an array:
    // "maxComputeWorkGroupSize[0]".
    const char *member;
    // The device's limit must be at least this number.
    uint64_t at_least;
} spvif_vulkan_limit;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface that the library in use has: equal to `SPVIF_ABI_VERSION`, or the program and the library do not fit.
SPVIF_API
uint32_t spvif_abi_version(void);

// The version of the library in use, such as "0.1.0". A text that is never freed.
SPVIF_API const char *spvif_version(void);

// The module with an annotations file applied, whose text `yaml` is (spec-extensions/annotations.md), as another module. `name` is the
// name of the file in messages. An entry that matches nothing is an error.
SPVIF_API
spvif_status spvif_module_annotate(const spvif_module *module,
                                   const char *name,
                                   const char *yaml,
                                   spvif_module **annotated,
                                   spvif_error **error);

// Opens a file with a bundle, and maps it into memory: it must not change while the bundle exists. Decompresses nothing.
SPVIF_API
spvif_status spvif_bundle_open(const char *path,
                               spvif_bundle **bundle,
                               spvif_error **error);

// Opens the bytes of a bundle, which are copied.
SPVIF_API
spvif_status spvif_bundle_create(const void *bytes,
                                 size_t size,
                                 spvif_bundle **bundle,
                                 spvif_error **error);

// The name of the shader at an index, from 0, sorted; null after the last.
SPVIF_API const char *spvif_bundle_name(const spvif_bundle *bundle, size_t index);

// The number of variants of a shader; 0 if there is no such shader.
SPVIF_API size_t spvif_bundle_variants(const spvif_bundle *bundle, const char *name);

// Loads a variant of a shader, from 0, as it was added. A device gets the first variant whose condition holds: see `spvif_bundle_specialize`.
SPVIF_API
spvif_status spvif_bundle_module(const spvif_bundle *bundle,
                                 const char *name,
                                 size_t variant,
                                 spvif_module **module,
                                 spvif_error **error);

// Makes a plain module of a shader for a device: the first variant whose condition holds, as `spvif_specialize` makes it, with the constants that
// the bundle fixes. `device` may be null, for one of which nothing is known, and `settings` too.
SPVIF_API
spvif_status spvif_bundle_specialize(const spvif_bundle *bundle,
                                     const char *name,
                                     const spvif_device *device,
                                     const spvif_settings *settings,
                                     spvif_result **result,
                                     spvif_error **error);

// Frees a bundle. Modules of it stay usable. Null is left alone.
SPVIF_API void spvif_bundle_destroy(spvif_bundle *bundle);

// Makes a variant for all remaining devices. The words of `module` are copied. Returns null for a null `module`.
SPVIF_API
spvif_shader_variant *spvif_shader_variant_create(const spvif_module *module);

// Sets the condition on devices, in the syntax of `spec-extensions/conditions.md`.
SPVIF_API
spvif_status spvif_shader_variant_set_condition(spvif_shader_variant *variant,
                                                const char *condition);

// Fixes a specialization constant, by its SpecId or its name, to a value as `spirv-if specialize --set` reads it.
SPVIF_API
spvif_status spvif_shader_variant_set_constant(spvif_shader_variant *variant,
                                               const char *constant,
                                               const char *value);

// Names the values that the host gives a specialization constant, `count` of them at `values`. In a ready shader, each of them is a question.
SPVIF_API
spvif_status spvif_shader_variant_set_constant_values(spvif_shader_variant *variant,
                                                      const char *constant,
                                                      const char *const *values,
                                                      size_t count);

// Frees a variant. Null is left alone.
SPVIF_API void spvif_shader_variant_destroy(spvif_shader_variant *variant);

// Starts an empty bundle.
SPVIF_API spvif_bundle_builder *spvif_bundle_builder_create(void);

// Adds a shader with `count` variants, which are copied. Each device gets the first one whose condition holds; only the last may be without one.
SPVIF_API
spvif_status spvif_bundle_builder_add(spvif_bundle_builder *builder,
                                      const char *name,
                                      const spvif_shader_variant *const *variants,
                                      size_t count);

// Like `spvif_bundle_builder_add`, with the module of the shader for every device: no device needs this library to load it. `settings` has the
// changes to these modules (`spvif_settings_trim`, `spvif_settings_strip`), and may be null. A shader that has more modules than `max_results`, or cannot be
// ready, is added with its conditions, and a note says why (`spvif_bundle_builder_note`).
SPVIF_API
spvif_status spvif_bundle_builder_add_ready(spvif_bundle_builder *builder,
                                            const char *name,
                                            const spvif_shader_variant *const *variants,
                                            size_t count,
                                            const spvif_settings *settings,
                                            size_t max_results);

// The note about a shader that is not ready, at an index from 0; null after the last.
SPVIF_API const char *spvif_bundle_builder_note(const spvif_bundle_builder *builder, size_t index);

// Makes the bytes of the bundle, which is not compressed: reading a module is a copy. Equal shaders give equal bytes.
SPVIF_API
spvif_status spvif_bundle_builder_build(const spvif_bundle_builder *builder,
                                        spvif_bundle_bytes **bytes,
                                        spvif_error **error);

// Frees a builder. Null is left alone.
SPVIF_API void spvif_bundle_builder_destroy(spvif_bundle_builder *builder);

// The first of the bytes, for a file `app.spvb`, `spvif_bundle_create` or `spvb_open`.
SPVIF_API const void *spvif_bundle_bytes_data(const spvif_bundle_bytes *bytes);

// The number of bytes.
SPVIF_API size_t spvif_bundle_bytes_size(const spvif_bundle_bytes *bytes);

// Frees the bytes. Null is left alone.
SPVIF_API void spvif_bundle_bytes_destroy(spvif_bundle_bytes *bytes);

// Finds the verdict on a device, without making a module. It is that of `spvif_specialize`, whose refusal is a result here. `device` and
// `settings` may be null, as there; nothing is known of a null device.
SPVIF_API
spvif_status spvif_compatibility_create(const spvif_prepared *prepared,
                                        const spvif_device *device,
                                        const spvif_settings *settings,
                                        spvif_compatibility **compatibility,
                                        spvif_error **error);

// The verdict; `SPVIF_VERDICT_NOT_KNOWN` of null.
SPVIF_API spvif_verdict spvif_compatibility_verdict(const spvif_compatibility *compatibility);

// The verdict in the words of the program: "runs", "does not run" or "not known". It lives as long as the object, as does all that the
// following functions give out; an empty text for null.
SPVIF_API
const char *spvif_compatibility_verdict_name(const spvif_compatibility *compatibility);

// The required feature at an index, from 0, that the device does not have, by name, such as "Float64" or "sub-group size 8"; null after
// the last.
SPVIF_API
const char *spvif_compatibility_missing(const spvif_compatibility *compatibility,
                                        size_t index);

// The feature at an index, from 0, that the device may or may not have, by name; null after the last.
SPVIF_API const char *spvif_compatibility_unknown(const spvif_compatibility *compatibility, size_t index);

// Frees a verdict, with all that it gave out. Null is left alone.
SPVIF_API void spvif_compatibility_destroy(spvif_compatibility *compatibility);

// An empty description.
SPVIF_API spvif_parts *spvif_parts_create(void);

// Sets a part of a description: a name, or several with commas between them. The parts are the options of the program `spirv-if`:
//
// - "device": a device of the table, to which the other parts add
// - "capabilities": all capabilities that it supports, such as "Shader,Float16"; those that these imply may be left out
// - "aspects": all aspects that it has, such as "gpu,fp16"
// - "extensions": SPIR-V extensions that it accepts besides those that it lists, names or globs
// - "provider-features": features of providers, such as "amdgpu:gfx12-insts"; after "!" those that it does not have, and "!amdgpu:*" for
//   all others of a provider
// - "limits": numbers, such as "subgroup_size=32,max_shared_memory=49152"
// - "driver": the driver for Vulkan, such as "qualcomm 512.744"
// - "architecture", such as "intel_gpu_pvc"
// - "category", "family", "target", "features": of the device registry
//
// Another part is an error (`SPVIF_STATUS_REQUEST`). What a part stands for is read by `spvif_device_from_parts`.
SPVIF_API
spvif_status spvif_parts_set(spvif_parts *parts,
                             const char *part,
                             const char *value);

// Frees a description. Null is left alone.
SPVIF_API void spvif_parts_destroy(spvif_parts *parts);

// The device that a description stands for. What it does not list is unknown.
SPVIF_API
spvif_status spvif_device_from_parts(const spvif_parts *parts,
                                     spvif_device **device,
                                     spvif_error **error);

// The name of a device: of its entry in a device configuration, or made of what its driver calls it; empty for one that was described.
// It lives as long as the device.
SPVIF_API
const char *spvif_device_name(const spvif_device *device);

// Evaluates a condition on a device, such as "fp16 && !arch(intel_gpu_pvc)" or "cap(Float16)". `holds` becomes 1 if it does, 0 if it
// does not, and -1 if too little is known of the device.
SPVIF_API
spvif_status spvif_device_holds(const spvif_device *device,
                                const char *condition,
                                int32_t *holds,
                                spvif_error **error);

// Frees a device. Null is left alone.
SPVIF_API void spvif_device_destroy(spvif_device *device);

// The device with this name of the table that the library has: `spirv-if devices` lists them. `arch:NAME` is any device of an
// architecture, and `gfx90a:xnack+:sramecc-` a processor of AMD in modes. Modes that are not named are unknown.
SPVIF_API
spvif_status spvif_device_by_name(const char *name,
                                  spvif_device **device,
                                  spvif_error **error);

// The device with this name of a device configuration, whose text `yaml` is (spec-extensions/devices.md). `source` is the name of the
// file in messages. Modes may follow the name, as in `spvif_device_by_name`.
SPVIF_API
spvif_status spvif_device_from_config(const char *source,
                                      const char *yaml,
                                      const char *name,
                                      spvif_device **device,
                                      spvif_error **error);

// A Vulkan device as the application creates it: of features and extensions only those that it enables count, whatever else the driver
// supports. `instance` is a VkInstance, `api_version` the version in the VkApplicationInfo with which it was created (0 means 1.0),
// `physical_device` a VkPhysicalDevice, and `create_info` the VkDeviceCreateInfo that the application gives, or gave, to
// vkCreateDevice. If `create_info` is null, all that the driver supports counts: for those who enable all of it, and for those who ask
// before they enable something.
//
// Nothing is kept. Without the feature `probe` the status is `SPVIF_STATUS_UNSUPPORTED`.
SPVIF_API
spvif_status spvif_device_from_vulkan(spvif_vulkan_get_instance_proc_addr get_instance_proc_addr,
                                      void *instance,
                                      uint32_t api_version,
                                      void *physical_device,
                                      const void *create_info,
                                      spvif_device **device,
                                      spvif_error **error);

// An OpenCL device: a cl_device_id, with the clGetDeviceInfo and the clGetPlatformInfo that the application has. The latter may be null; then the
// driver stays unknown.
//
// Nothing is kept. Without the feature `probe` the status is `SPVIF_STATUS_UNSUPPORTED`.
SPVIF_API
spvif_status spvif_device_from_opencl(spvif_opencl_get_info get_device_info,
                                      spvif_opencl_get_info get_platform_info,
                                      void *device_id,
                                      spvif_device **device,
                                      spvif_error **error);

// The status of an error; `SPVIF_STATUS_OK` of null.
SPVIF_API spvif_status spvif_error_status(const spvif_error *error);

// The message of an error, in words that the program `spirv-if` uses too. It lives as long as the error; an empty text for null.
SPVIF_API
const char *spvif_error_message(const spvif_error *error);

// The missing feature at an index, from 0, of an error with `SPVIF_STATUS_REFUSED` or `SPVIF_STATUS_TOO_NEW`; null after the last. It lives as long as the error.
SPVIF_API
const spvif_missing *spvif_error_missing(const spvif_error *error,
                                         size_t index);

// The feature at an index, from 0, that the device may or may not have, by name, of an error with `SPVIF_STATUS_REFUSED`; null
// after the last. It lives as long as the error.
SPVIF_API
const char *spvif_error_unknown(const spvif_error *error,
                                size_t index);

// The constant without a value at an index, from 0, of an error with `SPVIF_STATUS_UNDECIDED`; null after the last. It lives as long as
// the error.
SPVIF_API
const spvif_constant *spvif_error_undecided(const spvif_error *error,
                                            size_t index);

// Frees an error, with all that it gave out. Null is left alone.
SPVIF_API void spvif_error_destroy(spvif_error *error);

// The values that settings set of the constants that a result of `spvif_specialize` still has: what to give a driver beside it. Constants that
// are ordinary ones in the result are left out. A SpecId that the module does not have is an error, unless the settings ignore it
// (`spvif_settings_ignore_unknown`).
SPVIF_API
spvif_status spvif_host_values_create(const spvif_prepared *prepared,
                                      const spvif_result *result,
                                      const spvif_settings *settings,
                                      spvif_host_values **values,
                                      spvif_error **error);

// Like `spvif_host_values_create` for the result of `spvif_specialize` for a device and settings, for a program that found that result in a cache:
// no module is written. `values` are those for the driver; null for those of the settings. `device` and `settings` may be null, as there.
SPVIF_API
spvif_status spvif_host_values_for(const spvif_prepared *prepared,
                                   const spvif_device *device,
                                   const spvif_settings *settings,
                                   const spvif_settings *values,
                                   spvif_host_values **object,
                                   spvif_error **error);

// The values as Vulkan takes them; null for null. It lives as long as they do.
SPVIF_API const spvif_specialization_info *spvif_host_values_info(const spvif_host_values *values);

// Frees values, with all that they gave out. Null is left alone.
SPVIF_API void spvif_host_values_destroy(spvif_host_values *values);

// The interface of a module.
SPVIF_API
spvif_status spvif_interface_create(const spvif_module *module,
                                    spvif_interface **object,
                                    spvif_error **error);

// The part of the module's interface that a result of `spvif_specialize` does not have: a pipeline layout that was made for the module may
// refer to it.
SPVIF_API
spvif_status spvif_removed_interface(const spvif_prepared *prepared,
                                     const spvif_result *result,
                                     spvif_interface **object,
                                     spvif_error **error);

// The part of the module's interface that the result of `spvif_specialize` for a device and settings does not have, for a program that found that
// result in a cache: no module is written. `device` and `settings` may be null, as there.
SPVIF_API
spvif_status spvif_removed_interface_for(const spvif_prepared *prepared,
                                         const spvif_device *device,
                                         const spvif_settings *settings,
                                         spvif_interface **object,
                                         spvif_error **error);

// The entry point at an index, from 0, with its execution model; null after the last. It lives as long as the interface, as does all that
// this gives out.
SPVIF_API
const spvif_entry_point *spvif_interface_entry_point(const spvif_interface *object,
                                                     size_t index);

// The binding at an index, from 0; null after the last.
SPVIF_API const spvif_binding *spvif_interface_binding(const spvif_interface *object, size_t index);

// The location at an index, from 0; null after the last.
SPVIF_API const spvif_location *spvif_interface_location(const spvif_interface *object, size_t index);

// The block of push constants at an index, from 0; null after the last.
SPVIF_API
const spvif_push_constants *spvif_interface_push_constants(const spvif_interface *object,
                                                           size_t index);

// The SpecId at an index, from 0; null after the last.
SPVIF_API const uint32_t *spvif_interface_spec_id(const spvif_interface *object, size_t index);

// Frees an interface, with all that it gave out. Null is left alone.
SPVIF_API void spvif_interface_destroy(spvif_interface *object);

// New options, as they are by default.
SPVIF_API spvif_link_options *spvif_link_options_create(void);

// Keeps the exports of shaders, for a library that is linked again. By default shaders with entry points that import nothing lose their exports
// and the capability Linkage, which Vulkan does not accept. Modules of kernels always keep theirs.
SPVIF_API
spvif_status spvif_link_options_create_library(spvif_link_options *options);

// Frees options. Null is left alone.
SPVIF_API void spvif_link_options_destroy(spvif_link_options *options);

// Links modules, `count` of them at `modules`: joins imports with exports, and equal types and constants (spec-extensions/linking.md). `options`
// may be null.
SPVIF_API
spvif_status spvif_link(const spvif_module *const *modules,
                        size_t count,
                        const spvif_link_options *options,
                        spvif_result **result,
                        spvif_error **error);

// Loads a module from its bytes, which are copied: any alignment, either byte order. A packed module carries its property sets.
SPVIF_API
spvif_status spvif_module_create(const void *bytes,
                                 size_t size,
                                 spvif_module **module,
                                 spvif_error **error);

// The module with a name, such as that of a shader or a file, as another module. Messages of errors about it, and about what is prepared from it, begin with the name and
// a colon.
SPVIF_API
spvif_status spvif_module_name(const spvif_module *module,
                               const char *name,
                               spvif_module **named,
                               spvif_error **error);

// The warning at an index, from 0, of what becomes of the module's compile-time properties; null after the last.
SPVIF_API
const char *spvif_module_warning(const spvif_module *module,
                                 size_t index);

// Frees a module. Prepared modules of it stay usable. Null is left alone.
SPVIF_API void spvif_module_destroy(spvif_module *module);

// New options, as they are by default.
SPVIF_API spvif_pack_options *spvif_pack_options_create(void);

// Writes conditions as the device constants of SPV_INTEL_function_variants, for a consumer that knows the extension, in place of
// specialization constants that `spvif_specialize` sets.
SPVIF_API
spvif_status spvif_pack_options_use_function_variants(spvif_pack_options *options);

// Writes the properties with the names that DPC++ reads today, in place of those of the SYCL design documents.
SPVIF_API
spvif_status spvif_pack_options_use_dpcpp_names(spvif_pack_options *options);

// Keeps this function on every device, beside the entry points: its linkage name or OpName. May be called several times.
SPVIF_API
spvif_status spvif_pack_options_add_export(spvif_pack_options *options,
                                           const char *name);

// Keeps all exported functions and variables on every device.
SPVIF_API spvif_status spvif_pack_options_keep_exports(spvif_pack_options *options);

// Sets the most clones of one function: one for each combination of values of the constants that guard its blocks. It is 8 by default.
SPVIF_API
spvif_status spvif_pack_options_set_max_clones(spvif_pack_options *options,
                                               size_t count);

// Removes names, debug information and reflection from the result, but nothing that says what is conditional.
SPVIF_API spvif_status spvif_pack_options_strip(spvif_pack_options *options);

// Frees options. Null is left alone.
SPVIF_API void spvif_pack_options_destroy(spvif_pack_options *options);

// Makes one module for every device of a compiler's module: everything that only conditional code requires becomes conditional. `options`
// may be null.
SPVIF_API
spvif_status spvif_pack(const spvif_module *module,
                        const spvif_pack_options *options,
                        spvif_result **result,
                        spvif_error **error);

// Prepares a module for being specialized any number of times.
SPVIF_API
spvif_status spvif_prepare(const spvif_module *module,
                           spvif_prepared **prepared,
                           spvif_error **error);

// Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold. A device that
// does not run the result is refused; one that is not known to run it is not (`spvif_result_not_known`), unless the settings are strict.
// `device` may be null, for one of which nothing is known, and `settings` too. What nothing decides is an error unless the settings say otherwise
// (`spvif_settings_keep_undecided`).
SPVIF_API
spvif_status spvif_specialize(const spvif_prepared *prepared,
                              const spvif_device *device,
                              const spvif_settings *settings,
                              spvif_result **result,
                              spvif_error **error);

// Like `spvif_specialize`, into the memory of the caller: `capacity` words at `words`, which may hold anything before. `count` becomes the number of words of the
// result, whether they fit or not; if they do not, the status is `SPVIF_STATUS_BUFFER`. `words` may be null if `capacity` is 0: such a call asks
// for the number alone. Where there is an error, the memory
// holds no module; beyond the result and the size of the module it stays as it was.
SPVIF_API
spvif_status spvif_specialize_into(const spvif_prepared *prepared,
                                   const spvif_device *device,
                                   const spvif_settings *settings,
                                   uint32_t *words,
                                   size_t capacity,
                                   size_t *count,
                                   spvif_error **error);

// A key of what `spvif_specialize` gives, of 16 bytes at `key`: module, device and settings with equal keys give equal words, or the same
// refusal. Nothing is specialized for it. The same settings in another order have another key. It is the same in every process, and another one in every version of the library.
SPVIF_API
spvif_status spvif_prepared_key(const spvif_prepared *prepared,
                                const spvif_device *device,
                                const spvif_settings *settings,
                                uint8_t *key,
                                spvif_error **error);

// Frees a prepared module. Null is left alone.
SPVIF_API void spvif_prepared_destroy(spvif_prepared *prepared);

// The module with the property sets beside it added, whose text `properties` is (spec-extensions/property-sets.md), as another module. A
// packed module carries its own, and needs none.
SPVIF_API
spvif_status spvif_module_add_properties(const spvif_module *module,
                                         const char *name,
                                         const char *properties,
                                         spvif_module **with_properties,
                                         spvif_error **error);

// The module with another treatment of its compile-time properties (spec-extensions/sycl-properties.md), as another module. What is made of a module
// has them as execution modes and decorations; with `keep` they stay as they are. `max_version` is the latest version of SPIR-V to which they
// may raise it, as the header of a module has it: 0x10300 for 1.3; with 0, any.
SPVIF_API
spvif_status spvif_module_lower_properties(const spvif_module *module,
                                           bool keep,
                                           uint32_t max_version,
                                           spvif_module **lowered,
                                           spvif_error **error);

// Finds what each entry point of a module requires of a device, under which condition.
SPVIF_API
spvif_status spvif_requirements_create(const spvif_module *module,
                                       spvif_requirements **requirements,
                                       spvif_error **error);

// The entry point at an index, from 0; null after the last. It lives as long as the requirements, as does all that they give out.
SPVIF_API
const spvif_entry_point *spvif_requirements_entry_point(const spvif_requirements *requirements,
                                                        size_t index);

// The requirement at an index, from 0, of the entry point at another; null after the last.
SPVIF_API
const spvif_required *spvif_requirements_required(const spvif_requirements *requirements,
                                                  size_t entry_point,
                                                  size_t index);

// The capability or extension at an index, from 0, that the module declares and nothing in it requires, by name; null after the last.
SPVIF_API
const char *spvif_requirements_superfluous(const spvif_requirements *requirements,
                                           size_t index);

// The specialization constant at an index, from 0, by SpecId; null after the last.
SPVIF_API
const spvif_spec_constant *spvif_requirements_spec_constant(const spvif_requirements *requirements,
                                                            size_t index);

// The effect of each value of the specialization constant at an index, from 0; null after the last. Of a Boolean there are both values, and of a
// number, if any value removes something, the default, and those of the values that the module compares it with which decide other branches.
SPVIF_API
const spvif_decided *spvif_requirements_decided(const spvif_requirements *requirements,
                                                size_t spec_constant,
                                                size_t index);

// All findings on the module as JSON (spec-extensions/inspect.md, "Module").
SPVIF_API const char *spvif_requirements_json(const spvif_requirements *requirements);

// Frees requirements, with all that they gave out. Null is left alone.
SPVIF_API void spvif_requirements_destroy(spvif_requirements *requirements);

// The words of the module, in the host's byte order, and their number. They live as long as the result. `count` may be null.
SPVIF_API
const uint32_t *spvif_result_words(const spvif_result *result,
                                   size_t *count);

// The property sets of the module, as the text of a file (spec-extensions/property-sets.md); empty if there are none. It lives as long as
// the result. A packed module carries them itself: nothing of this library needs the file.
SPVIF_API
const char *spvif_result_properties(const spvif_result *result);

// The module of a result for other calls: its words with its property sets, and with the translation units of what was linked.
SPVIF_API
spvif_status spvif_result_module(const spvif_result *result,
                                 spvif_module **module,
                                 spvif_error **error);

// The capability, extension or function at an index, from 0, that nothing required and that was removed, by name; null after the last.
// It lives as long as the result, as does all that the following functions give out.
SPVIF_API
const char *spvif_result_removed(const spvif_result *result,
                                 size_t index);

// The warning at an index, from 0; null after the last.
SPVIF_API const char *spvif_result_warning(const spvif_result *result, size_t index);

// The part at an index, from 0, that stays conditional, described with the constants that it depends on; null after the last.
SPVIF_API
const char *spvif_result_undecided(const spvif_result *result,
                                   size_t index);

// The constant at an index, from 0, for a condition that the device leaves open, where the module was not packed: the result has it,
// and the host sets it; null after the last.
SPVIF_API
const spvif_constant *spvif_result_open(const spvif_result *result,
                                        size_t index);

// The constant at an index, from 0, that annotations bind to a condition of which it is not known if the device fulfils it, and that
// therefore has no value; null after the last.
SPVIF_API
const spvif_constant *spvif_result_unknown(const spvif_result *result,
                                           size_t index);

// The constant of a packed module at an index, from 0, that is to be true where its condition holds; null after the last.
// `spvif_specialize` sets it.
SPVIF_API
const spvif_constant *spvif_result_set_by_host(const spvif_result *result,
                                               size_t index);

// The constant at an index, from 0, that took its default value (`spvif_settings_default_undecided`); null after the last.
SPVIF_API
const spvif_constant *spvif_result_defaulted(const spvif_result *result,
                                             size_t index);

// The constant at an index, from 0, that was to be set and that the module does not have (`spvif_settings_ignore_unknown`); null after
// the last.
SPVIF_API
const spvif_constant *spvif_result_ignored(const spvif_result *result,
                                           size_t index);

// The block at an index, from 0, that became a trap, with the function, what it requires and the trap, as text; null after the last.
SPVIF_API
const char *spvif_result_trapped(const spvif_result *result,
                                 size_t index);

// The entry point at an index, from 0, that the device does not run, with the missing feature; null after the last.
SPVIF_API
const spvif_unsupported *spvif_result_unsupported(const spvif_result *result,
                                                  size_t index);

// The feature at an index, from 0, that the device may or may not have, by name; null after the last. Where there is one, the
// device is not known to run the module.
SPVIF_API
const char *spvif_result_not_known(const spvif_result *result,
                                   size_t index);

// The change at an index, from 0, that adapts the module to the device (`spvif_settings_adapt`) or to an older version of SPIR-V, in words;
// null after the last.
SPVIF_API
const char *spvif_result_adapted(const spvif_result *result,
                                 size_t index);

// The feature at an index, from 0, that was lowered (`spvif_settings_lower`), with what that costs, in words; null after the last.
SPVIF_API
const char *spvif_result_lowered(const spvif_result *result,
                                 size_t index);

// The changes that work around the defects of a driver, in words; null if they were not asked for.
SPVIF_API const char *spvif_result_work_around(const spvif_result *result);

// Frees a result, with all that it gave out. Null is left alone.
SPVIF_API void spvif_result_destroy(spvif_result *result);

// New settings, as they are by default: everything is decided by the device, and an error if it cannot be.
SPVIF_API spvif_settings *spvif_settings_create(void);

// Sets the Boolean constants with a SpecId. Those of the other functions are for constants of other types; each is read by the type of
// the constant, and one that does not fit is an error of `spvif_specialize`.
SPVIF_API
spvif_status spvif_settings_set_bool(spvif_settings *settings,
                                     uint32_t spec_id,
                                     bool value);

// Sets the constants with a SpecId to a signed integer.
SPVIF_API spvif_status spvif_settings_set_int(spvif_settings *settings, uint32_t spec_id, int64_t value);

// Sets the constants with a SpecId to an unsigned integer.
SPVIF_API spvif_status spvif_settings_set_uint(spvif_settings *settings, uint32_t spec_id, uint64_t value);

// Sets the constants with a SpecId to a floating-point number.
SPVIF_API spvif_status spvif_settings_set_float(spvif_settings *settings, uint32_t spec_id, double value);

// Sets the constants with a SpecId to the value that a text stands for: "true", "-3", "1.5", or bits such as "0x3f800000".
SPVIF_API
spvif_status spvif_settings_set_text(spvif_settings *settings,
                                     uint32_t spec_id,
                                     const char *value);

// Gives the Boolean constants with a SpecId a new default, and keeps them specialization constants, which a driver can still set, as by
// VkSpecializationInfo: nothing that depends on them is decided. The following functions are for constants of other types.
SPVIF_API
spvif_status spvif_settings_set_default_bool(spvif_settings *settings,
                                             uint32_t spec_id,
                                             bool value);

// Gives the constants with a SpecId a signed integer as a new default.
SPVIF_API
spvif_status spvif_settings_set_default_int(spvif_settings *settings,
                                            uint32_t spec_id,
                                            int64_t value);

// Gives the constants with a SpecId an unsigned integer as a new default.
SPVIF_API
spvif_status spvif_settings_set_default_uint(spvif_settings *settings,
                                             uint32_t spec_id,
                                             uint64_t value);

// Gives the constants with a SpecId a floating-point number as a new default.
SPVIF_API
spvif_status spvif_settings_set_default_float(spvif_settings *settings,
                                              uint32_t spec_id,
                                              double value);

// Gives the constants with a SpecId a new default, as a text (`spvif_settings_set_text`).
SPVIF_API
spvif_status spvif_settings_set_default_text(spvif_settings *settings,
                                             uint32_t spec_id,
                                             const char *value);

// Leaves the constants with a SpecId as they are, even where their value is known on the device.
SPVIF_API spvif_status spvif_settings_leave(spvif_settings *settings, uint32_t spec_id);

// Sets the constants with an OpName to the value that a text stands for (`spvif_settings_set_text`). Where conditions depend on a decision of
// the host with this name, as `fast` in host(fast), that is decided by "true" or "false".
SPVIF_API
spvif_status spvif_settings_set_named(spvif_settings *settings,
                                      const char *name,
                                      const char *value);

// Gives the constants with an OpName a new default, as a text.
SPVIF_API
spvif_status spvif_settings_set_default_named(spvif_settings *settings,
                                              const char *name,
                                              const char *value);

// Leaves the constants with an OpName as they are.
SPVIF_API spvif_status spvif_settings_leave_named(spvif_settings *settings, const char *name);

// Leaves out values for SpecIds that the module does not have, as Vulkan does, and lists them (`spvif_result_ignored`). By default they
// are an error.
SPVIF_API
spvif_status spvif_settings_ignore_unknown(spvif_settings *settings);

// Keeps what nothing decides conditional. By default it is an error (`SPVIF_STATUS_UNDECIDED`), also without a device. A driver must not get such
// a result.
SPVIF_API
spvif_status spvif_settings_keep_undecided(spvif_settings *settings);

// Decides what nothing else decides by the default values of the constants that it depends on.
SPVIF_API spvif_status spvif_settings_default_undecided(spvif_settings *settings);

// Makes what nothing decides an error, as it is by default.
SPVIF_API spvif_status spvif_settings_refuse_undecided(spvif_settings *settings);

// Keeps only the entry points with this name, and with the names of other calls. By default all are kept; those that the device does not
// run are listed (`spvif_result_unsupported`).
SPVIF_API
spvif_status spvif_settings_add_entry_point(spvif_settings *settings,
                                            const char *name);

// Sets the most clones of one function, as `spvif_pack_options_set_max_clones`, where calls stay conditional in a module that was not packed. It
// is 8 by default.
SPVIF_API
spvif_status spvif_settings_max_clones(spvif_settings *settings,
                                       size_t count);

// Removes capabilities and extensions that nothing in the result requires, as `spvif_trim` does.
SPVIF_API spvif_status spvif_settings_trim(spvif_settings *settings);

// Refuses a device that is not known to run the result. By default it is accepted, and `spvif_result_not_known` lists the features of which
// that is not known.
SPVIF_API
spvif_status spvif_settings_strict(spvif_settings *settings);

// Keeps the interface as it was: variables with a binding or a location and push constants stay, even if nothing in the result uses them. By
// default `spvif_removed_interface` lists those that are removed.
SPVIF_API
spvif_status spvif_settings_keep_interface(spvif_settings *settings);

// Removes names, debug information and reflection from results, but nothing that says what is conditional.
SPVIF_API spvif_status spvif_settings_strip(spvif_settings *settings);

// Works around the known defects of NVIDIA's Vulkan driver.
SPVIF_API spvif_status spvif_settings_work_around_nvidia(spvif_settings *settings);

// Works around the known defects of rusticl, Mesa's OpenCL driver.
SPVIF_API spvif_status spvif_settings_work_around_rusticl(spvif_settings *settings);

// Frees settings. Null is left alone.
SPVIF_API void spvif_settings_destroy(spvif_settings *settings);

// Changes constructs that the device is known to reject, where the result computes the same or what the module permitted.
// `spvif_result_adapted` lists the changes.
SPVIF_API
spvif_status spvif_settings_adapt(spvif_settings *settings);

// Rewrites code that requires features which the device is known to lack to code that computes the same without them: 64-bit integers
// become two words of 32 bits, doubles as well, or 64-bit integers that stay, and integers of 8 and 16 bits one word. Code that cannot be
// lowered is an error.
// `spvif_result_lowered` lists the features.
SPVIF_API
spvif_status spvif_settings_lower(spvif_settings *settings);

// Leaves out the rounding of halves that `spvif_settings_lower` makes floats, so that results are not those of the module.
SPVIF_API
spvif_status spvif_settings_wider_halves(spvif_settings *settings);

// Makes results of this version of SPIR-V at most, as the header of a module has it: 0x10300 for 1.3. A newer one is changed where it uses nothing
// newer; else the status is `SPVIF_STATUS_TOO_NEW`.
SPVIF_API
spvif_status spvif_settings_max_version(spvif_settings *settings,
                                        uint32_t version);

// Replaces blocks behind run-time branches that require what the device is known not to have by a trap: `abort`, `silent` or
// `store:BUFFER:OFFSET` (spec-extensions/specializing.md, "Traps"). `spvif_result_trapped` lists the blocks.
SPVIF_API
spvif_status spvif_settings_trap(spvif_settings *settings,
                                 const char *trap);

// Removes the capabilities and extensions that nothing in a module requires, and lists them (`spvif_result_removed`).
SPVIF_API
spvif_status spvif_trim(const spvif_module *module,
                        spvif_result **result,
                        spvif_error **error);

// Finds what Vulkan must enable for a module as it is: with what SPIR-V has no capability for.
//
// `api_version` is the version for which the application creates its instance and device, as in VkApplicationInfo; 0 means 1.0. Of
// alternatives, one is chosen that `device` supports: the device as its driver describes it (`spvif_device_from_vulkan` without a
// `create_info`), or another. Without a device it is the first.
SPVIF_API
spvif_status spvif_requirements_vulkan(const spvif_module *module,
                                       uint32_t api_version,
                                       const spvif_device *device,
                                       spvif_vulkan_requirements **requirements,
                                       spvif_error **error);

// Joins the requirements of `count` modules, with the features that the application enables itself.
//
// `features` is the chain that it has for pNext of VkDeviceCreateInfo; it may be null. All features of the modules are set in its structures, and
// `spvif_vulkan_requirements_chain` begins with structures for those of which it has none. It must live as long as the result is used. A feature of
// which a core version gathered the structure is set in the one that the chain has, and none is added beside one that gathers it. pEnabledFeatures
// must be null: VkPhysicalDeviceFeatures2 has these features.
//
// The result needs none of the others. If the chain has structures that VkPhysicalDeviceVulkan12Features gathers, and a module requires a feature that
// only that has, the status is `SPVIF_STATUS_REQUEST`, and some features may be set.
SPVIF_API
spvif_status spvif_vulkan_requirements_union(const spvif_vulkan_requirements *const *all,
                                             size_t count,
                                             void *features,
                                             spvif_vulkan_requirements **requirements,
                                             spvif_error **error);

// The version of Vulkan that is required, as in VkApplicationInfo: the given one, or a later one that the module needs, which is then also
// missing.
SPVIF_API
uint32_t spvif_vulkan_requirements_version(const spvif_vulkan_requirements *requirements);

// The device extensions to enable, with those that they depend on: for ppEnabledExtensionNames of VkDeviceCreateInfo. Their number is in
// `count`, which may be null. They live as long as the requirements, as does all that these give out.
SPVIF_API
const char *const *spvif_vulkan_requirements_extensions(const spvif_vulkan_requirements *requirements,
                                                        uint32_t *count);

// The features to enable, as a chain of structures: for pNext of VkDeviceCreateInfo. The first is a VkPhysicalDeviceFeatures2, unless the
// requirements are joined with an application's chain. Null if the requirements are.
SPVIF_API
const void *spvif_vulkan_requirements_chain(const spvif_vulkan_requirements *requirements);

// The feature to enable at an index, from 0, in the structure that it has without an application's chain; null after the last.
SPVIF_API
const spvif_vulkan_feature *spvif_vulkan_requirements_feature(const spvif_vulkan_requirements *requirements,
                                                              size_t index);

// The property that the device must have at an index, from 0; null after the last.
SPVIF_API
const spvif_vulkan_property *spvif_vulkan_requirements_property(const spvif_vulkan_requirements *requirements,
                                                                size_t index);

// The limit that the device must have at an index, from 0; null after the last.
SPVIF_API
const spvif_vulkan_limit *spvif_vulkan_requirements_limit(const spvif_vulkan_requirements *requirements,
                                                          size_t index);

// The name of a feature or property that the device is known not to have, with its alternatives, a version or a limit, at an index, from
// 0; null after the last. If there is any, the device does not run the module.
SPVIF_API
const char *spvif_vulkan_requirements_missing(const spvif_vulkan_requirements *requirements,
                                              size_t index);

// A capability, extension or version of the module that the tables do not have, at an index, from 0; null after the last.
SPVIF_API
const char *spvif_vulkan_requirements_unknown(const spvif_vulkan_requirements *requirements,
                                              size_t index);

// Frees requirements, with all that they gave out. Null is left alone.
SPVIF_API void spvif_vulkan_requirements_destroy(spvif_vulkan_requirements *requirements);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SPVIF_H */

/* A program that is written for one version of the interface says so, with this macro, before it includes the header. */
#if defined(SPVIF_REQUIRED_ABI_VERSION)
#if SPVIF_REQUIRED_ABI_VERSION != SPVIF_ABI_VERSION
#error "spvif.h has another version of the interface than this program is written for"
#endif
#endif

