//! Creation of pipelines and shader objects: code in the structures of stages is specialized, and modules whose conditions depend on values of
//! specialization constants. Everything else, such as handles of modules, goes to the next layer as it is.

use std::any::Any;
use std::ffi::c_void;

use ash::vk;

use crate::boundary::guarded;
use crate::device::{LayerDevice, code_of, find};
use crate::interface::{self, PipelineBinaryCreateInfo, list};

type Stage = vk::PipelineShaderStageCreateInfo<'static>;

/// The structures that may stand before code in the chain of a stage, with their sizes.
const BEFORE_CODE: [(vk::StructureType, usize); 5] = [
    size_of_structure::<vk::DebugUtilsObjectNameInfoEXT>(),
    size_of_structure::<vk::PipelineRobustnessCreateInfoEXT>(),
    size_of_structure::<vk::PipelineShaderStageNodeCreateInfoAMDX>(),
    size_of_structure::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>(),
    size_of_structure::<vk::ShaderModuleValidationCacheCreateInfoEXT>(),
];

const fn size_of_structure<T: vk::TaggedStructure>() -> (vk::StructureType, usize) {
    (T::STRUCTURE_TYPE, size_of::<T>())
}

/// A structure that describes a pipeline.
trait PipelineInfo: Copy {
    /// Returns the stages with shaders.
    ///
    /// # Safety
    /// The structure is valid.
    unsafe fn shader_stages(&self) -> &[Stage];

    /// Replaces the stages by as many others.
    ///
    /// # Safety
    /// There are as many, and they live as long as the structure is used.
    unsafe fn set_shader_stages(&mut self, stages: *const Stage);
}

impl PipelineInfo for vk::ComputePipelineCreateInfo<'static> {
    unsafe fn shader_stages(&self) -> &[Stage] {
        std::slice::from_ref(&self.stage)
    }

    unsafe fn set_shader_stages(&mut self, stages: *const Stage) {
        // SAFETY: the caller's.
        self.stage = unsafe { *stages };
    }
}

impl PipelineInfo for vk::GraphicsPipelineCreateInfo<'static> {
    unsafe fn shader_stages(&self) -> &[Stage] {
        // SAFETY: the caller's.
        unsafe { if has_shaders(self) { list(self.p_stages, self.stage_count) } else { &[] } }
    }

    unsafe fn set_shader_stages(&mut self, stages: *const Stage) {
        self.p_stages = stages;
    }
}

/// Implements the trait for structures of which all stages count.
macro_rules! pipelines_with_stages {
    ($($info:ident)*) => {
        $(impl PipelineInfo for vk::$info<'static> {
            unsafe fn shader_stages(&self) -> &[Stage] {
                // SAFETY: the caller's.
                unsafe { list(self.p_stages, self.stage_count) }
            }

            unsafe fn set_shader_stages(&mut self, stages: *const Stage) {
                self.p_stages = stages;
            }
        })*
    };
}

pipelines_with_stages! {
    ExecutionGraphPipelineCreateInfoAMDX
    RayTracingPipelineCreateInfoKHR
    RayTracingPipelineCreateInfoNV
}

/// True if the stages of a graphics pipeline count. A library of other state has none, and its pointer may lead anywhere.
///
/// # Safety
/// The structure is valid.
unsafe fn has_shaders(info: &vk::GraphicsPipelineCreateInfo) -> bool {
    use vk::GraphicsPipelineLibraryFlagsEXT as Part;
    // SAFETY: the caller's.
    unsafe {
        if let Some(library) = interface::find::<vk::GraphicsPipelineLibraryCreateInfoEXT>(info.p_next) {
            return library.flags.intersects(Part::PRE_RASTERIZATION_SHADERS | Part::FRAGMENT_SHADER);
        }
        let flags = interface::find::<vk::PipelineCreateFlags2CreateInfoKHR>(info.p_next);
        let is_library = match flags {
            Some(info) => info.flags.contains(vk::PipelineCreateFlags2KHR::LIBRARY),
            None => info.flags.contains(vk::PipelineCreateFlags::LIBRARY_KHR),
        };
        let linked = interface::find::<vk::PipelineLibraryCreateInfoKHR>(info.p_next);
        !is_library && linked.is_none_or(|linked| linked.library_count == 0)
    }
}

/// Stages of pipelines with other modules, which live until the pipelines are created.
struct ReplacedStages<'d> {
    device: &'d LayerDevice,
    modules: Vec<vk::ShaderModule>,
    stages: Vec<Vec<Stage>>,
    structures: Vec<Vec<u64>>,
    /// Descriptions of pipelines in chains.
    infos: Vec<Box<dyn Any>>,
}

impl Drop for ReplacedStages<'_> {
    fn drop(&mut self) {
        for module in self.modules.drain(..) {
            // SAFETY: they were created for these pipelines, and nothing else uses them.
            unsafe { self.device.destroy_module(module, std::ptr::null()) };
        }
    }
}

impl<'d> ReplacedStages<'d> {
    fn new(device: &'d LayerDevice) -> ReplacedStages<'d> {
        ReplacedStages {
            device,
            modules: Vec::new(),
            stages: Vec::new(),
            structures: Vec::new(),
            infos: Vec::new(),
        }
    }

    /// Returns descriptions of pipelines with specialized modules; `None` if they stay as they are.
    ///
    /// # Safety
    /// The structures are valid.
    unsafe fn replace<I: PipelineInfo>(&mut self, infos: &[I]) -> Result<Option<Vec<I>>, vk::Result> {
        let mut replaced: Option<Vec<I>> = None;
        for (index, info) in infos.iter().enumerate() {
            // SAFETY: the caller's. The stages live as long as this.
            unsafe {
                if let Some(stages) = self.replace_stages(info.shader_stages())? {
                    replaced.get_or_insert_with(|| infos.to_vec())[index].set_shader_stages(stages);
                }
            }
        }
        Ok(replaced)
    }

    /// Like [`ReplacedStages::replace`], for a pipeline that the chain of another structure describes.
    ///
    /// # Safety
    /// See [`ReplacedStages::replace`].
    unsafe fn replace_described(
        &mut self,
        info: *const vk::BaseInStructure<'static>,
    ) -> Result<Option<vk::BaseInStructure<'static>>, vk::Result> {
        // SAFETY: the caller's. The number stands for the type.
        unsafe {
            let Some(info) = info.as_ref().filter(|info| !info.p_next.is_null()) else { return Ok(None) };
            let described = info.p_next;
            let replaced = match (*described).s_type {
                vk::StructureType::COMPUTE_PIPELINE_CREATE_INFO => {
                    self.replace_one(&*described.cast::<vk::ComputePipelineCreateInfo>())?
                }
                vk::StructureType::GRAPHICS_PIPELINE_CREATE_INFO => {
                    self.replace_one(&*described.cast::<vk::GraphicsPipelineCreateInfo>())?
                }
                vk::StructureType::RAY_TRACING_PIPELINE_CREATE_INFO_KHR => {
                    self.replace_one(&*described.cast::<vk::RayTracingPipelineCreateInfoKHR>())?
                }
                _ => None,
            };
            Ok(replaced.map(|p_next| vk::BaseInStructure { p_next, ..*info }))
        }
    }

    /// # Safety
    /// See [`ReplacedStages::replace`].
    unsafe fn replace_one<I: PipelineInfo + 'static>(
        &mut self,
        info: &I,
    ) -> Result<Option<*const vk::BaseInStructure<'static>>, vk::Result> {
        // SAFETY: the caller's.
        let Some(replaced) = unsafe { self.replace(std::slice::from_ref(info)) }? else { return Ok(None) };
        let start = replaced.as_ptr().cast();
        self.infos.push(Box::new(replaced));
        Ok(Some(start))
    }

    /// # Safety
    /// See [`ReplacedStages::replace`].
    unsafe fn replace_stages(&mut self, stages: &[Stage]) -> Result<Option<*const Stage>, vk::Result> {
        let mut replaced: Option<Vec<Stage>> = None;
        for (index, stage) in stages.iter().enumerate() {
            // SAFETY: the caller's.
            if let Some(stage) = unsafe { self.replace_stage(stage) }? {
                replaced.get_or_insert_with(|| stages.to_vec())[index] = stage;
            }
        }
        let Some(stages) = replaced else { return Ok(None) };
        let start = stages.as_ptr();
        self.stages.push(stages);
        Ok(Some(start))
    }

    /// Returns a stage with a module in place of code in its chain, or of a module that depends on values of constants.
    ///
    /// # Safety
    /// See [`ReplacedStages::replace`].
    unsafe fn replace_stage(&mut self, stage: &Stage) -> Result<Option<Stage>, vk::Result> {
        // SAFETY: the caller's.
        unsafe {
            let values = stage.p_specialization_info.as_ref();
            let mut replaced = *stage;
            let code = if stage.module == vk::ShaderModule::null() {
                let chained = interface::find::<vk::ShaderModuleCreateInfo>(stage.p_next);
                chained.map(|info| self.device.replace_code(code_of(info), values)).transpose()?
            } else {
                values.map(|values| self.device.replace_module(stage.module, values)).transpose()?
            };
            let Some(code) = code.flatten() else { return Ok(None) };
            if stage.module == vk::ShaderModule::null() {
                replaced.p_next = without_code(stage.p_next, &mut self.structures);
            }
            let info = vk::ShaderModuleCreateInfo::default().code(&code);
            self.device.create_module(&info, std::ptr::null(), &mut replaced.module).result()?;
            self.modules.push(replaced.module);
            Ok(Some(replaced))
        }
    }
}

/// Returns the chain of a stage without code, of which `copies` are parts. Behind a structure of unknown size the code stays: a stage with a module
/// does not use it.
///
/// # Safety
/// The chain is valid.
unsafe fn without_code(chain: *const c_void, copies: &mut Vec<Vec<u64>>) -> *const c_void {
    // SAFETY: the caller's. The copies have the sizes of their structures.
    unsafe {
        let code = vk::StructureType::SHADER_MODULE_CREATE_INFO;
        let all: Vec<_> = interface::structures(chain).collect();
        let Some(place) = all.iter().position(|&one| (*one).s_type == code) else { return chain };
        let mut rest = (*all[place]).p_next;
        for &structure in all[..place].iter().rev() {
            let known = BEFORE_CODE.iter().find(|(number, _)| *number == (*structure).s_type);
            let Some(&(_, size)) = known else { return chain };
            let mut copy = vec![0u64; size.div_ceil(8)];
            let start = copy.as_mut_ptr();
            std::ptr::copy_nonoverlapping(structure.cast::<u8>(), start.cast(), size);
            (*start.cast::<vk::BaseInStructure>()).p_next = rest;
            rest = start.cast();
            copies.push(copy);
        }
        rest.cast()
    }
}

/// Calls a function that creates objects from a list of structures. If that fails before the call, the objects are null.
///
/// # Safety
/// There is room for as many objects.
unsafe fn create<T>(
    function: &str,
    objects: (*mut T, u32),
    body: impl FnOnce() -> Result<vk::Result, vk::Result>,
) -> vk::Result {
    guarded(function, Err(vk::Result::ERROR_UNKNOWN), body).unwrap_or_else(|error| {
        let (first, count) = objects;
        // SAFETY: the caller's. Handles that are null are zeros.
        unsafe { std::ptr::write_bytes(first, 0, count as usize) };
        error
    })
}

/// Declares functions that create pipelines at once, each with the structure that describes one.
macro_rules! create_pipelines {
    ($($(#[$attribute:meta])* $function:ident: $info:ident = $name:literal;)*) => {
        $($(#[$attribute])*
        pub unsafe extern "system" fn $function(
            device: vk::Device,
            cache: vk::PipelineCache,
            count: u32,
            infos: *const vk::$info<'static>,
            allocator: *const vk::AllocationCallbacks<'_>,
            pipelines: *mut vk::Pipeline,
        ) -> vk::Result {
            // SAFETY: the caller's.
            unsafe {
                create($name, (pipelines, count), || {
                    let layer_device = find(device)?;
                    let next = layer_device.next.$function.ok_or(vk::Result::ERROR_UNKNOWN)?;
                    let mut stages = ReplacedStages::new(&layer_device);
                    let replaced = stages.replace(list(infos, count))?;
                    let infos = replaced.as_ref().map_or(infos, |replaced| replaced.as_ptr());
                    Ok(next(device, cache, count, infos, allocator, pipelines))
                })
            }
        })*
    };
}

create_pipelines! {
    /// vkCreateComputePipelines.
    ///
    /// # Safety
    /// See Vulkan's specification, as for all functions below.
    create_compute_pipelines: ComputePipelineCreateInfo = "vkCreateComputePipelines";
    /// vkCreateGraphicsPipelines.
    create_graphics_pipelines: GraphicsPipelineCreateInfo = "vkCreateGraphicsPipelines";
    /// vkCreateRayTracingPipelinesNV.
    create_ray_tracing_pipelines_nv: RayTracingPipelineCreateInfoNV = "vkCreateRayTracingPipelinesNV";
    /// vkCreateExecutionGraphPipelinesAMDX.
    create_execution_graph_pipelines: ExecutionGraphPipelineCreateInfoAMDX = "vkCreateExecutionGraphPipelinesAMDX";
}

/// vkCreateRayTracingPipelinesKHR.
pub unsafe extern "system" fn create_ray_tracing_pipelines(
    device: vk::Device,
    deferred: vk::DeferredOperationKHR,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'static>,
    allocator: *const vk::AllocationCallbacks<'_>,
    pipelines: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe {
        create("vkCreateRayTracingPipelinesKHR", (pipelines, count), || {
            let layer_device = find(device)?;
            let next = layer_device.next.create_ray_tracing_pipelines.ok_or(vk::Result::ERROR_UNKNOWN)?;
            let mut stages = ReplacedStages::new(&layer_device);
            let Some(replaced) = stages.replace(list(infos, count))? else {
                return Ok(next(device, deferred, cache, count, infos, allocator, pipelines));
            };
            // What replaces the application's structures lives only until the call returns, so nothing is deferred.
            let none = vk::DeferredOperationKHR::null();
            let status = next(device, none, cache, count, replaced.as_ptr(), allocator, pipelines);
            let is_deferred = deferred != none && status == vk::Result::SUCCESS;
            Ok(if is_deferred { vk::Result::OPERATION_NOT_DEFERRED_KHR } else { status })
        })
    }
}

/// vkGetPipelineKeyKHR: the key is that of the pipeline that is created. Without a pipeline it is the driver's.
pub unsafe extern "system" fn get_pipeline_key(
    device: vk::Device,
    info: *const vk::BaseInStructure<'static>,
    key: *mut c_void,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe {
        create("vkGetPipelineKeyKHR", (std::ptr::dangling_mut::<u8>(), 0), || {
            let layer_device = find(device)?;
            let next = layer_device.next.get_pipeline_key.ok_or(vk::Result::ERROR_UNKNOWN)?;
            let mut stages = ReplacedStages::new(&layer_device);
            let replaced = stages.replace_described(info)?;
            Ok(next(device, replaced.as_ref().map_or(info, |replaced| replaced), key))
        })
    }
}

/// vkCreatePipelineBinariesKHR: a pipeline of which the driver is to have binaries is the one that is created.
pub unsafe extern "system" fn create_pipeline_binaries(
    device: vk::Device,
    info: *const PipelineBinaryCreateInfo,
    allocator: *const vk::AllocationCallbacks<'_>,
    binaries: *mut c_void,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe {
        create("vkCreatePipelineBinariesKHR", (std::ptr::dangling_mut::<u8>(), 0), || {
            let layer_device = find(device)?;
            let next = layer_device.next.create_pipeline_binaries.ok_or(vk::Result::ERROR_UNKNOWN)?;
            let mut stages = ReplacedStages::new(&layer_device);
            let Some(replaced) = stages.replace_described((*info).pipeline_info)? else {
                return Ok(next(device, info, allocator, binaries));
            };
            let info = PipelineBinaryCreateInfo { pipeline_info: &replaced, ..*info };
            Ok(next(device, &info, allocator, binaries))
        })
    }
}

/// vkCreateShadersEXT.
pub unsafe extern "system" fn create_shaders(
    device: vk::Device,
    count: u32,
    infos: *const vk::ShaderCreateInfoEXT<'static>,
    allocator: *const vk::AllocationCallbacks<'_>,
    shaders: *mut vk::ShaderEXT,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe {
        create("vkCreateShadersEXT", (shaders, count), || {
            let layer_device = find(device)?;
            let next = layer_device.next.create_shaders.ok_or(vk::Result::ERROR_UNKNOWN)?;
            let mut codes = Vec::new();
            let mut replaced: Option<Vec<vk::ShaderCreateInfoEXT>> = None;
            let all = list(infos, count);
            for (index, info) in all.iter().enumerate() {
                if info.code_type != vk::ShaderCodeTypeEXT::SPIRV {
                    continue;
                }
                let words = (info.code_size / 4).try_into().unwrap_or_default();
                let code = list(info.p_code.cast::<u32>(), words);
                let values = info.p_specialization_info.as_ref();
                if let Some(code) = layer_device.replace_code(code, values)? {
                    let replaced = &mut replaced.get_or_insert_with(|| all.to_vec())[index];
                    replaced.p_code = code.as_ptr().cast();
                    replaced.code_size = 4 * code.len();
                    codes.push(code);
                }
            }
            let infos = replaced.as_ref().map_or(infos, |replaced| replaced.as_ptr());
            Ok(next(device, count, infos, allocator, shaders))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the structures in a chain.
    fn numbers(chain: *const c_void) -> Vec<i32> {
        // SAFETY: the chain is that of a test.
        unsafe { interface::structures(chain).map(|structure| (*structure).s_type.as_raw()).collect() }
    }

    #[test]
    fn code_leaves_a_chain() {
        let last = vk::PipelineRobustnessCreateInfoEXT::default();
        let code = vk::ShaderModuleCreateInfo { p_next: (&raw const last).cast(), ..Default::default() };
        let second = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo {
            p_next: (&raw const code).cast_mut().cast(),
            required_subgroup_size: 32,
            ..Default::default()
        };
        let first = vk::DebugUtilsObjectNameInfoEXT {
            p_next: (&raw const second).cast(),
            object_handle: 7,
            ..Default::default()
        };
        let mut copies = Vec::new();
        // SAFETY: the structures live until the end of the function.
        unsafe {
            let chain = without_code((&raw const first).cast(), &mut copies);
            let expected = [first.s_type, second.s_type, last.s_type].map(vk::StructureType::as_raw);
            assert_eq!(numbers(chain), expected);
            let copy = interface::find::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>(chain);
            assert_eq!(copy.map(|copy| copy.required_subgroup_size), Some(32));
            assert_eq!(
                interface::find::<vk::DebugUtilsObjectNameInfoEXT>(chain).map(|copy| copy.object_handle),
                Some(7)
            );
            // The application's structures are as they were.
            assert_eq!(numbers((&raw const first).cast()).len(), 4);
            assert_eq!(without_code((&raw const code).cast(), &mut copies), (&raw const last).cast());
            // Nobody knows how much of this one to copy.
            let unknown = vk::BaseInStructure {
                s_type: vk::StructureType::from_raw(i32::MAX),
                p_next: (&raw const code).cast(),
                _marker: Default::default(),
            };
            let chain = (&raw const unknown).cast();
            assert_eq!(without_code(chain, &mut copies), chain);
        }
    }

    #[test]
    fn stages_of_a_library_without_shaders_do_not_count() {
        use vk::GraphicsPipelineLibraryFlagsEXT as Part;
        let plain = vk::GraphicsPipelineCreateInfo::default();
        let mut parts =
            [Part::VERTEX_INPUT_INTERFACE, Part::PRE_RASTERIZATION_SHADERS, Part::FRAGMENT_SHADER]
                .map(|part| vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(part));
        let [input, vertex, fragment] = &mut parts;
        let libraries = [vk::Pipeline::null()];
        let mut linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
        let mut flags =
            vk::PipelineCreateFlags2CreateInfoKHR::default().flags(vk::PipelineCreateFlags2KHR::LIBRARY);
        let library = vk::PipelineCreateFlags::LIBRARY_KHR;
        // SAFETY: the structures live until the end of the function.
        unsafe {
            assert!(has_shaders(&plain) && has_shaders(&plain.push_next(vertex)));
            assert!(has_shaders(&plain.flags(library).push_next(fragment)));
            assert!(!has_shaders(&plain.push_next(input)) && !has_shaders(&plain.push_next(&mut linked)));
            assert!(!has_shaders(&plain.flags(library)) && !has_shaders(&plain.push_next(&mut flags)));
            let stray = vk::GraphicsPipelineCreateInfo {
                stage_count: 7,
                p_stages: std::ptr::without_provenance(16),
                ..plain.flags(library)
            };
            assert!(stray.shader_stages().is_empty());
        }
    }
}
