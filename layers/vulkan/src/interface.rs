//! Structures of the interface between the loader and layers, version 2 (vk_layer.h). Vulkan's own types do not have them.

use std::ffi::{c_char, c_void};

use ash::vk;

/// The version of the interface that this layer implements.
pub const INTERFACE_VERSION: u32 = 2;
/// The number of [`NegotiateLayerInterface`] (LAYER_NEGOTIATE_INTERFACE_STRUCT).
pub const NEGOTIATE_STRUCTURE: u32 = 1;
/// The `function` of the structure that has the next layer's functions (VK_LAYER_LINK_INFO).
const LINK_INFO: u32 = 0;

/// The type of vkGetDeviceProcAddr and of vk_layerGetPhysicalDeviceProcAddr.
pub type GetDeviceProcAddr = unsafe extern "system" fn(vk::Device, *const c_char) -> vk::PFN_vkVoidFunction;

/// The functions of a layer that the loader calls (VkNegotiateLayerInterface).
#[repr(C)]
pub struct NegotiateLayerInterface {
    pub s_type: u32,
    pub p_next: *mut c_void,
    pub loader_layer_interface_version: u32,
    pub get_instance_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
    pub get_device_proc_addr: Option<GetDeviceProcAddr>,
    /// Null for layers that have no function of physical devices that the loader does not know.
    pub get_physical_device_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
}

/// The next layer's functions for instances (VkLayerInstanceLink).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct InstanceLink {
    next: *mut InstanceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    get_physical_device_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
}

/// The next layer's functions for devices (VkLayerDeviceLink).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceLink {
    next: *mut DeviceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_device_proc_addr: GetDeviceProcAddr,
}

/// The beginning of VkLayerInstanceCreateInfo and VkLayerDeviceCreateInfo, as far as they have a link.
#[repr(C)]
struct LayerCreateInfo<T> {
    s_type: vk::StructureType,
    p_next: *const c_void,
    function: u32,
    link: *mut T,
}

/// A link of the chain that the loader makes of layers.
pub trait Link: Copy {
    /// The number of the structure that has it.
    const STRUCTURE: vk::StructureType;
    /// Returns the link for the layer after the next one.
    fn next(&self) -> *mut Self;
}

impl Link for InstanceLink {
    const STRUCTURE: vk::StructureType = vk::StructureType::LOADER_INSTANCE_CREATE_INFO;

    fn next(&self) -> *mut InstanceLink {
        self.next
    }
}

impl Link for DeviceLink {
    const STRUCTURE: vk::StructureType = vk::StructureType::LOADER_DEVICE_CREATE_INFO;

    fn next(&self) -> *mut DeviceLink {
        self.next
    }
}

/// Describes binaries of pipelines (VkPipelineBinaryCreateInfoKHR, of VK_KHR_pipeline_binary, which is newer than ash).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PipelineBinaryCreateInfo {
    pub s_type: vk::StructureType,
    pub p_next: *const c_void,
    pub keys_and_data: *const c_void,
    pub pipeline: vk::Pipeline,
    /// A structure whose chain describes a pipeline (VkPipelineCreateInfoKHR); null without one.
    pub pipeline_info: *const vk::BaseInStructure<'static>,
}

/// The type of vkGetPipelineKeyKHR. The last one is a VkPipelineBinaryKeyKHR.
pub type GetPipelineKey =
    unsafe extern "system" fn(vk::Device, *const vk::BaseInStructure<'static>, *mut c_void) -> vk::Result;

/// The type of vkCreatePipelineBinariesKHR. The last one is a VkPipelineBinaryHandlesInfoKHR.
pub type CreatePipelineBinaries = unsafe extern "system" fn(
    vk::Device,
    *const PipelineBinaryCreateInfo,
    *const vk::AllocationCallbacks<'_>,
    *mut c_void,
) -> vk::Result;

/// Takes this layer's link from the chain of a structure that the loader passes. The next layer then finds its own there.
///
/// # Safety
/// `chain` is a chain of the loader, which lives.
pub unsafe fn take_link<T: Link>(chain: *const c_void) -> Option<T> {
    // SAFETY: the caller's. Structures with this number and function have a link, which the loader made to be changed.
    unsafe {
        for structure in structures(chain).filter(|structure| (**structure).s_type == T::STRUCTURE) {
            let info = structure.cast_mut().cast::<LayerCreateInfo<T>>();
            if (*info).function == LINK_INFO {
                let link = *(*info).link.as_ref()?;
                (*info).link = link.next();
                return Some(link);
            }
        }
        None
    }
}

/// Returns the structures of a chain.
///
/// # Safety
/// It is a chain of Vulkan's structures, which live as long as the result is used.
pub unsafe fn structures(chain: *const c_void) -> impl Iterator<Item = *const vk::BaseInStructure<'static>> {
    let first = chain.cast::<vk::BaseInStructure>();
    // SAFETY: the caller's. All structures begin alike.
    std::iter::successors((!first.is_null()).then_some(first), |&one| unsafe {
        let next = (*one).p_next;
        (!next.is_null()).then_some(next.cast())
    })
}

/// Finds the structure of a type in a chain.
///
/// # Safety
/// See [`structures`].
pub unsafe fn find<'a, T: vk::TaggedStructure + 'a>(chain: *const c_void) -> Option<&'a T> {
    // SAFETY: the caller's. The number stands for the type.
    unsafe {
        let structure = structures(chain).find(|&structure| (*structure).s_type == T::STRUCTURE_TYPE);
        structure.map(|structure| &*structure.cast::<T>())
    }
}

/// Returns the list that a structure describes by its length and its first element, which may be null if it is empty.
///
/// # Safety
/// The list is as long, and lives as long as the result.
pub unsafe fn list<'a, T>(first: *const T, length: u32) -> &'a [T] {
    if first.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(first, length as usize) }
}

/// Returns the key of a dispatchable object: the loader's table, which an instance shares with its physical devices, and a device with its queues.
///
/// # Safety
/// The handle is one of a dispatchable object that exists.
pub unsafe fn dispatch_key(handle: impl vk::Handle) -> usize {
    // SAFETY: the caller's. Such a handle points to a pointer to the table.
    unsafe { *std::ptr::with_exposed_provenance::<usize>(handle.as_raw() as usize) }
}
