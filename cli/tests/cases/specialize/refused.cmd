; A device all of whose SPIR-V versions are listed is refused what it does not take, whether the module was packed or not.
; FILE: %t.yaml
;   old:
;     spirv-versions: ["1.0", "1.1", "1.2", "1.3"]
;     exact-spirv-versions: true
;     extensions: []
;     capabilities: [Shader]
;   newer:
;     spirv-versions: ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]
;     extensions: [SPV_KHR_16bit_storage]
;     capabilities: [Shader, Float16, Int64, Int64Atomics, StorageBuffer16BitAccess]
; DIS: none
; RUN: specialize %fixtures/glsl/histogram.spv --device-config %t.yaml --device newer -o %t.newer.spv
; RUN: pack %fixtures/glsl/histogram.spv -o %t.packed.spv
; RUN: specialize %t.packed.spv --device-config %t.yaml --device newer -o %t.newer2.spv
; RUN: specialize %t.packed.spv --device-config %t.yaml --device old -o %t.old.spv
; EXIT: 3
