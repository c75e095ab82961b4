//! Functions of devices before a driver that only records its calls: what real drivers do not show.

use std::cell::RefCell;
use std::ffi::c_void;

use ash::vk::Handle;
use spirv_if::device::DeviceParts;
use spirv_if::{Module, PackOptions, pack};

use super::*;
use crate::interface::PipelineBinaryCreateInfo;
use crate::settings::LayerSettings;

/// A call of the driver.
#[derive(Clone, Debug, PartialEq)]
enum Call {
    /// vkCreateShaderModule, with the number of bytes.
    Create(usize),
    Destroy(u64),
    /// vkGetShaderModuleCreateInfoIdentifierEXT, with the number of bytes.
    Identify(usize),
    /// vkCreateComputePipelines, with the module.
    Compute(u64),
    /// vkCreateRayTracingPipelinesNV or vkCreateExecutionGraphPipelinesAMDX, with the module and true if the stage has a chain.
    Staged(u64, bool),
    /// vkCreateRayTracingPipelinesKHR, with the deferred operation, the module, and true if the stage has a chain.
    Rays(u64, u64, bool),
    /// vkGetPipelineKeyKHR or vkCreatePipelineBinariesKHR, with the module and true if the stage has a chain; without a pipeline, nothing.
    Described(Option<(u64, bool)>),
}

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// The one handle of all shader modules.
const MODULE: u64 = 5;

fn record(call: Call) {
    CALLS.with_borrow_mut(|calls| calls.push(call));
}

fn recorded() -> Vec<Call> {
    CALLS.take()
}

unsafe extern "system" fn create_module(
    _: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    result: *mut vk::ShaderModule,
) -> vk::Result {
    // SAFETY: the test's pointers, as below.
    unsafe {
        record(Call::Create((*info).code_size));
        *result = vk::ShaderModule::from_raw(MODULE);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_module(
    _: vk::Device,
    module: vk::ShaderModule,
    _: *const vk::AllocationCallbacks<'_>,
) {
    record(Call::Destroy(module.as_raw()));
}

unsafe extern "system" fn identify(
    _: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    _: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: as above.
    record(Call::Identify(unsafe { (*info).code_size }));
}

unsafe extern "system" fn create_compute(
    _: vk::Device,
    _: vk::PipelineCache,
    _: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    _: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: as above.
    record(Call::Compute(unsafe { (*infos).stage.module }.as_raw()));
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_rays(
    _: vk::Device,
    deferred: vk::DeferredOperationKHR,
    _: vk::PipelineCache,
    _: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    _: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: as above.
    let stage = unsafe { *(*infos).p_stages };
    record(Call::Rays(deferred.as_raw(), stage.module.as_raw(), !stage.p_next.is_null()));
    if deferred.is_null() { vk::Result::SUCCESS } else { vk::Result::OPERATION_DEFERRED_KHR }
}

/// Records the first stage of a pipeline of extensions.
unsafe fn staged(stages: *const vk::PipelineShaderStageCreateInfo<'_>) -> vk::Result {
    // SAFETY: as above.
    let stage = unsafe { &*stages };
    record(Call::Staged(stage.module.as_raw(), !stage.p_next.is_null()));
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_rays_nv(
    _: vk::Device,
    _: vk::PipelineCache,
    _: u32,
    infos: *const vk::RayTracingPipelineCreateInfoNV<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    _: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: as above.
    unsafe { staged((*infos).p_stages) }
}

unsafe extern "system" fn create_graphs(
    _: vk::Device,
    _: vk::PipelineCache,
    _: u32,
    infos: *const vk::ExecutionGraphPipelineCreateInfoAMDX<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    _: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: as above.
    unsafe { staged((*infos).p_stages) }
}

/// Records the compute pipeline that a VkPipelineCreateInfoKHR describes.
unsafe fn described(info: *const vk::BaseInStructure<'static>) -> vk::Result {
    // SAFETY: as above.
    let stage = unsafe {
        let pipeline = info.as_ref().map(|info| info.p_next.cast::<vk::ComputePipelineCreateInfo>());
        pipeline.and_then(|pipeline| pipeline.as_ref()).map(|pipeline| pipeline.stage)
    };
    record(Call::Described(stage.map(|stage| (stage.module.as_raw(), !stage.p_next.is_null()))));
    vk::Result::SUCCESS
}

unsafe extern "system" fn get_key(
    _: vk::Device,
    info: *const vk::BaseInStructure<'static>,
    _: *mut c_void,
) -> vk::Result {
    // SAFETY: as above.
    unsafe { described(info) }
}

unsafe extern "system" fn create_binaries(
    _: vk::Device,
    info: *const PipelineBinaryCreateInfo,
    _: *const vk::AllocationCallbacks<'_>,
    _: *mut c_void,
) -> vk::Result {
    // SAFETY: as above.
    unsafe { described((*info).pipeline_info) }
}

unsafe extern "system" fn find_function(_: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: names end in 0, and each function has the type that its name stands for.
    unsafe {
        let function = match CStr::from_ptr(name).to_bytes() {
            b"vkCreateShaderModule" => create_module as *const (),
            b"vkDestroyShaderModule" => destroy_module as *const (),
            b"vkGetShaderModuleCreateInfoIdentifierEXT" => identify as *const (),
            b"vkCreateComputePipelines" => create_compute as *const (),
            b"vkCreateRayTracingPipelinesKHR" => create_rays as *const (),
            b"vkCreateRayTracingPipelinesNV" => create_rays_nv as *const (),
            b"vkCreateExecutionGraphPipelinesAMDX" => create_graphs as *const (),
            b"vkGetPipelineKeyKHR" => get_key as *const (),
            b"vkCreatePipelineBinariesKHR" => create_binaries as *const (),
            _ => return None,
        };
        Some(std::mem::transmute::<*const (), unsafe extern "system" fn()>(function))
    }
}

/// A device with these capabilities.
fn device(capabilities: &str) -> vk::Device {
    device_with(capabilities, None)
}

/// Like [`device`], with folding if it is given. The handle points to a pointer as those of the loader do.
fn device_with(capabilities: &str, fold: Option<ConstantFold>) -> vk::Device {
    let table: &'static usize = Box::leak(Box::new(0));
    let key: &'static usize = Box::leak(Box::new(std::ptr::from_ref(table).expose_provenance()));
    let handle = vk::Device::from_raw(std::ptr::from_ref(key).expose_provenance() as u64);
    let described = DeviceParts::new().capabilities(capabilities).to_device(None);
    // SAFETY: the handle is one of a device, as far as the layer looks at it.
    unsafe {
        let device = LayerDevice {
            handle,
            get_device_proc_addr: find_function,
            next: NextFunctions::load(find_function, handle),
            specializer: Specializer {
                device: described.map_err(|error| error.to_string()),
                settings: LayerSettings::default(),
            },
            fold,
            instance: Weak::new(),
            modules: RwLock::default(),
        };
        DEVICES.insert(dispatch_key(handle), Arc::new(device));
    }
    handle
}

/// The words of a module that nothing is conditional in, and of a fixture, packed.
fn words(fixture: &str) -> [Vec<u32>; 2] {
    let bytes = |fixture| std::fs::read(format!("../../fixtures/{fixture}.spv")).unwrap();
    let (plain, conditional) = (bytes("ubershaders/post"), bytes(fixture));
    let [plain, conditional] = [&plain, &conditional].map(|bytes| Module::from_bytes(bytes).unwrap());
    [plain.words().to_vec(), pack(&conditional, &PackOptions::new()).unwrap().words]
}

fn info(code: &[u32]) -> vk::ShaderModuleCreateInfo<'_> {
    vk::ShaderModuleCreateInfo::default().code(code)
}

#[test]
fn an_identifier_is_that_of_the_specialized_module() {
    let device = device("Shader");
    let [plain, packed] = words("vulkan/chain");
    let mut module = vk::ShaderModule::null();
    let mut identifier = vk::ShaderModuleIdentifierEXT::default();
    for (code, is_packed) in [(packed, true), (plain, false)] {
        // SAFETY: the pointers are valid.
        unsafe {
            let created = create_shader_module(device, &info(&code), std::ptr::null(), &mut module);
            assert_eq!(created, vk::Result::SUCCESS);
            identify_shader_module(device, &info(&code), &mut identifier);
        }
        let [Call::Create(created), Call::Identify(identified)] = recorded()[..] else { panic!() };
        assert_eq!((created, created < 4 * code.len()), (identified, is_packed));
    }
}

#[test]
fn a_pipeline_with_replaced_code_is_not_deferred() {
    let device = device("Shader,RayTracingKHR");
    let [plain, packed] = words("layers/rays");
    let operation = vk::DeferredOperationKHR::from_raw(9);
    let create = |code: &[u32]| {
        let mut chained = info(code);
        let stages = [vk::PipelineShaderStageCreateInfo::default().push_next(&mut chained)];
        let info = vk::RayTracingPipelineCreateInfoKHR::default().stages(&stages);
        let mut pipeline = vk::Pipeline::null();
        let create = pipelines::create_ray_tracing_pipelines;
        // SAFETY: the pointers are valid.
        unsafe {
            let info = (&raw const info).cast();
            create(device, operation, vk::PipelineCache::null(), 1, info, std::ptr::null(), &mut pipeline)
        }
    };
    assert_eq!(create(&packed), vk::Result::OPERATION_NOT_DEFERRED_KHR);
    let calls = recorded();
    assert!(matches!(calls[0], Call::Create(_)), "{calls:?}");
    assert_eq!(calls[1..], [Call::Rays(0, MODULE, false), Call::Destroy(MODULE)]);
    assert_eq!(create(&plain), vk::Result::OPERATION_DEFERRED_KHR);
    assert_eq!(recorded(), [Call::Rays(9, 0, true)]);
}

#[test]
fn values_decide_only_in_modules_that_exist() {
    let device = device("Shader");
    let [plain, packed] = words("decisions/glsldecisions");
    let (entries, data) = ([vk::SpecializationMapEntry { constant_id: 1, offset: 0, size: 4 }], [1, 0, 0, 0]);
    let values = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
    let create = |code: &[u32]| {
        let mut module = vk::ShaderModule::null();
        // SAFETY: the pointers are valid.
        unsafe {
            let created = create_shader_module(device, &info(code), std::ptr::null(), &mut module);
            assert_eq!(created, vk::Result::SUCCESS);
            recorded();
            let stage =
                vk::PipelineShaderStageCreateInfo::default().module(module).specialization_info(&values);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage);
            let mut pipeline = vk::Pipeline::null();
            let info = (&raw const info).cast();
            let cache = vk::PipelineCache::null();
            let create = pipelines::create_compute_pipelines;
            let created = create(device, cache, 1, info, std::ptr::null(), &mut pipeline);
            assert_eq!(created, vk::Result::SUCCESS);
            let calls = recorded();
            destroy_shader_module(device, module, std::ptr::null());
            assert_eq!(recorded(), [Call::Destroy(MODULE)]);
            calls
        }
    };
    let calls = create(&packed);
    assert!(matches!(calls[0], Call::Create(_)), "{calls:?}");
    assert_eq!(calls[1..], [Call::Compute(MODULE), Call::Destroy(MODULE)]);
    // The driver gives the handle of the module that was destroyed to this one.
    assert_eq!(create(&plain), [Call::Compute(MODULE)]);
}

#[test]
fn keys_and_binaries_are_those_of_the_created_pipeline() {
    let device = device("Shader");
    let [plain, packed] = words("vulkan/chain");
    let describe = |code: &[u32]| {
        let mut chained = info(code);
        let stage = vk::PipelineShaderStageCreateInfo::default().push_next(&mut chained);
        let pipeline = vk::ComputePipelineCreateInfo::default().stage(stage);
        // VkPipelineCreateInfoKHR, whose number the layer does not look at.
        let info = vk::BaseInStructure {
            s_type: vk::StructureType::from_raw(0),
            p_next: (&raw const pipeline).cast(),
            _marker: Default::default(),
        };
        let binaries = PipelineBinaryCreateInfo {
            s_type: vk::StructureType::from_raw(0),
            p_next: std::ptr::null(),
            keys_and_data: std::ptr::null(),
            pipeline: vk::Pipeline::null(),
            pipeline_info: &info,
        };
        // SAFETY: the pointers are valid.
        unsafe {
            let null = std::ptr::null_mut();
            assert_eq!(pipelines::get_pipeline_key(device, &info, null), vk::Result::SUCCESS);
            let created = pipelines::create_pipeline_binaries(device, &binaries, std::ptr::null(), null);
            assert_eq!(created, vk::Result::SUCCESS);
        }
        recorded()
    };
    let calls = describe(&packed);
    let one = [Call::Described(Some((MODULE, false))), Call::Destroy(MODULE)];
    assert_eq!((&calls[1..3], &calls[4..]), (&one[..], &one[..]), "{calls:?}");
    assert_eq!(describe(&plain), vec![Call::Described(Some((0, true))); 2]);
    // SAFETY: without a pipeline, the key is that of the driver.
    let status = unsafe { pipelines::get_pipeline_key(device, std::ptr::null(), std::ptr::null_mut()) };
    assert_eq!((status, recorded()), (vk::Result::SUCCESS, vec![Call::Described(None)]));
}

#[test]
fn code_in_pipelines_of_extensions_is_replaced() {
    let device = device("Shader,RayTracingKHR");
    let [_, packed] = words("layers/rays");
    let mut chained = info(&packed);
    let stages = [vk::PipelineShaderStageCreateInfo::default().push_next(&mut chained)];
    let rays = vk::RayTracingPipelineCreateInfoNV::default().stages(&stages);
    let graph = vk::ExecutionGraphPipelineCreateInfoAMDX::default().stages(&stages);
    let (cache, mut pipeline) = (vk::PipelineCache::null(), vk::Pipeline::null());
    // SAFETY: the pointers are valid.
    unsafe {
        let (rays, graph) = ((&raw const rays).cast(), (&raw const graph).cast());
        let create = pipelines::create_ray_tracing_pipelines_nv;
        assert_eq!(create(device, cache, 1, rays, std::ptr::null(), &mut pipeline), vk::Result::SUCCESS);
        let create = pipelines::create_execution_graph_pipelines;
        assert_eq!(create(device, cache, 1, graph, std::ptr::null(), &mut pipeline), vk::Result::SUCCESS);
    }
    let calls = recorded();
    let one = [Call::Staged(MODULE, false), Call::Destroy(MODULE)];
    assert_eq!((&calls[1..3], &calls[4..]), (&one[..], &one[..]), "{calls:?}");
}

/// The driver gets a smaller module wherever it gets values; its identifiers are those of the module of the application.
#[test]
fn folded_modules_are_those_of_keys_and_not_of_identifiers() {
    let fold = |min_size| ConstantFold { min_size, cache: None, driver: Vec::new() };
    let [plain, _] = words("ubershaders/post");
    let size = 4 * plain.len();
    let (entries, data) = ([vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }], [0; 4]);
    let values = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
    let calls = |min_size: usize, values: &vk::SpecializationInfo| {
        let device = device_with("Shader", Some(fold(min_size as u64)));
        let mut module = vk::ShaderModule::null();
        let mut identifier = vk::ShaderModuleIdentifierEXT::default();
        // SAFETY: the pointers are valid.
        unsafe {
            let created = create_shader_module(device, &info(&plain), std::ptr::null(), &mut module);
            assert_eq!(created, vk::Result::SUCCESS);
            identify_shader_module(device, &info(&plain), &mut identifier);
            let stage =
                vk::PipelineShaderStageCreateInfo::default().module(module).specialization_info(values);
            let pipeline = vk::ComputePipelineCreateInfo::default().stage(stage);
            let described = vk::BaseInStructure {
                s_type: vk::StructureType::from_raw(0),
                p_next: (&raw const pipeline).cast(),
                _marker: Default::default(),
            };
            let created = pipelines::get_pipeline_key(device, &described, std::ptr::null_mut());
            assert_eq!(created, vk::Result::SUCCESS);
            let (cache, mut created) = (vk::PipelineCache::null(), vk::Pipeline::null());
            let info = (&raw const pipeline).cast();
            let create = pipelines::create_compute_pipelines;
            let status = create(device, cache, 1, info, std::ptr::null(), &mut created);
            assert_eq!(status, vk::Result::SUCCESS);
            destroy_shader_module(device, module, std::ptr::null());
            // Another module may have the handle now.
            assert!(find(device).unwrap().replace_module(module, values).unwrap().is_none());
        }
        recorded()
    };
    let folded = calls(0, &values);
    let [Call::Create(_), Call::Identify(_), Call::Create(small), ..] = folded[..] else {
        panic!("{folded:?}")
    };
    assert!(small * 5 < size, "{small} of {size}");
    let destroyed = Call::Destroy(MODULE);
    let unfolded = [Call::Create(size), Call::Identify(size)];
    let key = [Call::Create(small), Call::Described(Some((MODULE, false))), destroyed.clone()];
    let pipeline = [Call::Create(small), Call::Compute(MODULE), destroyed.clone(), destroyed.clone()];
    assert_eq!(folded, [&unfolded[..], &key, &pipeline].concat());
    let as_is = [Call::Described(Some((MODULE, false))), Call::Compute(MODULE), destroyed];
    let left = [&unfolded[..], &as_is].concat();
    assert_eq!(calls(size + 1, &values), left);
    assert_eq!(calls(0, &vk::SpecializationInfo::default()), left);
}
