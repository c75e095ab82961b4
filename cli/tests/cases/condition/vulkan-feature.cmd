; Conditions name features of Vulkan. Devices have those that follow from their capabilities.
; RUN: condition 'feature(vulkan:shaderSubgroupExtendedTypes) || feature(vulkan:shaderInt64)' --device vulkan_vp_khr_roadmap_2024 --device vulkan_vp_android_2022 --device intel_gpu_pvc
