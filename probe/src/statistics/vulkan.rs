//! Compiles pipelines with a Vulkan driver, and reads its statistics.

use std::ffi::{CStr, CString};
use std::time::{Duration, Instant};

use ash::vk;
use spirv::{ExecutionModel, StorageClass};
use spirv_if::device::Device;
use spirv_if::module::{Interface, Version};
use spirv_if::{Error, Module};
use spirv_if_inspect::VulkanRequirements;
use spirv_if_inspect::statistics::{
    CompileFailure, CompileRequest, CompiledModule, ConstantBytes, ExecutableStatistics, Statistic,
    StatisticValue,
};

use super::layout::PipelineLayout;
use super::slots::{Slots, WHOLE, fragment_stage, slots, vertex_stage};
use crate::ProbeError;
use crate::vulkan::{LoadedInstance, device_of};

/// The time that the rounds of a module take together, unless the first takes longer.
const TIME_OF_ROUNDS: Duration = Duration::from_millis(150);
/// Limit on the rounds.
const MAX_ROUNDS: u32 = 6;

/// A device of a Vulkan driver, which compiles.
pub struct VulkanDriver {
    loaded: LoadedInstance,
    physical: vk::PhysicalDevice,
    device: Device,
    /// Describes the device and its driver.
    pub name: String,
    version: Version,
    /// True if the device is the processor: such drivers compile when a pipeline is first used.
    compiles_late: bool,
    has_statistics: bool,
}

/// The entry points of one pipeline.
struct PipelineStages {
    /// The execution model and the name of each.
    entries: Vec<(ExecutionModel, String)>,
    /// Stages that are written here, because the module has none of them.
    companions: Vec<(ExecutionModel, Vec<u32>)>,
}

/// Objects of a device, destroyed with it.
struct OpenDevice<'v> {
    driver: &'v VulkanDriver,
    device: ash::Device,
    family: u32,
}

impl Drop for OpenDevice<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing uses the device any more. Drivers free its objects with it, or with the process.
        unsafe { self.device.destroy_device(None) };
    }
}

fn refused(call: &'static str) -> impl Fn(vk::Result) -> CompileFailure {
    move |result| CompileFailure::Refused(format!("{call} returns {result:?}"))
}

fn unsupported(error: Error) -> CompileFailure {
    CompileFailure::Unsupported(error.to_string())
}

impl VulkanDriver {
    /// Opens a device by its number among those that Vulkan's drivers list.
    ///
    /// # Errors
    /// If there is none with this number, or the loader refuses.
    pub fn open(number: usize) -> Result<VulkanDriver, ProbeError> {
        let loaded = LoadedInstance::new()?;
        let instance = &loaded.instance;
        let physical = loaded.physical_devices()?.get(number).copied();
        let physical = physical.ok_or(ProbeError::NoDriver(spirv_if::device::Api::Vulkan))?;
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        // SAFETY: the device is one of the instance, as everywhere below. Devices of version 1.2 know the structure.
        let (properties, extensions) = unsafe {
            let properties = instance.get_physical_device_properties(physical);
            let version = properties.api_version.min(loaded.api_version);
            if version >= vk::API_VERSION_1_2 {
                let mut chained = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
                instance.get_physical_device_properties2(physical, &mut chained);
            }
            (properties, instance.enumerate_device_extension_properties(physical).unwrap_or_default())
        };
        let text = |text: Result<&CStr, _>| text.unwrap_or_default().to_string_lossy().trim().to_owned();
        let name = text(properties.device_name_as_c_str());
        let info = text(driver.driver_info_as_c_str());
        let statistics = ash::khr::pipeline_executable_properties::NAME;
        let has_statistics =
            extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(statistics));
        let version = properties.api_version.min(loaded.api_version);
        let version = Version::new(
            vk::api_version_major(version) as u8,
            vk::api_version_minor(version).try_into().unwrap_or(u8::MAX),
        );
        Ok(VulkanDriver {
            physical,
            // SAFETY: like above.
            device: unsafe { device_of(&loaded, physical) },
            name: if info.is_empty() { name } else { format!("{name}, {info}") },
            version,
            compiles_late: properties.device_type == vk::PhysicalDeviceType::CPU,
            has_statistics,
            loaded,
        })
    }

    /// Compiles all entry points of a module, several times. No cache knows what it compiles.
    ///
    /// # Errors
    /// If the driver does not compile it.
    pub fn compile(&self, request: &CompileRequest) -> Result<CompiledModule, CompileFailure> {
        let layout_module = Module::from_words(request.layout).map_err(unsupported)?;
        let module = Module::from_words(request.words).map_err(unsupported)?;
        // Features of the original are those of its results, too, unless the device has no such features.
        let of_module = |module| VulkanRequirements::new(module, self.version, Some(&self.device));
        let mut required = of_module(&layout_module).map_err(unsupported)?;
        if !required.missing().is_empty() {
            required = of_module(&module).map_err(unsupported)?;
        }
        if !required.missing().is_empty() {
            let missing = required.missing().join(", ");
            return Err(CompileFailure::Unsupported(format!("the device has no {missing}")));
        }
        let interface = Interface::new(&layout_module);
        let pipelines = PipelineStages::of_module(&module)?;
        let (mut shortest, mut total) = (None, Duration::ZERO);
        let mut executables = Vec::new();
        for round in 0..MAX_ROUNDS {
            let device = self.open_device(&required)?;
            // SAFETY: the module is the caller's, which only gives valid ones; this process is for such compilations alone.
            let (time, statistics) =
                unsafe { device.compile(request, &module, &interface, &pipelines, round) }?;
            shortest = Some(shortest.map_or(time, |shortest: Duration| shortest.min(time)));
            executables = statistics;
            total += time;
            if total + time > TIME_OF_ROUNDS {
                break;
            }
        }
        let time = shortest.unwrap_or_default().as_nanos();
        Ok(CompiledModule::new(time.try_into().unwrap_or(u64::MAX), executables))
    }

    /// Creates a device with what a module requires and nothing else: more features can change its code.
    fn open_device(&self, required: &VulkanRequirements) -> Result<OpenDevice<'_>, CompileFailure> {
        let instance = &self.loaded.instance;
        // SAFETY: the device is one of this instance, and all that infos point to lives until the call returns.
        unsafe {
            let families = instance.get_physical_device_queue_family_properties(self.physical);
            let has =
                |flags: vk::QueueFlags| families.iter().position(|family| family.queue_flags.contains(flags));
            let family = has(vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS);
            let family = family.or_else(|| has(vk::QueueFlags::COMPUTE)).unwrap_or(0) as u32;
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let mut names: Vec<CString> = Vec::new();
            names.extend(required.extensions().iter().filter_map(|name| CString::new(*name).ok()));
            if self.has_statistics {
                names.push(ash::khr::pipeline_executable_properties::NAME.to_owned());
            }
            let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            let chain = required.chain();
            let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
                .pipeline_executable_info(true);
            executables.p_next = chain.as_ptr().cast_mut();
            let mut info =
                vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
            info.p_next = match self.has_statistics {
                true => std::ptr::from_ref(&executables).cast(),
                false => chain.as_ptr(),
            };
            let device = instance.create_device(self.physical, &info, None);
            Ok(OpenDevice { driver: self, device: device.map_err(refused("vkCreateDevice"))?, family })
        }
    }
}

impl PipelineStages {
    /// Returns the pipelines that are made of a module: one for each entry point of compute shaders, and one of a vertex and a fragment shader, or for
    /// each of these.
    fn of_module(module: &Module) -> Result<Vec<PipelineStages>, CompileFailure> {
        let mut entries = Vec::new();
        for entry in module.inner.entry_points() {
            entries.push((ExecutionModel::from_u32(entry.execution_model()), entry.name().into_owned()));
        }
        let of_model = |model| entries.iter().filter(move |(of_entry, _)| *of_entry == Some(model)).count();
        let is_pair = of_model(ExecutionModel::Vertex) == 1 && of_model(ExecutionModel::Fragment) == 1;
        let mut pipelines = Vec::new();
        let mut pair = Vec::new();
        for (model, name) in entries {
            match model {
                Some(model @ ExecutionModel::GLCompute) => {
                    pipelines.push(PipelineStages { entries: vec![(model, name)], companions: Vec::new() });
                }
                Some(model @ (ExecutionModel::Vertex | ExecutionModel::Fragment)) if is_pair => {
                    pair.push((model, name));
                }
                Some(model @ ExecutionModel::Vertex) => {
                    let written: Slots = slots(module, model, StorageClass::Output);
                    let companions = vec![(ExecutionModel::Fragment, fragment_stage(&written))];
                    pipelines.push(PipelineStages { entries: vec![(model, name)], companions });
                }
                Some(model @ ExecutionModel::Fragment) => {
                    let read: Slots = slots(module, model, StorageClass::Input);
                    let companions = vec![(ExecutionModel::Vertex, vertex_stage(&read))];
                    pipelines.push(PipelineStages { entries: vec![(model, name)], companions });
                }
                other => {
                    let stage =
                        other.map_or_else(|| "an unknown stage".to_owned(), |model| format!("{model:?}"));
                    return Err(CompileFailure::Unsupported(format!(
                        "entry point `{name}` is of {stage}: pipelines are made of compute, vertex and fragment shaders"
                    )));
                }
            }
        }
        if !pair.is_empty() {
            pipelines.push(PipelineStages { entries: pair, companions: Vec::new() });
        }
        match pipelines.is_empty() {
            true => Err(CompileFailure::Unsupported("the module has no entry points".to_owned())),
            false => Ok(pipelines),
        }
    }
}

impl OpenDevice<'_> {
    /// Compiles the pipelines of a module once; returns the time and the statistics.
    ///
    /// # Safety
    /// The module is valid, and its device has what it requires.
    unsafe fn compile(
        &self,
        request: &CompileRequest,
        module: &Module,
        interface: &Interface,
        pipelines: &[PipelineStages],
        round: u32,
    ) -> Result<(Duration, Vec<ExecutableStatistics>), CompileFailure> {
        let device = &self.device;
        // SAFETY: what infos point to lives until the calls return, and handles are of this device.
        unsafe {
            let layout = PipelineLayout::new(device, interface)?;
            let words = with_salt(request.words, round);
            let shader = self.shader(&words)?;
            let (mut time, mut executables) = (Duration::ZERO, Vec::new());
            for stages in pipelines {
                let mut modules = Vec::new();
                for (model, name) in &stages.entries {
                    modules.push((*model, shader, name.as_str(), request.constants));
                }
                for (model, words) in &stages.companions {
                    modules.push((*model, self.shader(words)?, "main", &[]));
                }
                let (of_pipeline, pipeline) = match stages.entries[0].0 {
                    ExecutionModel::GLCompute => self.compute(&layout, modules[0])?,
                    _ => {
                        let colors = match stages
                            .companions
                            .iter()
                            .any(|(model, _)| *model == ExecutionModel::Fragment)
                        {
                            true => Slots::from([(0, WHOLE)]),
                            false => slots(module, ExecutionModel::Fragment, StorageClass::Output),
                        };
                        let inputs = slots(module, ExecutionModel::Vertex, StorageClass::Input);
                        self.graphics(&layout, &modules, &inputs, &colors)?
                    }
                };
                time += of_pipeline;
                executables.extend(self.statistics(pipeline, stages)?);
                device.destroy_pipeline(pipeline, None);
            }
            Ok((time, executables))
        }
    }

    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn shader(&self, words: &[u32]) -> Result<vk::ShaderModule, CompileFailure> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the caller's.
        unsafe { self.device.create_shader_module(&info, None) }.map_err(refused("vkCreateShaderModule"))
    }

    fn flags(&self) -> vk::PipelineCreateFlags {
        match self.driver.has_statistics {
            true => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
            false => vk::PipelineCreateFlags::empty(),
        }
    }

    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn compute(
        &self,
        layout: &PipelineLayout,
        stage: StageModule,
    ) -> Result<(Duration, vk::Pipeline), CompileFailure> {
        let (name, values) = (entry_name(stage.2)?, SpecializationData::new(stage.3));
        let specialization = values.info();
        let stage = stage_info(stage, &name, &specialization);
        let info =
            vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.handle).flags(self.flags());
        let start = Instant::now();
        // SAFETY: the caller's.
        let created =
            unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        let created = created.map_err(|(_, result)| refused("vkCreateComputePipelines")(result))?[0];
        let mut time = start.elapsed();
        if self.driver.compiles_late {
            // SAFETY: the caller's.
            time += unsafe { self.use_once(layout, created) }.map_err(refused("a dispatch"))?;
        }
        Ok((time, created))
    }

    /// Dispatches no work-groups, after which the driver has compiled the pipeline.
    ///
    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn use_once(
        &self,
        layout: &PipelineLayout,
        pipeline: vk::Pipeline,
    ) -> Result<Duration, vk::Result> {
        let device = &self.device;
        // SAFETY: like in `compile`. No invocation runs, so that none uses a descriptor.
        unsafe {
            let sets = layout.empty_sets(device)?;
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
            let pool = device.create_command_pool(&info, None)?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            let point = vk::PipelineBindPoint::COMPUTE;
            device.cmd_bind_pipeline(commands[0], point, pipeline);
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands[0], point, layout.handle, 0, &sets, &[]);
            }
            device.cmd_dispatch(commands[0], 0, 1, 1);
            device.end_command_buffer(commands[0])?;
            let queue = device.get_device_queue(self.family, 0);
            let start = Instant::now();
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            device.queue_submit(queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(queue)?;
            let time = start.elapsed();
            device.destroy_command_pool(pool, None);
            Ok(time)
        }
    }

    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn graphics(
        &self,
        layout: &PipelineLayout,
        modules: &[StageModule],
        inputs: &Slots,
        colors: &Slots,
    ) -> Result<(Duration, vk::Pipeline), CompileFailure> {
        let names = modules.iter().map(|stage| entry_name(stage.2)).collect::<Result<Vec<_>, _>>()?;
        let values: Vec<SpecializationData> =
            modules.iter().map(|stage| SpecializationData::new(stage.3)).collect();
        let infos: Vec<vk::SpecializationInfo> = values.iter().map(SpecializationData::info).collect();
        let stages: Vec<_> = modules
            .iter()
            .zip(&names)
            .zip(&infos)
            .map(|((stage, name), info)| stage_info(*stage, name, info))
            .collect();
        let attributes: Vec<_> = inputs
            .iter()
            .map(|(&location, slot)| {
                vk::VertexInputAttributeDescription::default()
                    .location(location)
                    .format(slot.format())
                    .offset(16 * location)
            })
            .collect();
        let stride = 16 * inputs.keys().last().map_or(1, |last| last + 1);
        let bindings = [vk::VertexInputBindingDescription::default().stride(stride)];
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_attribute_descriptions(&attributes)
            .vertex_binding_descriptions(if attributes.is_empty() { &[] } else { &bindings });
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default();
        let count = colors.keys().last().map_or(0, |last| last + 1);
        let writes = vec![
            vk::PipelineColorBlendAttachmentState::default()
                .color_write_mask(vk::ColorComponentFlags::RGBA);
            count as usize
        ];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&writes);
        let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        // SAFETY: the caller's.
        unsafe {
            let pass = layout.render_pass(&self.device, colors)?;
            let info = vk::GraphicsPipelineCreateInfo::default()
                .flags(self.flags())
                .stages(&stages)
                .vertex_input_state(&vertex_input)
                .input_assembly_state(&assembly)
                .viewport_state(&viewport)
                .rasterization_state(&rasterization)
                .multisample_state(&multisample)
                .depth_stencil_state(&depth)
                .color_blend_state(&blend)
                .dynamic_state(&dynamic)
                .layout(layout.handle)
                .render_pass(pass);
            let start = Instant::now();
            let created = self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            let created = created.map_err(|(_, result)| refused("vkCreateGraphicsPipelines")(result))?[0];
            Ok((start.elapsed(), created))
        }
    }

    /// Returns what the driver counted of the stages that the module has.
    ///
    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn statistics(
        &self,
        pipeline: vk::Pipeline,
        stages: &PipelineStages,
    ) -> Result<Vec<ExecutableStatistics>, CompileFailure> {
        if !self.driver.has_statistics {
            return Ok(Vec::new());
        }
        let functions =
            ash::khr::pipeline_executable_properties::Device::new(&self.driver.loaded.instance, &self.device);
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        let mut result = Vec::new();
        // SAFETY: the caller's; the pipeline captures statistics, and has the executables that it lists.
        unsafe {
            let listed = functions.get_pipeline_executable_properties(&info);
            let listed = listed.map_err(refused("vkGetPipelineExecutablePropertiesKHR"))?;
            for (index, executable) in (0..).zip(&listed) {
                let entry =
                    stages.entries.iter().find(|(model, _)| executable.stages.contains(stage_flag(*model)));
                let Some((_, entry_point)) = entry else { continue };
                let info =
                    vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
                let counted = functions.get_pipeline_executable_statistics(&info);
                let counted = counted.map_err(refused("vkGetPipelineExecutableStatisticsKHR"))?;
                let name = executable.name_as_c_str().unwrap_or_default().to_string_lossy();
                result.push(ExecutableStatistics::new(
                    entry_point,
                    name,
                    counted.iter().map(|counted| statistic(counted)).collect(),
                ));
            }
        }
        Ok(result)
    }
}

/// Reads a statistic.
///
/// # Safety
/// The driver wrote it.
unsafe fn statistic(counted: &vk::PipelineExecutableStatisticKHR) -> Statistic {
    let name = counted.name_as_c_str().unwrap_or_default().to_string_lossy();
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    // SAFETY: the format says which member it is.
    let value = unsafe {
        match counted.format {
            Format::BOOL32 => StatisticValue::Flag(counted.value.b32 != 0),
            Format::INT64 => StatisticValue::Integer(counted.value.i64),
            Format::UINT64 => StatisticValue::Integer(counted.value.u64.try_into().unwrap_or(i64::MAX)),
            _ => StatisticValue::Real(counted.value.f64),
        }
    };
    Statistic::new(name, value)
}

/// A stage: its model, its module, the name of the entry point, and values of constants.
type StageModule<'s> = (ExecutionModel, vk::ShaderModule, &'s str, &'s [ConstantBytes]);

fn stage_flag(model: ExecutionModel) -> vk::ShaderStageFlags {
    match model {
        ExecutionModel::Vertex => vk::ShaderStageFlags::VERTEX,
        ExecutionModel::Fragment => vk::ShaderStageFlags::FRAGMENT,
        _ => vk::ShaderStageFlags::COMPUTE,
    }
}

fn stage_info<'i>(
    (model, module, ..): StageModule,
    name: &'i CStr,
    specialization: &'i vk::SpecializationInfo<'i>,
) -> vk::PipelineShaderStageCreateInfo<'i> {
    vk::PipelineShaderStageCreateInfo::default()
        .stage(stage_flag(model))
        .module(module)
        .name(name)
        .specialization_info(specialization)
}

fn entry_name(name: &str) -> Result<CString, CompileFailure> {
    CString::new(name)
        .map_err(|_| CompileFailure::Unsupported(format!("the entry point {name:?} has a name with a 0")))
}

/// Values of specialization constants, in the form that Vulkan takes.
struct SpecializationData {
    entries: Vec<vk::SpecializationMapEntry>,
    bytes: Vec<u8>,
}

impl SpecializationData {
    fn new(constants: &[ConstantBytes]) -> SpecializationData {
        let mut data = SpecializationData { entries: Vec::new(), bytes: Vec::new() };
        for constant in constants {
            let entry = vk::SpecializationMapEntry::default()
                .constant_id(constant.spec_id)
                .offset(data.bytes.len() as u32)
                .size(constant.bytes.len());
            data.entries.push(entry);
            data.bytes.extend(&constant.bytes);
        }
        data
    }

    fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default().map_entries(&self.entries).data(&self.bytes)
    }
}

/// Returns the words with a string that nothing refers to, which differs from process to process and from round to round: no cache knows them.
fn with_salt(words: &[u32], round: u32) -> Vec<u32> {
    const BEFORE_STRINGS: [u32; 9] = [17, 10, 11, 14, 15, 16, 331, 6248, 6249];
    let mut at = 5;
    while let Some(first) = words.get(at).filter(|first| BEFORE_STRINGS.contains(&(*first & 0xffff))) {
        at += (first >> 16).max(1) as usize;
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Letters: eight of the time, and one of the round.
    let letters: Vec<u8> = (0..15).map(|digit| b'a' + (now.as_nanos() >> (4 * digit) & 15) as u8).collect();
    let string: Vec<u8> = letters.into_iter().chain([b'a' + round as u8, 0, 0, 0, 0]).collect();
    let string = string.chunks_exact(4).map(|part| u32::from_le_bytes([part[0], part[1], part[2], part[3]]));
    let (head, rest) = words.split_at(at.min(words.len()));
    let instruction = [7 << 16 | 7, head.get(3).copied().unwrap_or(1)].into_iter().chain(string);
    let mut salted: Vec<u32> = head.iter().copied().chain(instruction).chain(rest.iter().copied()).collect();
    if let Some(bound) = salted.get_mut(3) {
        *bound += 1;
    }
    salted
}
