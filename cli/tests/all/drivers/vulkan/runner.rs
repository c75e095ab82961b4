//! Runs compute shaders: buffers in, buffers out.

use spirv_if::module::Version;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ash::vk;
use serde::Deserialize;
use spirv_if::device::Api;
use spirv_if::{Device, Module};
use spirv_if_inspect::{InspectOptions, inspect};

use super::features::Features;

/// Time limit of a dispatch in nanoseconds: a driver may compile only now.
const PATIENCE: u64 = 100_000_000_000;
/// The requested version of Vulkan.
const API: u32 = vk::API_VERSION_1_3;

/// The first device of the only driver.
pub struct Vulkan {
    pub instance: ash::Instance,
    pub physical: vk::PhysicalDevice,
    /// Created devices by enabled features: drivers have room for few.
    devices: RefCell<BTreeMap<BTreeSet<String>, ash::Device>>,
    // Its library stays loaded as long as the instance is used.
    entry: ash::Entry,
}

/// The input of a shader.
#[derive(Clone, Default)]
pub struct ShaderJob {
    /// Contents of storage buffers by binding, in descriptor set 0.
    pub buffers: Vec<Vec<u32>>,
    /// The bindings of those that are uniform buffers.
    pub uniforms: Vec<u32>,
    pub push_constants: Vec<u32>,
    /// True if the address of the last buffer takes the place of the first two push constants.
    pub pushes_address: bool,
    /// Specialization constants: SpecId and the bytes of the value, four of a Boolean.
    pub constants: Vec<(u32, Vec<u8>)>,
    pub groups: [u32; 3],
}

impl ShaderJob {
    fn descriptor_type(&self, binding: u32) -> vk::DescriptorType {
        match self.uniforms.contains(&binding) {
            true => vk::DescriptorType::UNIFORM_BUFFER,
            false => vk::DescriptorType::STORAGE_BUFFER,
        }
    }
}

/// The reason that a shader does not run.
#[derive(Debug)]
pub enum Failure {
    /// The driver does not take the module.
    Refused(&'static str, vk::Result),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Refused(step, result) => write!(f, "{step} returns {result:?}"),
            Failure::Other(message) => f.write_str(message),
        }
    }
}

impl From<vk::Result> for Failure {
    fn from(result: vk::Result) -> Failure {
        Failure::Other(format!("Vulkan returns {result:?}"))
    }
}

/// Requirements of a module on Vulkan (`spec-extensions/inspect.md`, "Enable").
#[derive(Debug, Deserialize)]
struct Enable {
    refused: Option<serde_json::Value>,
    #[serde(default)]
    version: String,
    extensions: Vec<Extension>,
    features: Vec<Choice>,
    #[serde(default)]
    unknown: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Extension {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Choice {
    one_of: Vec<String>,
}

/// Returns the library's list of requirements of a module on this version of Vulkan.
fn enable(words: &[u32], version: Version) -> Result<Enable, String> {
    let options = InspectOptions::new().api(Api::Vulkan).api_version(version);
    let inspection = Module::from_words(words).and_then(|module| inspect(&module, &options));
    let json = inspection.and_then(|inspection| inspection.to_json()).map_err(|error| error.to_string())?;
    let mut json: serde_json::Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    serde_json::from_value(json["enable"].take()).map_err(|error| error.to_string())
}

/// The structure and the member of a feature, written as `VkPhysicalDeviceVulkan12Features::shaderFloat16 (Vulkan 1.2)`; None of what is no
/// feature.
fn feature(way: &str) -> Option<(&str, &str)> {
    let (structure, member) = way.split_once("::")?;
    let member = member.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    structure.contains("Features").then_some((structure, member))
}

impl Vulkan {
    pub fn open() -> Result<Vulkan, String> {
        // SAFETY: the loader's library is genuine; nothing of it is used after `entry` is gone.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| format!("no Vulkan loader: {error}"))?;
        let application = vk::ApplicationInfo::default().api_version(API);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: all that `info` points to lives until the end of the function.
        let instance = unsafe { entry.create_instance(&info, None) }.map_err(|error| error.to_string())?;
        // SAFETY: the instance is valid.
        let devices = unsafe { instance.enumerate_physical_devices() }.map_err(|error| error.to_string())?;
        let physical = *devices.first().ok_or("the driver has no device")?;
        Ok(Vulkan { instance, physical, devices: RefCell::default(), entry })
    }

    /// The version of Vulkan that can be used with the device.
    pub fn version(&self) -> Version {
        // SAFETY: the device is one of this instance, as everywhere below.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        let version = properties.api_version.min(API);
        Version::new(vk::api_version_major(version) as u8, vk::api_version_minor(version) as u8)
    }

    /// The device as the library sees it.
    pub fn probed(&self) -> Device {
        // SAFETY: the device is one of this instance, which was created for this version.
        unsafe {
            let device = spirv_if_probe::from_vulkan(&self.instance, self.physical, API).unwrap();
            let get = self.entry.static_fn().get_instance_proc_addr;
            spirv_if_probe::with_cooperative_matrices(device, get, &self.instance, self.physical)
        }
    }

    pub fn limits(&self) -> vk::PhysicalDeviceLimits {
        // SAFETY: the physical device is the instance's.
        unsafe { self.instance.get_physical_device_properties(self.physical) }.limits
    }

    /// Returns the size of a subgroup and the supported operations.
    pub fn subgroups(&self) -> (u32, vk::SubgroupFeatureFlags) {
        let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroups);
        // SAFETY: the chain is of structures of this version.
        unsafe { self.instance.get_physical_device_properties2(self.physical, &mut properties) };
        (subgroups.subgroup_size, subgroups.supported_operations)
    }

    /// Returns the features of the device, as far as [`Features`] lists them.
    pub fn present(&self) -> Features {
        // SAFETY: the physical device is the instance's.
        let extensions = unsafe { self.instance.enumerate_device_extension_properties(self.physical) };
        let mut present = Features::default().with_extensions(&extensions.unwrap_or_default());
        // SAFETY: the chain is of structures of this version, and of extensions of the device.
        present.chained(|chain| unsafe {
            self.instance.get_physical_device_features2(self.physical, chain);
        });
        present
    }

    /// Returns the features that a module needs, all present; the names of extensions, and of both.
    fn features(&self, words: &[u32]) -> Result<(Features, Vec<String>, BTreeSet<String>), String> {
        let mut present = self.present();
        let enable = enable(words, self.version())?;
        if enable.refused.is_some() || !enable.unknown.is_empty() {
            return Err(format!("Vulkan does not take it: {enable:?}"));
        }
        let version = enable.version.parse::<Version>();
        if !version.is_ok_and(|version| version <= self.version()) {
            return Err(format!("needs {enable:?}"));
        }
        let mut wanted = Features::default();
        let extensions: Vec<String> = enable.extensions.into_iter().map(|extension| extension.name).collect();
        let mut names: BTreeSet<String> = extensions.iter().cloned().collect();
        for choice in &enable.features {
            let has_one = choice.one_of.iter().any(|way| match feature(way) {
                Some((structure, member)) => {
                    let has = present.place(structure, member).is_some_and(|place| *place == vk::TRUE);
                    if has && let Some(place) = wanted.place(structure, member) {
                        *place = vk::TRUE;
                        names.insert(member.to_owned());
                    }
                    has
                }
                // Properties exist or not; they need not be enabled.
                None => true,
            });
            if !has_one {
                return Err(format!("the device has not {choice:?}, or features.rs does not know it"));
            }
        }
        Ok((wanted, extensions, names))
    }

    /// Runs the entry point `main` of a module on a device with only the features of the module `needs` enabled. Returns the buffers.
    pub fn run(&self, words: &[u32], needs: &[u32], job: &ShaderJob) -> Result<Vec<Vec<u32>>, Failure> {
        self.compile(words, needs, job)?.run(job)
    }

    /// Compiles the entry point `main` of a module for the interface of a job, on a device with only the features of the module `needs` enabled.
    pub fn compile(&self, words: &[u32], needs: &[u32], job: &ShaderJob) -> Result<CompiledShader, Failure> {
        let device = self.open_device(needs)?;
        // SAFETY: the process is for this module alone, so that a crash affects nothing else.
        let pipeline = unsafe { device.create_pipeline(words, job) }?;
        Ok(CompiledShader { device, pipeline })
    }

    /// Opens a device with only the requirements of a module enabled.
    pub fn open_device(&self, needs: &[u32]) -> Result<OpenDevice, Failure> {
        self.open_for(needs, false)
    }

    /// Like [`Vulkan::open_device`], with statistics of pipelines.
    pub fn open_compiler(&self, needs: &[u32]) -> Result<OpenDevice, Failure> {
        self.open_for(needs, true)
    }

    fn open_for(&self, needs: &[u32], statistics: bool) -> Result<OpenDevice, Failure> {
        let family = self.family()?;
        let device = self.device(needs, family, statistics)?;
        let executables = statistics
            .then(|| ash::khr::pipeline_executable_properties::Device::new(&self.instance, &device));
        // SAFETY: the device is one of this instance.
        let memory = unsafe { self.instance.get_physical_device_memory_properties(self.physical) };
        Ok(OpenDevice { device, family, memory, executables })
    }

    /// The family of queues that compute.
    fn family(&self) -> Result<u32, Failure> {
        // SAFETY: the device is one of this instance.
        let families = unsafe { self.instance.get_physical_device_queue_family_properties(self.physical) };
        let family = families.iter().position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
        Ok(family.ok_or_else(|| Failure::Other("no queue computes".to_owned()))? as u32)
    }

    /// A device with only the requirements of a module enabled, and statistics of pipelines.
    fn device(&self, needs: &[u32], family: u32, statistics: bool) -> Result<ash::Device, Failure> {
        let (mut features, mut extensions, mut names) = self.features(needs).map_err(Failure::Other)?;
        if statistics {
            let name = ash::khr::pipeline_executable_properties::NAME.to_string_lossy().into_owned();
            extensions.push(name.clone());
            names.insert(name);
        }
        if let Some(device) = self.devices.borrow().get(&names) {
            return Ok(device.clone());
        }
        let extensions: Vec<_> =
            extensions.into_iter().filter_map(|name| std::ffi::CString::new(name).ok()).collect();
        let extensions: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let queues =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
            .pipeline_executable_info(true);
        let device = features.chained(|chain| {
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let mut info = info.enabled_extension_names(&extensions).push_next(chain);
            if statistics {
                info = info.push_next(&mut executables);
            }
            // SAFETY: all that `info` points to lives until the call returns.
            unsafe { self.instance.create_device(self.physical, &info, None) }
        })?;
        self.devices.borrow_mut().insert(names, device.clone());
        Ok(device)
    }
}

/// A device that runs shaders. It and its objects are never destroyed: the process ends soon.
pub struct OpenDevice {
    pub device: ash::Device,
    family: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    /// The functions of statistics, if these are captured.
    executables: Option<ash::khr::pipeline_executable_properties::Device>,
}

/// A shader that the driver compiled once, for all its runs: to compile takes most of the time of a run.
pub struct CompiledShader {
    device: OpenDevice,
    pipeline: ComputePipeline,
}

impl CompiledShader {
    /// Runs the shader with the buffers and push constants of a job, as many and as long as those for which it was compiled. Returns the buffers.
    pub fn run(&self, job: &ShaderJob) -> Result<Vec<Vec<u32>>, Failure> {
        // SAFETY: like that of the pipeline.
        unsafe { self.device.dispatch(&self.pipeline, job) }
    }
}

/// A compute pipeline with its layout.
pub struct ComputePipeline {
    pipeline: vk::Pipeline,
    layout: vk::PipelineLayout,
    set_layouts: [vk::DescriptorSetLayout; 1],
}

impl OpenDevice {
    /// Creates the pipeline of the entry point `main` of a module, for the buffers, push constants and specialization constants of a job.
    ///
    /// # Safety
    /// The driver must accept the module: it may crash on one that the device does not support. That is for the process to bear, which runs nothing
    /// else.
    pub unsafe fn create_pipeline(&self, words: &[u32], job: &ShaderJob) -> Result<ComputePipeline, Failure> {
        // SAFETY: the caller's.
        unsafe { self.create_cached_pipeline(words, job, vk::PipelineCache::null()) }
            .map(|(pipeline, _)| pipeline)
    }

    /// Like [`OpenDevice::create_pipeline`], with a cache, if it is not null; true if that has the pipeline. The device has Vulkan 1.3 then.
    ///
    /// # Safety
    /// See [`OpenDevice::create_pipeline`].
    pub unsafe fn create_cached_pipeline(
        &self,
        words: &[u32],
        job: &ShaderJob,
        cache: vk::PipelineCache,
    ) -> Result<(ComputePipeline, bool), Failure> {
        let device = &self.device;
        // SAFETY: what infos point to lives until the calls return, and handles are of this device.
        unsafe {
            let info = vk::ShaderModuleCreateInfo::default().code(words);
            let shader = device
                .create_shader_module(&info, None)
                .map_err(|result| Failure::Refused("vkCreateShaderModule", result))?;
            let bindings: Vec<_> = (0..job.buffers.len() as u32)
                .map(|binding| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(binding)
                        .descriptor_type(job.descriptor_type(binding))
                        .descriptor_count(1)
                        .stage_flags(vk::ShaderStageFlags::COMPUTE)
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layouts = [device.create_descriptor_set_layout(&info, None)?];
            let pushed = bytes_of(&job.push_constants);
            let ranges = [vk::PushConstantRange::default()
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
                .size(pushed.len() as u32)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&set_layouts)
                .push_constant_ranges(if pushed.is_empty() { &[] } else { &ranges });
            let layout = device.create_pipeline_layout(&info, None)?;

            let mut values = Vec::new();
            let mut entries = Vec::new();
            for (id, value) in &job.constants {
                let entry = vk::SpecializationMapEntry::default().constant_id(*id);
                entries.push(entry.offset(values.len() as u32).size(value.len()));
                values.extend(value);
            }
            let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&values);
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(shader)
                .name(c"main")
                .specialization_info(&specialization);
            let mut info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            if self.executables.is_some() {
                info = info.flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR);
            }
            let mut told = vk::PipelineCreationFeedback::default();
            let mut of_stage = [vk::PipelineCreationFeedback::default()];
            let mut feedback = vk::PipelineCreationFeedbackCreateInfo::default()
                .pipeline_creation_feedback(&mut told)
                .pipeline_stage_creation_feedbacks(&mut of_stage);
            if cache != vk::PipelineCache::null() {
                info = info.push_next(&mut feedback);
            }
            let pipeline = device
                .create_compute_pipelines(cache, &[info], None)
                .map_err(|(_, result)| Failure::Refused("vkCreateComputePipelines", result))?[0];
            let hit = vk::PipelineCreationFeedbackFlags::APPLICATION_PIPELINE_CACHE_HIT;
            Ok((ComputePipeline { pipeline, layout, set_layouts }, told.flags.contains(hit)))
        }
    }

    /// Returns what the compiler says of a pipeline of a device that [`Vulkan::open_compiler`] opened: names and numbers.
    pub fn statistics(&self, created: &ComputePipeline) -> Result<Vec<(String, u64)>, Failure> {
        let executables =
            self.executables.as_ref().ok_or_else(|| Failure::Other("statistics are off".to_owned()))?;
        let info = vk::PipelineInfoKHR::default().pipeline(created.pipeline);
        // SAFETY: the pipeline is of this device, which captures them; it has the executables that are asked for.
        let statistics = unsafe {
            let count = executables.get_pipeline_executable_properties(&info)?.len();
            let of = |index| {
                let info = vk::PipelineExecutableInfoKHR::default().pipeline(created.pipeline);
                executables.get_pipeline_executable_statistics(&info.executable_index(index))
            };
            (0..count as u32).map(of).collect::<Result<Vec<_>, _>>()?
        };
        let number = |statistic: &vk::PipelineExecutableStatisticKHR| {
            let name = statistic.name_as_c_str().unwrap_or_default().to_string_lossy().into_owned();
            // SAFETY: the format says which it is; all drivers here have whole numbers.
            (statistic.format == vk::PipelineExecutableStatisticFormatKHR::UINT64)
                .then_some((name, unsafe { statistic.value.u64 }))
        };
        Ok(statistics.iter().flatten().filter_map(number).collect())
    }

    /// Runs a pipeline once with the buffers and push constants of a job. Returns the buffers.
    ///
    /// # Safety
    /// See [`OpenDevice::create_pipeline`].
    pub unsafe fn dispatch(
        &self,
        created: &ComputePipeline,
        job: &ShaderJob,
    ) -> Result<Vec<Vec<u32>>, Failure> {
        let device = &self.device;
        let &ComputePipeline { pipeline, layout, set_layouts } = created;
        let mut pushed = bytes_of(&job.push_constants);
        // SAFETY: what infos point to lives until the calls return, and handles are of this device.
        unsafe {
            let sizes =
                [vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::UNIFORM_BUFFER].map(|type_| {
                    vk::DescriptorPoolSize::default().ty(type_).descriptor_count(job.buffers.len() as u32)
                });
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = device.create_descriptor_pool(&info, None)?;
            let info =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
            let sets = device.allocate_descriptor_sets(&info)?;
            let mut mapped = Vec::new();
            for (binding, content) in (0..).zip(&job.buffers) {
                let (buffer, place) = self.buffer(content, job.pushes_address)?;
                mapped.push(place);
                if job.pushes_address {
                    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
                    pushed[..8].copy_from_slice(&device.get_buffer_device_address(&info).to_ne_bytes());
                }
                let buffers = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(sets[0])
                    .dst_binding(binding)
                    .descriptor_type(job.descriptor_type(binding))
                    .buffer_info(&buffers);
                device.update_descriptor_sets(&[write], &[]);
            }

            let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
            let pool = device.create_command_pool(&info, None)?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?;
            let buffer = commands[0];
            device.begin_command_buffer(buffer, &vk::CommandBufferBeginInfo::default())?;
            let point = vk::PipelineBindPoint::COMPUTE;
            device.cmd_bind_pipeline(buffer, point, pipeline);
            device.cmd_bind_descriptor_sets(buffer, point, layout, 0, &sets, &[]);
            if !pushed.is_empty() {
                device.cmd_push_constants(buffer, layout, vk::ShaderStageFlags::COMPUTE, 0, &pushed);
            }
            let [x, y, z] = job.groups;
            device.cmd_dispatch(buffer, x, y, z);
            let barrier = [vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::SHADER_WRITE)
                .dst_access_mask(vk::AccessFlags::HOST_READ)];
            let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
            device.cmd_pipeline_barrier(buffer, from, to, Default::default(), &barrier, &[], &[]);
            device.end_command_buffer(buffer)?;
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None)?;
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            device.queue_submit(device.get_device_queue(self.family, 0), &[submit], fence)?;
            device.wait_for_fences(&[fence], true, PATIENCE)?;
            let contents = mapped.iter().zip(&job.buffers);
            Ok(contents
                .map(|(place, before)| std::slice::from_raw_parts(*place, before.len()).to_vec())
                .collect())
        }
    }

    /// A buffer with these contents, and its mapped memory. It may have an address for shaders.
    ///
    /// # Safety
    /// The device must outlive its use.
    unsafe fn buffer(&self, content: &[u32], has_address: bool) -> Result<(vk::Buffer, *const u32), Failure> {
        // None may be empty.
        let size = content.len().max(4) as u64 * 4;
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: the memory is as large as the buffer, and mapped whole.
        unsafe {
            let mut usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
            let mut flags =
                vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            if has_address {
                usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            }
            let info = vk::BufferCreateInfo::default().size(size).usage(usage);
            let buffer = self.device.create_buffer(&info, None)?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let mut types = (0..).zip(&self.memory.memory_types[..self.memory.memory_type_count as usize]);
            let fits = |index: u32, kind: &vk::MemoryType| {
                needs.memory_type_bits >> index & 1 == 1 && kind.property_flags.contains(visible)
            };
            let visible = types.find(|&(index, kind)| fits(index, kind));
            let (index, _) = visible.ok_or_else(|| Failure::Other("no memory is visible".to_owned()))?;
            let mut info =
                vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
            if has_address {
                info = info.push_next(&mut flags);
            }
            let memory = self.device.allocate_memory(&info, None)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let place = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?.cast::<u32>();
            std::ptr::copy_nonoverlapping(content.as_ptr(), place, content.len());
            Ok((buffer, place))
        }
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}
