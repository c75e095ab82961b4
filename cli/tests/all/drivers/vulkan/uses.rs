//! Features of Vulkan that no capability names: Khronos' layer complains about a module on a device without one exactly where the library
//! says that the device is missing something.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};

use ash::vk;
use spirv_if::inspect::{VulkanFeature, VulkanRequirements};
use spirv_if::module::Version;
use spirv_if::{Device, Module};

use super::VulkanResult;
use crate::common::{assemble_named, root, validate};

/// The requested version of Vulkan.
const API: u32 = vk::API_VERSION_1_3;
const VERSION: Version = Version::new(1, 3);

thread_local! {
    /// The errors that the layer reported.
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A module that uses a feature or a property, or nothing.
#[derive(Clone)]
pub struct UseCase {
    /// Name of the case: the feature to leave out, and more after a colon.
    pub name: String,
    /// True if the driver does not have the property.
    is_absent: bool,
    /// The version of SPIR-V for the assembler.
    pub(super) spirv: &'static str,
    /// The rules by which the module is valid.
    rules: &'static str,
    pub(super) stage: &'static str,
    capabilities: String,
    pub(super) interface: &'static str,
    pub(super) modes: String,
    globals: String,
    code: String,
}

const FRAME: &str = "OpCapability Shader
CAPABILITIES
OpMemoryModel Logical GLSL450
OpEntryPoint STAGE %main \"main\" INTERFACE
MODES
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
GLOBALS
%main = OpFunction %void None %fn
%in = OpLabel
CODE
OpReturn
OpFunctionEnd
";

const COMPUTE: &str = "OpExecutionMode %main LocalSize 1 1 1\n";
const FRAGMENT: &str = "OpExecutionMode %main OriginUpperLeft\n";
const MESH: &str = "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n\
                    OpExecutionMode %main OutputPrimitivesEXT 1\nOpExecutionMode %main OutputTrianglesEXT\n";
pub(super) const SUBGROUPS: &str = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n\
                         OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformQuad\n";
const INT8: (&str, &str) = ("OpCapability Int8\n", "OpTypeInt 8 0");
pub(super) const INT16: (&str, &str) = ("OpCapability Int16\n", "OpTypeInt 16 0");
const FLOAT16: (&str, &str) = ("OpCapability Float16\n", "OpTypeFloat 16");
const INT64: (&str, &str) = ("OpCapability Int64\nOpCapability Int64Atomics\n", "OpTypeInt 64 0");
const UNTYPED: &str = "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n";
const EXPLICIT_WORKGROUP: &str = "OpCapability WorkgroupMemoryExplicitLayoutKHR\n\
                                  OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n";

impl UseCase {
    pub(super) fn new(name: &str, stage: &'static str, modes: &str) -> UseCase {
        UseCase {
            name: name.to_owned(),
            is_absent: false,
            spirv: "spv1.3",
            rules: "vulkan1.3",
            stage,
            capabilities: String::new(),
            interface: "",
            modes: modes.to_owned(),
            globals: String::new(),
            code: String::new(),
        }
    }

    pub(super) fn compute(name: &str) -> UseCase {
        UseCase::new(name, "GLCompute", COMPUTE)
    }

    pub(super) fn capable(mut self, capabilities: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self
    }

    pub(super) fn code(mut self, code: &str) -> UseCase {
        self.code.push_str(code);
        self
    }

    pub(super) fn globals(mut self, globals: &str) -> UseCase {
        self.globals.push_str(globals);
        self
    }

    fn absent(self) -> UseCase {
        UseCase { is_absent: true, ..self }
    }

    /// Adds a variable `x` with a block of one member, and loads that.
    pub(super) fn block(mut self, class: &str, (capabilities, type_): (&str, &str)) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.modes.push_str("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n");
        self.globals.push_str(&format!("%t = {type_}\n"));
        self.code.push_str("%a = OpAccessChain %q %x %u0\n%l = OpLoad %t %a\n");
        self.variable(class)
    }

    fn variable(mut self, class: &str) -> UseCase {
        let binding = match class {
            "StorageBuffer" => Some(0),
            "Uniform" => Some(1),
            _ => None,
        };
        if let Some(binding) = binding {
            self.modes.push_str(&format!("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding {binding}\n"));
        }
        self.globals.push_str(&format!(
            "%block = OpTypeStruct %t\n%p = OpTypePointer {class} %block\n%x = OpVariable %p {class}\n\
             %q = OpTypePointer {class} %t\n"
        ));
        self
    }

    /// Adds an untyped variable with a block of bytes, and loads a type from it.
    fn untyped(mut self, loaded: &str) -> UseCase {
        self.modes.push_str(
            "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %bytes ArrayStride 1\n\
             OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0\n",
        );
        self.globals.push_str(
            "%byte = OpTypeInt 8 0\n%bytes = OpTypeRuntimeArray %byte\n%block = OpTypeStruct %bytes\n\
             %p = OpTypeUntypedPointerKHR StorageBuffer\n%x = OpUntypedVariableKHR %p StorageBuffer %block\n",
        );
        let type_ = if loaded == INT8.1 { "%byte" } else { "%t" };
        if type_ == "%t" {
            self.globals.push_str(&format!("%t = {loaded}\n"));
        }
        self.code.push_str(&format!("%l = OpLoad {type_} %x\n"));
        self
    }

    /// Adds an atomic operation on memory of a type: in a block, or in workgroup memory.
    fn atomic(mut self, class: &str, (capabilities, type_): (&str, &str), code: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.globals.push_str(&format!("%t = {type_}\n%one = OpConstant %t 1\n"));
        self.modes.push_str("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n");
        let scope = if class == "Workgroup" { "%u2" } else { "%u1" };
        self.code.push_str(&format!("%a = OpAccessChain %q %x %u0\n{}\n", code.replace("SCOPE", scope)));
        let mut case = self.variable(class);
        if class == "Workgroup" {
            // Without an explicit layout.
            case.modes = COMPUTE.to_owned();
        }
        case
    }

    /// Adds an atomic operation on the texels of an image.
    fn image_atomic(mut self, format: &str, (capabilities, type_): (&str, &str), code: &str) -> UseCase {
        self.capabilities.push_str(capabilities);
        self.modes.push_str("OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 2\n");
        self.globals.push_str(&format!(
            "%t = {type_}\n%one = OpConstant %t 1\n%image = OpTypeImage %t 2D 0 0 0 2 {format}\n\
             %p = OpTypePointer UniformConstant %image\n%x = OpVariable %p UniformConstant\n\
             %q = OpTypePointer Image %t\n%zero = OpConstantComposite %v2 %u0 %u0\n"
        ));
        self.code.push_str(&format!(
            "%a = OpImageTexelPointer %q %x %zero %u0\n{}\n",
            code.replace("SCOPE", "%u1")
        ));
        self
    }

    pub(super) fn text(&self) -> String {
        let text = FRAME.replace("STAGE", self.stage).replace("CAPABILITIES\n", &self.capabilities);
        let text = text.replace("INTERFACE", self.interface).replace("MODES\n", &self.modes);
        text.replace("GLOBALS\n", &self.globals).replace("CODE\n", &self.code)
    }
}

/// Returns all cases.
pub fn cases() -> Vec<UseCase> {
    let exchange = "%l = OpAtomicExchange %t %a SCOPE %u0 %one";
    let add = "%l = OpAtomicIAdd %t %a SCOPE %u0 %one";
    let float_add = "%l = OpAtomicFAddEXT %t %a SCOPE %u0 %one";
    let float_max = "%l = OpAtomicFMaxEXT %t %a SCOPE %u0 %one";
    let float = ("", "OpTypeFloat 32");
    let adding = (
        "OpCapability AtomicFloat32AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n",
        "OpTypeFloat 32",
    );
    let comparing = (
        "OpCapability AtomicFloat32MinMaxEXT\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n",
        "OpTypeFloat 32",
    );
    let texels = (
        "OpCapability Int64\nOpCapability Int64Atomics\nOpCapability Int64ImageEXT\nOpExtension \"SPV_EXT_shader_image_int64\"\n",
        "OpTypeInt 64 0",
    );
    let clock = "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"\n";
    let uint = ("", "OpTypeInt 32 1");
    let mut cases = vec![
        UseCase::compute(":nothing"),
        UseCase::compute("storageBuffer8BitAccess").block("StorageBuffer", INT8),
        UseCase::compute("uniformAndStorageBuffer8BitAccess").block("Uniform", INT8),
        UseCase::compute("storagePushConstant8").block("PushConstant", INT8),
        UseCase {
            spirv: "spv1.4",
            interface: "%x",
            ..UseCase::compute("workgroupMemoryExplicitLayout8BitAccess")
                .block("Workgroup", INT8)
                .capable(EXPLICIT_WORKGROUP)
        },
        UseCase::compute("storageBuffer16BitAccess:int").block("StorageBuffer", INT16),
        UseCase::compute("storageBuffer16BitAccess:float").block("StorageBuffer", FLOAT16),
        UseCase::compute("uniformAndStorageBuffer16BitAccess").block("Uniform", FLOAT16),
        UseCase::compute("storagePushConstant16").block("PushConstant", INT16),
        UseCase {
            spirv: "spv1.4",
            interface: "%x",
            ..UseCase::compute("workgroupMemoryExplicitLayout16BitAccess")
                .block("Workgroup", FLOAT16)
                .capable(EXPLICIT_WORKGROUP)
        },
        UseCase { spirv: "spv1.4", interface: "%x", ..UseCase::compute("storageBuffer8BitAccess:untyped") }
            .capable(INT8.0)
            .capable(UNTYPED)
            .untyped(INT8.1),
        UseCase { spirv: "spv1.4", interface: "%x", ..UseCase::compute(":untyped, by words") }
            .capable(INT8.0)
            .capable(UNTYPED)
            .untyped("OpTypeInt 32 1"),
        UseCase::compute("shaderBufferInt64Atomics").atomic("StorageBuffer", INT64, add),
        UseCase::compute("shaderSharedInt64Atomics").atomic("Workgroup", INT64, add),
        UseCase::compute("shaderImageInt64Atomics").image_atomic("R64ui", texels, add),
        UseCase::compute("shaderBufferFloat32Atomics").atomic("StorageBuffer", float, exchange),
        UseCase::compute("shaderSharedFloat32Atomics").atomic("Workgroup", float, exchange),
        UseCase::compute("shaderImageFloat32Atomics").image_atomic("R32f", float, exchange),
        UseCase::compute("shaderBufferFloat32AtomicAdd").atomic("StorageBuffer", adding, float_add),
        UseCase::compute("shaderSharedFloat32AtomicAdd").atomic("Workgroup", adding, float_add),
        UseCase::compute("shaderImageFloat32AtomicAdd").image_atomic("R32f", adding, float_add),
        UseCase::compute("shaderBufferFloat32AtomicMinMax").atomic("StorageBuffer", comparing, float_max),
        UseCase::compute("shaderSharedFloat32AtomicMinMax").atomic("Workgroup", comparing, float_max),
        UseCase::compute("shaderImageFloat32AtomicMinMax").image_atomic("R32f", comparing, float_max),
        UseCase::compute(":sub-groups").capable(SUBGROUPS).code("%l = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n"),
        UseCase::compute("shaderSubgroupExtendedTypes")
            .capable(SUBGROUPS)
            .capable(INT16.0)
            .globals("%t = OpTypeInt 16 0\n%one = OpConstant %t 1\n")
            .code("%l = OpGroupNonUniformIAdd %t %u3 Reduce %one\n"),
        UseCase::new(":sub-groups in a fragment shader", "Fragment", FRAGMENT)
            .capable(SUBGROUPS)
            .code("%l = OpGroupNonUniformQuadSwap %uint %u3 %u1 %u0\n"),
        UseCase::new("subgroupSupportedStages", "Vertex", "")
            .capable(SUBGROUPS)
            .code("%l = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\n")
            .absent(),
        UseCase::compute("shaderSubgroupClock").capable(clock).code("%l = OpReadClockKHR %v2 %u3\n"),
        UseCase::compute("shaderDeviceClock").capable(clock).code("%l = OpReadClockKHR %v2 %u1\n"),
        // spirv-val does not know what is enabled.
        UseCase { rules: "spv1.3", ..UseCase::compute("maintenance9") }
            .capable(INT16.0)
            .globals("%t = OpTypeInt 16 0\n%one = OpConstant %t 1\n")
            .code("%l = OpBitReverse %t %one\n"),
        UseCase::new("maintenance4", "GLCompute", "OpExecutionModeId %main LocalSizeId %u1 %u1 %u1\n"),
        UseCase::compute("shaderZeroInitializeWorkgroupMemory")
            .globals("%n = OpConstantNull %uint\n%p = OpTypePointer Workgroup %uint\n%x = OpVariable %p Workgroup %n\n")
            .code("%l = OpLoad %uint %x\n"),
        UseCase { spirv: "spv1.4", ..UseCase::new("meshShader", "MeshEXT", MESH) }
            .capable("OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n")
            .code("OpSetMeshOutputsEXT %u0 %u0\n"),
    ];
    let write = "OpStore %a %one\n";
    for (stage, modes, member) in
        [("Fragment", FRAGMENT, "fragmentStoresAndAtomics"), ("Vertex", "", "vertexPipelineStoresAndAtomics")]
    {
        let case = |name: &str| UseCase::new(name, stage, modes).block("StorageBuffer", uint);
        let written = case(member).globals("%one = OpConstant %t 1\n").code(write);
        let mut read_only = case(&format!(":{member}, NonWritable"));
        read_only.modes.push_str("OpDecorate %x NonWritable\n");
        let mut unused = case(&format!(":{member}, unused"));
        unused.code.clear();
        cases.extend([written, case(&format!("{member}:read")), read_only, unused]);
    }
    for (mode, has) in
        [("SignedZeroInfNanPreserve", true), ("DenormPreserve", false), ("RoundingModeRTE", true)]
    {
        let name = if has { format!(":{mode}") } else { format!("shader{mode}Float32") };
        let mut case = UseCase::compute(&name)
            .capable(&format!("OpCapability {mode}\nOpExtension \"SPV_KHR_float_controls\"\n"));
        case.modes.push_str(&format!("OpExecutionMode %main {mode} 32\n"));
        cases.push(if has { case } else { case.absent() });
    }
    cases
}

/// Checks a case: with all features enabled that the library lists, neither the layer nor the library complains; without the one in
/// question, both do.
pub fn check(case: &UseCase) -> VulkanResult<String> {
    let (words, _) = assemble_named(&case.text(), case.spirv);
    validate(&words, case.rules)?;
    let module = Module::from_words(&words[..])?;
    let vulkan = LayeredVulkan::open(API)?;
    let driver = vulkan.described(None)?;
    let required = VulkanRequirements::new(&module, VERSION, Some(&driver))?;
    let member = case.name.split(':').next().unwrap_or_default();
    if case.is_absent {
        let errors = vulkan.errors(&words, case.stage, &required, None)?;
        if errors.is_empty() || !required.missing().iter().any(|missing| missing.starts_with(member)) {
            return Err(format!("{:?}, but the layer: {errors:?}", required.missing()).into());
        }
        return by_rule(member, &errors);
    }
    let errors = vulkan.errors(&words, case.stage, &required, None)?;
    if !errors.is_empty() || !required.missing().is_empty() {
        return Err(format!("{:?}, but the layer: {errors:?}", required.missing()).into());
    }
    if member.is_empty() {
        return Ok("nothing is missing".to_owned());
    }
    let without = required.features().iter().find(|feature| feature.member == member);
    let Some(&without) = without else { return Err(format!("not in {required:?}").into()) };
    let errors = vulkan.errors(&words, case.stage, &required, Some(without))?;
    let enabled = vulkan.described(Some((&required, Some(without))))?;
    let lesser = VulkanRequirements::new(&module, VERSION, Some(&enabled))?;
    if errors.is_empty() || !lesser.missing().iter().any(|missing| missing.starts_with(member)) {
        return Err(format!("{:?}, but the layer: {errors:?}", lesser.missing()).into());
    }
    by_rule(member, &errors)
}

/// Checks that one of the errors is of a rule from which the table has the member.
fn by_rule(member: &str, errors: &[String]) -> VulkanResult<String> {
    let table = std::fs::read_to_string(root().join("spec-extensions/vulkan-uses.csv"))?;
    let rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let mut rules = rows.filter(|row| row.len() == 8 && row[2] == member).map(|row| row[7]);
    match rules.find(|rule| errors.iter().any(|error| error.starts_with(rule))) {
        Some(rule) => Ok(rule.to_owned()),
        None => Err(format!("no error of a rule on {member}: {errors:?}").into()),
    }
}

/// The first device of the only driver, under Khronos' layer.
pub(super) struct LayeredVulkan {
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    /// The requested version of Vulkan.
    api: u32,
    _entry: ash::Entry,
}

unsafe extern "system" fn on_message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives a structure with texts that end.
    let (name, message) = unsafe {
        let text = |text: *const c_char| {
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        };
        (text((*data).p_message_id_name), text((*data).p_message))
    };
    ERRORS.with_borrow_mut(|errors| errors.push(format!("{name} {message}")));
    vk::FALSE
}

impl LayeredVulkan {
    pub(super) fn open(api: u32) -> VulkanResult<LayeredVulkan> {
        // SAFETY: the loader's library is genuine; all that infos point to lives until the calls return.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(api);
            let extensions = [vk::EXT_DEBUG_UTILS_NAME.as_ptr()];
            let info = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_extension_names(&extensions);
            let instance = entry.create_instance(&info, None)?;
            let messenger = vk::DebugUtilsMessengerCreateInfoEXT::default()
                .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
                .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
                .pfn_user_callback(Some(on_message));
            ash::ext::debug_utils::Instance::new(&entry, &instance)
                .create_debug_utils_messenger(&messenger, None)?;
            let physical =
                *instance.enumerate_physical_devices()?.first().ok_or("the driver has no device")?;
            Ok(LayeredVulkan { instance, physical, api, _entry: entry })
        }
    }

    /// Has `use_info` work with what creates a device with the requirements of a module, except for one feature.
    fn with_info<T>(
        &self,
        required: &VulkanRequirements,
        without: Option<VulkanFeature>,
        use_info: impl FnOnce(&vk::DeviceCreateInfo) -> T,
    ) -> VulkanResult<T> {
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&[1.0])];
        let names: Vec<CString> =
            required.extensions().iter().map(|name| CString::new(*name)).collect::<Result<_, _>>()?;
        let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let chain = required.chain();
        if let Some(feature) = without {
            let (number, at) = place(feature)?;
            let mut next = chain.as_ptr().cast::<vk::BaseOutStructure>().cast_mut();
            // SAFETY: each structure of the chain has this head, and is of the type that its number says.
            unsafe {
                while !next.is_null() {
                    if (*next).s_type.as_raw() == number {
                        next.cast::<u32>().add(4 + at).write(vk::FALSE);
                    }
                    next = (*next).p_next;
                }
            }
        }
        let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
        info = info.enabled_extension_names(&names);
        info.p_next = chain.as_ptr();
        Ok(use_info(&info))
    }

    /// The device as the library sees it, created or not.
    pub(super) fn described(
        &self,
        created: Option<(&VulkanRequirements, Option<VulkanFeature>)>,
    ) -> VulkanResult<Device> {
        let Some((required, without)) = created else {
            // SAFETY: the device is one of this instance.
            return Ok(unsafe { Device::from_vulkan(&self.instance, self.physical, self.api) }?);
        };
        // SAFETY: as above.
        let describe = |info: &vk::DeviceCreateInfo| unsafe {
            Device::from_vulkan_enabled(&self.instance, self.physical, self.api, info)
        };
        Ok(self.with_info(required, without, describe)??)
    }

    /// The errors of the layer where a pipeline of a module is created on a device.
    pub(super) fn errors(
        &self,
        words: &[u32],
        stage: &str,
        required: &VulkanRequirements,
        without: Option<VulkanFeature>,
    ) -> VulkanResult<Vec<String>> {
        // SAFETY: all that infos point to lives until the calls return.
        let create =
            |info: &vk::DeviceCreateInfo| unsafe { self.instance.create_device(self.physical, info, None) };
        let device = self.with_info(required, without, create)??;
        ERRORS.with_borrow_mut(Vec::clear);
        // SAFETY: the process is for modules that the driver has at least the features for.
        unsafe { create_pipeline(&device, words, stage)? };
        Ok(ERRORS.with_borrow_mut(std::mem::take))
    }
}

/// The number of a structure, and the index of a member of it.
fn place(feature: VulkanFeature) -> VulkanResult<(i32, usize)> {
    let table = std::fs::read_to_string(root().join("spec-extensions/vulkan-structures.csv"))?;
    let row = table.lines().find(|row| row.starts_with(&format!("{},", feature.structure)));
    let fields: Vec<&str> = row.ok_or("no such structure")?.split(',').collect();
    let at = fields[7].split(' ').position(|member| member == feature.member).ok_or("no such member")?;
    Ok((fields[2].parse()?, at))
}

/// Creates a pipeline. Neither it nor what it needs is destroyed: the process ends soon.
///
/// # Safety
/// The driver must survive the module.
unsafe fn create_pipeline(device: &ash::Device, words: &[u32], stage: &str) -> VulkanResult<()> {
    // SAFETY: all that infos point to lives until the calls return, and handles are of this device.
    unsafe {
        let kinds = [
            vk::DescriptorType::STORAGE_BUFFER,
            vk::DescriptorType::UNIFORM_BUFFER,
            vk::DescriptorType::STORAGE_IMAGE,
        ];
        let (stages, used) = match stage {
            "Vertex" => (vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::VERTEX),
            "Fragment" => (vk::ShaderStageFlags::FRAGMENT, vk::ShaderStageFlags::FRAGMENT),
            "MeshEXT" => (vk::ShaderStageFlags::MESH_EXT, vk::ShaderStageFlags::MESH_EXT),
            _ => (vk::ShaderStageFlags::COMPUTE, vk::ShaderStageFlags::COMPUTE),
        };
        let bindings: Vec<_> = (0..)
            .zip(kinds)
            .map(|(binding, kind)| {
                let layout = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(kind);
                layout.descriptor_count(1).stage_flags(stages)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [device.create_descriptor_set_layout(&info, None)?];
        let ranges = [vk::PushConstantRange::default().stage_flags(stages).size(16)];
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&ranges);
        let layout = device.create_pipeline_layout(&info, None)?;
        let module = |words: &[u32]| {
            device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None)
        };
        // A module that the layer refuses is no module, and no pipeline is asked for.
        let Ok(shader) = module(words) else { return Ok(()) };
        let stage_of = |stage, module| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        };
        let shaders = stage_of(used, shader);
        let cache = vk::PipelineCache::null();
        if used == vk::ShaderStageFlags::COMPUTE {
            let info = vk::ComputePipelineCreateInfo::default().stage(shaders).layout(layout);
            let _ = device.create_compute_pipelines(cache, &[info], None);
            return Ok(());
        }
        let mut all = vec![shaders];
        if used == vk::ShaderStageFlags::FRAGMENT {
            let (vertex, _) = assemble_named(&UseCase::new("", "Vertex", "").text(), "spv1.3");
            all.push(stage_of(vk::ShaderStageFlags::VERTEX, module(&vertex)?));
        }
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let (viewports, scissors) =
            ([vk::Viewport::default().width(1.0).height(1.0)], [vk::Rect2D::default()]);
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default()
            .line_width(1.0)
            .rasterizer_discard_enable(used == vk::ShaderStageFlags::VERTEX);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let blending = vk::PipelineColorBlendStateCreateInfo::default();
        let subpasses =
            [vk::SubpassDescription::default().pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
        let pass = vk::RenderPassCreateInfo::default().subpasses(&subpasses);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&all)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&rasterization)
            .multisample_state(&samples)
            .color_blend_state(&blending)
            .layout(layout)
            .render_pass(device.create_render_pass(&pass, None)?);
        let _ = device.create_graphics_pipelines(cache, &[info], None);
        Ok(())
    }
}
