//! Compiles pipelines with a Vulkan driver, and reads its statistics.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::time::Duration;

use ash::vk;
use spirv_if::device::Device;
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::device::FeatureChain;
use spirv_if::module::{Interface, Version};
use spirv_if::{Error, Module};
use spirv_if_inspect::VulkanRequirements;
use spirv_if_inspect::statistics::{
    CompileFailure, CompileRequest, CompiledModule, ExecutableStatistics, Statistic, StatisticValue,
};

use super::layout::PipelineLayout;
use super::pipeline_stages::{PipelineKind, PipelineStages};
use super::pipelines::stage_flag;
use crate::ProbeError;
use crate::vulkan::{LoadedInstance, device_of};

/// The time that the rounds of a module take together, unless the first takes longer.
const TIME_OF_ROUNDS: Duration = Duration::from_millis(150);
/// Limit on the rounds.
const MAX_ROUNDS: u32 = 6;

/// A device of a Vulkan driver, which compiles.
pub struct VulkanDriver {
    pub(super) loaded: LoadedInstance,
    physical: vk::PhysicalDevice,
    device: Device,
    /// Describes the device and its driver.
    pub name: String,
    version: Version,
    /// True if the device is the processor: such drivers compile when a pipeline is first used.
    pub(super) compiles_late: bool,
    pub(super) has_statistics: bool,
    /// True if a pipeline of rays can be one of a single stage.
    has_libraries: bool,
}

/// A device, and its objects, which are destroyed with it.
pub struct OpenDevice<'v> {
    pub driver: &'v VulkanDriver,
    pub device: ash::Device,
    pub family: u32,
    /// True if sets may be bound whose descriptors nothing has written.
    pub allows_empty_sets: bool,
    objects: RefCell<Vec<DeviceObject>>,
}

/// An object of a device.
pub enum DeviceObject {
    Shader(vk::ShaderModule),
    SetLayout(vk::DescriptorSetLayout),
    Layout(vk::PipelineLayout),
    RenderPass(vk::RenderPass),
    Sets(vk::DescriptorPool),
    Commands(vk::CommandPool),
    Pipeline(vk::Pipeline),
}

impl OpenDevice<'_> {
    /// Keeps an object until the device is destroyed.
    pub fn keep(&self, object: DeviceObject) {
        self.objects.borrow_mut().push(object);
    }
}

impl Drop for OpenDevice<'_> {
    fn drop(&mut self) {
        let device = &self.device;
        for object in self.objects.borrow_mut().drain(..).rev() {
            // SAFETY: nothing uses an object any more: those that do are destroyed before, and no commands run.
            unsafe {
                match object {
                    DeviceObject::Shader(shader) => device.destroy_shader_module(shader, None),
                    DeviceObject::SetLayout(layout) => device.destroy_descriptor_set_layout(layout, None),
                    DeviceObject::Layout(layout) => device.destroy_pipeline_layout(layout, None),
                    DeviceObject::RenderPass(pass) => device.destroy_render_pass(pass, None),
                    DeviceObject::Sets(pool) => device.destroy_descriptor_pool(pool, None),
                    DeviceObject::Commands(pool) => device.destroy_command_pool(pool, None),
                    DeviceObject::Pipeline(pipeline) => device.destroy_pipeline(pipeline, None),
                }
            }
        }
        // SAFETY: nothing uses the device any more.
        unsafe { device.destroy_device(None) };
    }
}

/// Returns the failure of a call of Vulkan.
pub fn refused(call: &'static str) -> impl Fn(vk::Result) -> CompileFailure {
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
        let has =
            |name: &CStr| extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name));
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
            has_statistics: has(ash::khr::pipeline_executable_properties::NAME),
            has_libraries: has(ash::khr::pipeline_library::NAME),
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
        let pipelines = PipelineStages::of_module(&module)?;
        // Features of the original are those of its results, too, unless the device has no such features.
        let mut required = self.required(&layout_module, &pipelines)?;
        if !required.missing().is_empty() {
            required = self.required(&module, &pipelines)?;
        }
        if !required.missing().is_empty() {
            let missing = required.missing().join(", ");
            return Err(CompileFailure::Unsupported(format!("the device has no {missing}")));
        }
        let has_rays = pipelines.iter().any(|stages| matches!(stages.kind, PipelineKind::Rays(_)));
        if has_rays && !self.has_libraries {
            return Err(CompileFailure::Unsupported("the device has no VK_KHR_pipeline_library".to_owned()));
        }
        let interface = Interface::new(&layout_module);
        let (mut shortest, mut total) = (None, Duration::ZERO);
        let mut executables = Vec::new();
        for round in 0..MAX_ROUNDS {
            let device = self.open_device(&required, has_rays)?;
            // SAFETY: the module is the caller's, which only gives valid ones; this process is for such compilations alone.
            let (time, statistics) = unsafe { device.compile(request, &interface, &pipelines, round) }?;
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

    /// Returns the requirements of a module and of the stages beside it.
    fn required(
        &self,
        module: &Module,
        pipelines: &[PipelineStages],
    ) -> Result<VulkanRequirements, CompileFailure> {
        let of_module = |module: &Module| {
            VulkanRequirements::new(module, self.version, Some(&self.device)).map_err(unsupported)
        };
        let mut all = vec![of_module(module)?];
        for (_, words) in pipelines.iter().flat_map(|stages| &stages.companions) {
            all.push(of_module(&Module::from_words(&words[..]).map_err(unsupported)?)?);
        }
        Ok(VulkanRequirements::union(&all))
    }

    /// Creates a device with what a module requires and nothing else: more features can change its code.
    fn open_device(
        &self,
        required: &VulkanRequirements,
        has_rays: bool,
    ) -> Result<OpenDevice<'_>, CompileFailure> {
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
            if has_rays {
                names.push(ash::khr::pipeline_library::NAME.to_owned());
            }
            if self.has_statistics {
                names.push(ash::khr::pipeline_executable_properties::NAME.to_owned());
            }
            let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            let mut features: OrderedMap<&str, Vec<&str>> = OrderedMap::new();
            for feature in required.features() {
                features.entry(feature.structure).or_default().push(feature.member);
            }
            let allows_empty_sets = self.compiles_late && self.version >= Version::new(1, 2);
            if allows_empty_sets {
                features
                    .entry("VkPhysicalDeviceVulkan12Features")
                    .or_default()
                    .push("descriptorBindingPartiallyBound");
            }
            let chain = FeatureChain::new(&features);
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
            Ok(OpenDevice {
                driver: self,
                device: device.map_err(refused("vkCreateDevice"))?,
                family,
                allows_empty_sets,
                objects: RefCell::default(),
            })
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
        interface: &Interface,
        pipelines: &[PipelineStages],
        round: u32,
    ) -> Result<(Duration, Vec<ExecutableStatistics>), CompileFailure> {
        // SAFETY: what infos point to lives until the calls return, and handles are of this device.
        unsafe {
            let layout = PipelineLayout::new(self, interface)?;
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
                let (of_pipeline, pipeline) = match &stages.kind {
                    PipelineKind::Compute => self.compute(&layout, modules[0])?,
                    PipelineKind::Graphics(state) => self.graphics(&layout, &modules, state)?,
                    PipelineKind::Rays(payload) => self.rays(&layout, modules[0], *payload)?,
                };
                time += of_pipeline;
                executables.extend(self.statistics(pipeline, stages)?);
            }
            Ok((time, executables))
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
