//! Vulkan devices. The structures are described by a table, so they have no types here: each is a buffer with
//! the members of the table.

use std::collections::BTreeSet;
use std::ffi::CStr;

use ash::vk;

use spirv_if::device::CooperativeMatrix;
use spirv_if::device::{Api, Device, DeviceReport};
use spirv_if::engine::device::reports::{VulkanReport, end, places};
use spirv_if::engine::device::structures::{self, Structure, StructureKind};
use spirv_if::module::Version;

use crate::{ProbeError, set_host_target};

/// Reads a Vulkan device from its driver.
///
/// `api_version` is that of the VkApplicationInfo with which the instance was created; features of later
/// versions cannot be used with it. 0 means 1.0, as in Vulkan. With 1.0, features of extensions are not
/// queried.
///
/// # Errors
/// If the number is not a version of Vulkan.
///
/// # Safety
/// The physical device is one of the instance, which is alive.
pub unsafe fn from_vulkan(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    api_version: u32,
) -> Result<Device, ProbeError> {
    let api_version = checked_version(api_version)?;
    // SAFETY: as above.
    Ok(described(&unsafe { report(instance, physical, api_version) }))
}

/// Reads a Vulkan device as an application created it: only features and extensions that the application enabled count.
/// Properties, such as sizes of sub-groups, are those of the driver.
///
/// `api_version` is that of the VkApplicationInfo with which the instance was created. 0 means 1.0, as in
/// Vulkan.
///
/// # Errors
/// If the number is not a version of Vulkan.
///
/// # Safety
/// The physical device is one of the instance, which is alive. The device can be created so: lists are as long as it says, and each
/// structure of its chain has the type that its number stands for.
pub unsafe fn from_vulkan_enabled(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    api_version: u32,
    created: &vk::DeviceCreateInfo,
) -> Result<Device, ProbeError> {
    let api_version = checked_version(api_version)?;
    // SAFETY: as above.
    Ok(described(&unsafe { enabled(instance, physical, api_version, created) }))
}

/// Queries the driver of a device for the combinations of cooperative matrices that it multiplies
/// (vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR). Devices without cooperative matrices are unchanged.
///
/// # Safety
/// The function is that of the instance, which is alive, and the physical device is one of it, from which the device was read.
#[must_use]
pub unsafe fn with_cooperative_matrices(
    device: Device,
    get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
) -> Device {
    if device.has_capability(spirv::Capability::CooperativeMatrixKHR as u32) != Some(true) {
        return device;
    }
    let name = c"vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR";
    // SAFETY: the caller's. ash would panic without the function.
    let functions = unsafe {
        if get_instance_proc_addr(instance.handle(), name.as_ptr()).is_none() {
            return device;
        }
        let entry = ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr });
        ash::khr::cooperative_matrix::Instance::new(&entry, instance)
    };
    let combination = |listed: &vk::CooperativeMatrixPropertiesKHR| CooperativeMatrix {
        size: [listed.m_size, listed.n_size, listed.k_size],
        types: [listed.a_type, listed.b_type, listed.c_type, listed.result_type]
            .map(|type_| type_.as_raw().cast_unsigned()),
        scope: listed.scope.as_raw().cast_unsigned(),
        saturates: listed.saturating_accumulation == vk::TRUE,
    };
    // SAFETY: the caller's.
    match unsafe { functions.get_physical_device_cooperative_matrix_properties(physical) } {
        Ok(listed) => {
            let combinations: Vec<CooperativeMatrix> = listed.iter().map(combination).collect();
            device.with_cooperative_matrices(&combinations)
        }
        Err(_) => device,
    }
}

/// Returns the version that an application created its instance for: 1.0 if it gave 0.
fn checked_version(api_version: u32) -> Result<u32, ProbeError> {
    let version = version(api_version);
    match api_version {
        0 => Ok(vk::API_VERSION_1_0),
        _ if vk::api_version_variant(api_version) == 0 && Api::Vulkan.version(version) == Some(version) => {
            Ok(api_version)
        }
        _ => Err(ProbeError::Version(api_version)),
    }
}

fn described(report: &VulkanReport) -> Device {
    let mut device = report.device();
    set_host_target(&mut device);
    device
}

/// Returns the driver's report on a Vulkan device.
///
/// # Safety
/// See [`from_vulkan`].
pub unsafe fn report(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    api_version: u32,
) -> VulkanReport {
    // SAFETY: the caller's.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }.unwrap_or_default();
    let extensions = extensions.iter().map(|extension| name(&extension.extension_name)).collect();
    // SAFETY: the caller's.
    let mut report = unsafe { with_properties(instance, physical, api_version, extensions) };
    let mut features = chain(StructureKind::Features, &report);
    // VkPhysicalDeviceFeatures2 comes first in the table, as it does in the chain.
    if let Some(head) = features.first_mut().map(|buffer| buffer.words.as_mut_ptr()) {
        // SAFETY: the caller's. The buffer has the size of VkPhysicalDeviceFeatures2, and version 1.1 has the
        // second function. The device knows each structure of the chain. Each has its number in the first
        // word, and the required length and alignment.
        unsafe {
            if report.api_version < Version::new(1, 1) {
                let known = instance.get_physical_device_features(physical);
                (*head.cast::<vk::PhysicalDeviceFeatures2>()).features = known;
            } else {
                instance.get_physical_device_features2(physical, &mut *head.cast());
            }
        }
    }
    for buffer in &features {
        buffer.read(&mut report);
    }
    report
}

/// Returns the report on a device with the features that an application enabled.
///
/// # Safety
/// See [`from_vulkan_enabled`].
unsafe fn enabled(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    api_version: u32,
    created: &vk::DeviceCreateInfo,
) -> VulkanReport {
    let count = created.enabled_extension_count as usize;
    let names = (0..count).filter(|_| !created.pp_enabled_extension_names.is_null()).map(|at| {
        // SAFETY: the caller's. The list has this length, and each name ends in 0.
        unsafe { CStr::from_ptr(*created.pp_enabled_extension_names.add(at)) }.to_string_lossy().into_owned()
    });
    // SAFETY: the caller's.
    let mut report = unsafe { with_properties(instance, physical, api_version, names.collect()) };
    // Features of no structure are disabled, even if the version or an extension requires drivers to support
    // them.
    for structure in structures::all().iter().filter(|structure| structure.kind == StructureKind::Features) {
        StructureBuffer::new(structure).read(&mut report);
    }
    let first = structures::all().iter().find(|structure| structure.name == "VkPhysicalDeviceFeatures");
    if let Some(structure) = first.filter(|_| !created.p_enabled_features.is_null()) {
        let mut buffer = StructureBuffer::new(structure);
        let head = buffer.words.as_mut_ptr();
        // SAFETY: the caller's; the buffer has the size of VkPhysicalDeviceFeatures2.
        unsafe { (*head.cast::<vk::PhysicalDeviceFeatures2>()).features = *created.p_enabled_features };
        buffer.read(&mut report);
    }
    let mut next = created.p_next.cast::<vk::BaseInStructure>();
    while !next.is_null() {
        // SAFETY: the caller's. All structures of a chain begin alike.
        let head = unsafe { *next };
        let number = head.s_type.as_raw().cast_unsigned();
        let known = structures::all().iter().find(|structure| structure.number == number);
        if let Some(structure) = known.filter(|structure| structure.kind == StructureKind::Features) {
            let mut buffer = StructureBuffer::new(structure);
            let room = bytemuck::cast_slice_mut::<u64, u8>(&mut buffer.words);
            let size = room.len().min(end(structure));
            // SAFETY: the caller's. The structure has this number, and all these members.
            unsafe { std::ptr::copy_nonoverlapping(next.cast::<u8>(), room.as_mut_ptr(), size) };
            buffer.read(&mut report);
        }
        next = head.p_next;
    }
    report
}

/// Returns the report on the properties of a device with these extensions.
///
/// # Safety
/// See [`from_vulkan`].
unsafe fn with_properties(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    api_version: u32,
    extensions: Vec<String>,
) -> VulkanReport {
    // SAFETY: the caller's.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let device_name = name(&properties.device_name);
    let mut report =
        VulkanReport::new(&device_name, version(properties.api_version.min(api_version)), extensions);
    report.set("VkPhysicalDeviceProperties", "vendorID", properties.vendor_id.into());
    report.set("VkPhysicalDeviceProperties", "deviceID", properties.device_id.into());
    report.set("VkPhysicalDeviceProperties", "driverVersion", properties.driver_version.into());
    let kind = properties.device_type.as_raw();
    report.set("VkPhysicalDeviceProperties", "deviceType", kind.try_into().unwrap_or_default());
    let limits = properties.limits;
    let [x, y, z] = limits.max_compute_work_group_size;
    let counts = limits.max_compute_work_group_count;
    for (member, limit) in [
        ("maxComputeWorkGroupInvocations", limits.max_compute_work_group_invocations),
        ("maxComputeWorkGroupSize[0]", x),
        ("maxComputeWorkGroupSize[1]", y),
        ("maxComputeWorkGroupSize[2]", z),
        ("maxTessellationPatchSize", limits.max_tessellation_patch_size),
        ("maxGeometryOutputVertices", limits.max_geometry_output_vertices),
        ("maxGeometryShaderInvocations", limits.max_geometry_shader_invocations),
        ("maxComputeSharedMemorySize", limits.max_compute_shared_memory_size),
        ("maxPushConstantsSize", limits.max_push_constants_size),
        ("maxUniformBufferRange", limits.max_uniform_buffer_range),
        ("maxStorageBufferRange", limits.max_storage_buffer_range),
        ("maxBoundDescriptorSets", limits.max_bound_descriptor_sets),
        ("maxPerStageDescriptorSamplers", limits.max_per_stage_descriptor_samplers),
        ("maxPerStageDescriptorUniformBuffers", limits.max_per_stage_descriptor_uniform_buffers),
        ("maxPerStageDescriptorStorageBuffers", limits.max_per_stage_descriptor_storage_buffers),
        ("maxPerStageDescriptorSampledImages", limits.max_per_stage_descriptor_sampled_images),
        ("maxPerStageDescriptorStorageImages", limits.max_per_stage_descriptor_storage_images),
        ("maxPerStageResources", limits.max_per_stage_resources),
        ("maxFragmentOutputAttachments", limits.max_fragment_output_attachments),
        ("maxComputeWorkGroupCount[0]", counts[0]),
        ("maxComputeWorkGroupCount[1]", counts[1]),
        ("maxComputeWorkGroupCount[2]", counts[2]),
    ] {
        report.set("VkPhysicalDeviceLimits", member, limit.into());
    }
    let mut chained = chain(StructureKind::Properties, &report);
    if report.api_version >= Version::new(1, 1) {
        let first = chained.first_mut().map_or(std::ptr::null_mut(), |buffer| buffer.words.as_mut_ptr());
        let mut properties = vk::PhysicalDeviceProperties2 { p_next: first.cast(), ..Default::default() };
        // SAFETY: as for features, in `report`.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
    }
    for buffer in &chained {
        buffer.read(&mut report);
    }
    report
}

/// Returns a name of Vulkan, whose letters are `i8` or `u8`, by processor.
fn name(text: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> =
        text.iter().flat_map(|letter| letter.to_ne_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A structure in memory.
struct StructureBuffer {
    structure: &'static Structure,
    words: Vec<u64>,
}

/// Returns the structures of a kind that the device knows, each with a pointer to the next.
fn chain(kind: StructureKind, report: &VulkanReport) -> Vec<StructureBuffer> {
    let is_known = |structure: &&Structure| {
        structure.kind == kind
            && (structure.version.is_some_and(|version| version <= report.api_version)
                || structure.extensions.iter().any(|name| report.extensions.contains(*name)))
    };
    let root = |structure: &&Structure| structure.name == "VkPhysicalDeviceFeatures";
    let (root, rest): (Vec<_>, Vec<_>) = structures::all().iter().filter(is_known).partition(root);
    let mut buffers: Vec<StructureBuffer> = root.into_iter().chain(rest).map(StructureBuffer::new).collect();
    let mut next = std::ptr::null_mut();
    for buffer in buffers.iter_mut().rev() {
        let start = buffer.words.as_mut_ptr().cast::<vk::BaseOutStructure>();
        let number = vk::StructureType::from_raw(buffer.structure.number.cast_signed());
        // SAFETY: a buffer has at least the size and the alignment of the head.
        unsafe {
            start.write(vk::BaseOutStructure { s_type: number, p_next: next, _marker: Default::default() })
        };
        next = start;
    }
    buffers
}

impl StructureBuffer {
    fn new(structure: &'static Structure) -> StructureBuffer {
        StructureBuffer { structure, words: vec![0; end(structure).div_ceil(8)] }
    }

    /// Copies the numbers to a report. Longer members are texts or identifiers.
    fn read(&self, report: &mut VulkanReport) {
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        for (start, size, count, member) in places(self.structure).filter(|place| place.2 == 1) {
            let value = bytes.get(start..start + size * count).and_then(|bytes| match size {
                4 => Some(u32::from_ne_bytes(bytes.try_into().ok()?).into()),
                8 => Some(u64::from_ne_bytes(bytes.try_into().ok()?)),
                _ => None,
            });
            if let Some(value) = value {
                report.set(self.structure.name, member, value);
            }
        }
    }
}

/// An instance of the loader of this machine.
pub(super) struct LoadedInstance {
    pub instance: ash::Instance,
    /// The version for which the instance was created.
    pub api_version: u32,
    // Its library stays loaded as long as the instance is used.
    entry: ash::Entry,
}

impl LoadedInstance {
    pub fn new() -> Result<LoadedInstance, ProbeError> {
        // SAFETY: the loader is trusted to be one. The instance does not outlive it.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|error| ProbeError::NoLoader { api: Api::Vulkan, message: error.to_string() })?;
        // SAFETY: nothing is passed.
        let api_version =
            unsafe { entry.try_enumerate_instance_version() }.ok().flatten().unwrap_or(vk::API_VERSION_1_0);
        // SAFETY: nothing is passed.
        let extensions = unsafe { entry.enumerate_instance_extension_properties(None) }.unwrap_or_default();
        let names: BTreeSet<&CStr> =
            extensions.iter().filter_map(|extension| extension.extension_name_as_c_str().ok()).collect();

        let mut create = vk::InstanceCreateInfo::default();
        // Without this extension, devices on top of another API are hidden (MoltenVK).
        let portability = [ash::khr::portability_enumeration::NAME.as_ptr()];
        if names.contains(ash::khr::portability_enumeration::NAME) {
            create = create.enabled_extension_names(&portability);
            create.flags = vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let (instance, api_version) = newest_accepted(api_version, |api_version| {
            let application = vk::ApplicationInfo { api_version, ..Default::default() };
            let create = vk::InstanceCreateInfo { p_application_info: &application, ..create };
            // SAFETY: the arguments live until the call returns.
            unsafe { entry.create_instance(&create, None) }
        })
        .map_err(|error| match error {
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => ProbeError::NoDriver(Api::Vulkan),
            error => failed("vkCreateInstance", error),
        })?;
        Ok(LoadedInstance { instance, api_version, entry })
    }

    /// Returns the devices of all drivers.
    pub fn physical_devices(&self) -> Result<Vec<vk::PhysicalDevice>, ProbeError> {
        // SAFETY: the instance is alive.
        unsafe { self.instance.enumerate_physical_devices() }
            .map_err(|error| failed("vkEnumeratePhysicalDevices", error))
    }
}

impl Drop for LoadedInstance {
    fn drop(&mut self) {
        // SAFETY: nothing uses the instance any more.
        unsafe { self.instance.destroy_instance(None) };
    }
}

/// Returns the devices of all drivers.
pub(super) fn devices() -> Result<Vec<DeviceReport>, ProbeError> {
    let loaded = LoadedInstance::new()?;
    // SAFETY: the devices are those of the instance, which is alive.
    let describe = |physical| unsafe { probed(&loaded, physical) };
    let probed: Vec<DeviceReport> = loaded.physical_devices()?.into_iter().map(describe).collect();
    if probed.is_empty() { Err(ProbeError::NoDriver(Api::Vulkan)) } else { Ok(probed) }
}

/// Creates an object for the newest version of Vulkan that drivers accept, up to `newest`, and returns that version
/// with it. Drivers must accept newer versions than their own, except those of 1.0; some newer drivers refuse them,
/// too.
fn newest_accepted<T>(
    newest: u32,
    mut create: impl FnMut(u32) -> Result<T, vk::Result>,
) -> Result<(T, u32), vk::Result> {
    let refused = vk::Result::ERROR_INCOMPATIBLE_DRIVER;
    let older = (0..vk::api_version_minor(newest)).rev().map(|minor| vk::make_api_version(0, 1, minor, 0));
    for version in std::iter::once(newest).chain(older) {
        match create(version) {
            Err(error) if error == refused => {}
            result => return Ok((result?, version)),
        }
    }
    Err(refused)
}

/// # Safety
/// The device is one of the instance.
unsafe fn probed(loaded: &LoadedInstance, physical: vk::PhysicalDevice) -> DeviceReport {
    // SAFETY: the caller's.
    unsafe {
        let report = report(&loaded.instance, physical, loaded.api_version);
        let driver = loaded.instance.get_physical_device_properties(physical).driver_version;
        let description =
            format!("{}, Vulkan {} (driver version {driver:#x})", report.name, report.api_version);
        DeviceReport::new(description, with_matrices(loaded, physical, report.device()))
    }
}

/// Returns all that a driver reports of a device.
///
/// # Safety
/// The device is one of the instance.
#[cfg(feature = "statistics")]
pub(super) unsafe fn device_of(loaded: &LoadedInstance, physical: vk::PhysicalDevice) -> Device {
    // SAFETY: the caller's.
    unsafe {
        let report = report(&loaded.instance, physical, loaded.api_version);
        with_matrices(loaded, physical, report.device())
    }
}

/// # Safety
/// The device is one of the instance.
unsafe fn with_matrices(loaded: &LoadedInstance, physical: vk::PhysicalDevice, device: Device) -> Device {
    let get = loaded.entry.static_fn().get_instance_proc_addr;
    // SAFETY: the caller's.
    unsafe { with_cooperative_matrices(device, get, &loaded.instance, physical) }
}

fn failed(call: &'static str, error: vk::Result) -> ProbeError {
    ProbeError::Failed { api: Api::Vulkan, call, message: error.to_string() }
}

fn version(number: u32) -> Version {
    let part = |number: u32| number.try_into().unwrap_or(u8::MAX);
    Version::new(part(vk::api_version_major(number)), part(vk::api_version_minor(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(name: &str) -> usize {
        let structure = structures::all().iter().find(|one| one.name == name).unwrap();
        StructureBuffer::new(structure).words.len() * 8
    }

    #[test]
    fn versions_of_applications() {
        assert_eq!(checked_version(0), Ok(vk::API_VERSION_1_0));
        for number in [vk::API_VERSION_1_0, vk::API_VERSION_1_3 + 250, vk::make_api_version(0, 1, 9, 0)] {
            assert_eq!(checked_version(number), Ok(number));
        }
        for number in
            [1, 13, 120, vk::make_api_version(0, 2, 0, 0), vk::make_api_version(1, 1, 0, 0), u32::MAX]
        {
            assert_eq!(checked_version(number), Err(ProbeError::Version(number)));
        }
        let error = ProbeError::Version(13).to_string();
        assert!(error.starts_with("invalid Vulkan version 0xd: expected"), "{error}");
    }

    /// Checks that a driver that refuses newer versions of instances gets requests for older ones.
    #[test]
    fn refused_versions_are_followed_by_older_ones() {
        let refused = vk::Result::ERROR_INCOMPATIBLE_DRIVER;
        let accepts = |up_to: u32| {
            let mut asked = Vec::new();
            let result = newest_accepted(vk::API_VERSION_1_3 + 5, |version| {
                asked.push(vk::api_version_minor(version));
                if version <= up_to { Ok(()) } else { Err(refused) }
            });
            (result, asked)
        };
        assert_eq!(accepts(u32::MAX), (Ok(((), vk::API_VERSION_1_3 + 5)), vec![3]));
        assert_eq!(accepts(vk::API_VERSION_1_3), (Ok(((), vk::API_VERSION_1_2)), vec![3, 2]));
        assert_eq!(accepts(vk::API_VERSION_1_0), (Ok(((), vk::API_VERSION_1_0)), vec![3, 2, 1, 0]));
        assert_eq!(accepts(0), (Err(refused), vec![3, 2, 1, 0]));
        // Other errors are not about the version.
        let other = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        assert_eq!(newest_accepted(vk::API_VERSION_1_3, |_| Err::<(), _>(other)), Err(other));
    }

    // ash's types come from the same registry, by another generator.
    #[test]
    fn buffers_are_as_long_as_the_structures() {
        assert_eq!(size("VkPhysicalDeviceFeatures"), size_of::<vk::PhysicalDeviceFeatures2>());
        assert_eq!(size("VkPhysicalDeviceVulkan11Features"), size_of::<vk::PhysicalDeviceVulkan11Features>());
        assert_eq!(
            size("VkPhysicalDeviceVulkan11Properties"),
            size_of::<vk::PhysicalDeviceVulkan11Properties>()
        );
        assert_eq!(size("VkPhysicalDeviceVulkan12Features"), size_of::<vk::PhysicalDeviceVulkan12Features>());
        assert_eq!(
            size("VkPhysicalDeviceVulkan12Properties"),
            size_of::<vk::PhysicalDeviceVulkan12Properties>()
        );
        assert_eq!(size("VkPhysicalDeviceVulkan13Features"), size_of::<vk::PhysicalDeviceVulkan13Features>());
        assert_eq!(
            size("VkPhysicalDeviceVulkan13Properties"),
            size_of::<vk::PhysicalDeviceVulkan13Properties>()
        );
        assert_eq!(
            size("VkPhysicalDeviceShaderAtomicFloatFeaturesEXT"),
            size_of::<vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT>()
        );
    }

    #[test]
    fn members_lie_where_they_do() {
        let structure =
            structures::all().iter().find(|one| one.name == "VkPhysicalDeviceVulkan11Properties").unwrap();
        let place = |name| places(structure).find(|place| place.3 == name).unwrap().0;
        assert_eq!(
            place("subgroupSize"),
            std::mem::offset_of!(vk::PhysicalDeviceVulkan11Properties, subgroup_size)
        );
        assert_eq!(
            place("maxMemoryAllocationSize"),
            std::mem::offset_of!(vk::PhysicalDeviceVulkan11Properties, max_memory_allocation_size)
        );
    }

    #[test]
    fn numbers_of_structures() {
        use vk::StructureType as Type;
        let number =
            |name| structures::all().iter().find(|one| one.name == name).unwrap().number.cast_signed();
        assert_eq!(number("VkPhysicalDeviceFeatures"), Type::PHYSICAL_DEVICE_FEATURES_2.as_raw());
        assert_eq!(
            number("VkPhysicalDeviceVulkan12Features"),
            Type::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES.as_raw()
        );
        assert_eq!(
            number("VkPhysicalDeviceCooperativeMatrixFeaturesKHR"),
            Type::PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR.as_raw()
        );
        assert_eq!(
            number("VkPhysicalDeviceSubgroupProperties"),
            Type::PHYSICAL_DEVICE_SUBGROUP_PROPERTIES.as_raw()
        );
    }
}
