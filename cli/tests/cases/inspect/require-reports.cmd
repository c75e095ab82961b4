; Reports of other tools describe required devices too.
; RUN: inspect %fixtures/glsl/reduce.spv --require-devices 'nvidia_gpu_sm_5*,%t.json' --why SPV_KHR_ray_query
; EXIT: 3
; FILE: %t.json
;   {
;     "capabilities": { "base": { "features": { "VkPhysicalDeviceFeatures": { "shaderInt16": true } } } },
;     "profiles": { "VP_TEST_phone": { "version": 1, "api-version": "1.1.142", "capabilities": ["base"] } }
;   }
