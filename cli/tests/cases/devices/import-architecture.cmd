; A report lists features, and not the architecture: conditions on those of its vendor stay open, all others are false.
; FILE: %t.json
;   {
;     "capabilities": {
;       "base": {
;         "properties": {
;           "VkPhysicalDeviceProperties": {
;             "deviceType": "VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU", "vendorID": 4318, "deviceID": 1
;           }
;         }
;       }
;     },
;     "profiles": { "VP_TEST_nvidia": { "version": 1, "api-version": "1.3.204", "capabilities": ["base"] } }
;   }
; RUN: devices import %t.json
; RUN: condition "arch(nvidia_gpu_sm_90) || arch(intel_gpu_pvc) || arch(x86_64) || fp64" --device %t.json
; RUN: condition "arch(intel_gpu_pvc) || arch(x86_64) || fp64" --device %t.json
