; Fixed targets are taken from reports of other tools too.
; RUN: check %fixtures/check/double.spv --fixed-targets '%t.json,nvidia_gpu_sm_5*' --deny-warnings
; EXIT: 1
; FILE: %t.json
;   {
;     "capabilities": { "base": { "features": { "VkPhysicalDeviceFeatures": { "shaderInt16": true } } } },
;     "profiles": { "VP_TEST_phone": { "version": 1, "api-version": "1.1.142", "capabilities": ["base"] } }
;   }
