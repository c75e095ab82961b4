; A profile that builds on one of another file, which is named too: as entries, and as devices.
; FILE: %t.base.json
;   {
;     "capabilities": { "base": { "features": { "VkPhysicalDeviceFeatures": { "shaderInt16": true } } } },
;     "profiles": { "VP_TEST_base": { "version": 1, "api-version": "1.1.106", "capabilities": ["base"] } }
;   }
; FILE: %t.child.json
;   {
;     "capabilities": { "more": { "features": { "VkPhysicalDeviceVulkan12Features": { "shaderFloat16": true } } } },
;     "profiles": {
;       "VP_TEST_child": {
;         "version": 1, "api-version": "1.3.273", "profiles": ["VP_TEST_base"], "capabilities": ["more"]
;       }
;     }
;   }
; RUN: devices import %t.child.json %t.base.json
; RUN: devices import %t.child.json %t.base.json --profile VP_TEST_child
; RUN: condition "cap(Int16) && cap(Float16)" --device %t.base.json --device %t.child.json
; RUN: devices import %t.child.json
; EXIT: 1
