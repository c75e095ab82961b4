; Devices whose names become one are numbered, and all of them are asked.
; FILE: %t.json
;   { "capabilities": { "f": { "features": { "VkPhysicalDeviceFeatures": { "shaderFloat64": true } } }, "n": {} },
;     "profiles": { "VP_X-1": { "version": 1, "api-version": "1.1", "capabilities": ["f"] },
;                   "VP_X_1": { "version": 1, "api-version": "1.1", "capabilities": ["n"] } } }
; RUN: devices import %t.json
; RUN: condition fp64 --device %t.json
