//! Vulkan's features by the names that the library gives them.

use ash::vk;

/// The features that modules here need, in the structures of the core versions.
#[derive(Default)]
pub struct Features {
    core: vk::PhysicalDeviceFeatures,
    vulkan_1_1: vk::PhysicalDeviceVulkan11Features<'static>,
    vulkan_1_2: vk::PhysicalDeviceVulkan12Features<'static>,
    vulkan_1_3: vk::PhysicalDeviceVulkan13Features<'static>,
    /// Left out of the chain where its feature is off: drivers without the extension do not know it.
    matrices: vk::PhysicalDeviceCooperativeMatrixFeaturesKHR<'static>,
    /// Features of rotations, left out in the same way.
    rotations: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'static>,
}

/// A function that finds the place of a feature.
macro_rules! places {
    ($($structure:literal $field:ident { $($name:literal $member:ident,)* })*) => {
        /// The member with this name of the structure with this name; None if it is not listed here.
        pub fn place(&mut self, structure: &str, member: &str) -> Option<&mut vk::Bool32> {
            match (structure, member) {
                $($(($structure, $name) => Some(&mut self.$field.$member),)*)*
                _ => None,
            }
        }
    };
}

impl Features {
    places! {
        "VkPhysicalDeviceFeatures" core {
            "shaderFloat64" shader_float64,
            "shaderInt16" shader_int16,
            "shaderInt64" shader_int64,
        }
        "VkPhysicalDeviceVulkan11Features" vulkan_1_1 {
            "storageBuffer16BitAccess" storage_buffer16_bit_access,
            "storagePushConstant16" storage_push_constant16,
            "uniformAndStorageBuffer16BitAccess" uniform_and_storage_buffer16_bit_access,
        }
        "VkPhysicalDeviceVulkan12Features" vulkan_1_2 {
            "bufferDeviceAddress" buffer_device_address,
            "shaderBufferInt64Atomics" shader_buffer_int64_atomics,
            "shaderFloat16" shader_float16,
            "shaderInt8" shader_int8,
            "shaderSubgroupExtendedTypes" shader_subgroup_extended_types,
            "storageBuffer8BitAccess" storage_buffer8_bit_access,
            "storagePushConstant8" storage_push_constant8,
            "uniformAndStorageBuffer8BitAccess" uniform_and_storage_buffer8_bit_access,
            "vulkanMemoryModel" vulkan_memory_model,
            "vulkanMemoryModelDeviceScope" vulkan_memory_model_device_scope,
        }
        "VkPhysicalDeviceVulkan13Features" vulkan_1_3 {
            "maintenance4" maintenance4,
            "shaderIntegerDotProduct" shader_integer_dot_product,
        }
        "VkPhysicalDeviceCooperativeMatrixFeaturesKHR" matrices {
            "cooperativeMatrix" cooperative_matrix,
        }
        "VkPhysicalDeviceShaderSubgroupRotateFeatures" rotations {
            "shaderSubgroupRotate" shader_subgroup_rotate,
            "shaderSubgroupRotateClustered" shader_subgroup_rotate_clustered,
        }
    }

    /// Has the structures of extensions in the chain, of those that a device has.
    pub fn with_extensions(mut self, extensions: &[vk::ExtensionProperties]) -> Features {
        let has = |name| extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name));
        self.matrices.cooperative_matrix = has(ash::khr::cooperative_matrix::NAME).into();
        self.rotations.shader_subgroup_rotate = has(ash::khr::shader_subgroup_rotate::NAME).into();
        self
    }

    /// Has `use_chain` work on the whole chain of structures.
    pub fn chained<T>(&mut self, use_chain: impl FnOnce(&mut vk::PhysicalDeviceFeatures2) -> T) -> T {
        let (mut first, mut second, mut third) = (self.vulkan_1_1, self.vulkan_1_2, self.vulkan_1_3);
        let (mut matrices, mut rotations) = (self.matrices, self.rotations);
        let mut chain = vk::PhysicalDeviceFeatures2::default()
            .features(self.core)
            .push_next(&mut first)
            .push_next(&mut second)
            .push_next(&mut third);
        if self.matrices.cooperative_matrix == vk::TRUE {
            chain = chain.push_next(&mut matrices);
        }
        if self.rotations.shader_subgroup_rotate == vk::TRUE {
            chain = chain.push_next(&mut rotations);
        }
        let result = use_chain(&mut chain);
        self.core = chain.features;
        (self.vulkan_1_1, self.vulkan_1_2, self.vulkan_1_3) = (first, second, third);
        (self.matrices, self.rotations) = (matrices, rotations);
        // The chain is gone.
        self.vulkan_1_1.p_next = std::ptr::null_mut();
        self.vulkan_1_2.p_next = std::ptr::null_mut();
        self.vulkan_1_3.p_next = std::ptr::null_mut();
        self.matrices.p_next = std::ptr::null_mut();
        self.rotations.p_next = std::ptr::null_mut();
        result
    }
}
