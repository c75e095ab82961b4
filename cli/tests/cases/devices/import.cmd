; A Vulkan profile as a device entry: what it lists, what Vulkan 1.3 has in any case, and no more.
; FILE: %t.json
;   {
;     "capabilities": {
;       "base": {
;         "extensions": { "VK_KHR_shader_clock": 1 },
;         "features": {
;           "VkPhysicalDeviceFeatures": { "shaderFloat64": true, "shaderInt64": false },
;           "VkPhysicalDeviceShaderClockFeaturesKHR": { "shaderDeviceClock": true }
;         },
;         "properties": {
;           "VkPhysicalDeviceProperties": { "deviceType": "VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU" },
;           "VkPhysicalDeviceVulkan11Properties": { "subgroupSize": 64 }
;         }
;       }
;     },
;     "profiles": { "VP_TEST_desktop": { "version": 1, "api-version": "1.3.204", "capabilities": ["base"] } }
;   }
; RUN: devices import %t.json
; RUN: condition "fp64 && !fp16" --device %t.json
