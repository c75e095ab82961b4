; Builds between which the host decides, or the extensions that a device accepts.
; FILE: %t.yaml
;   accepts: { aspects: [gpu], capabilities: [Shader, Int8], extensions: [SPV_KHR_ray_query], spirv-versions: ["1.0", "1.3", "1.4", "1.5", "1.6"] }
;   silent: { aspects: [gpu], capabilities: [Shader] }
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=ext(SPV_KHR_ray_query) -o %t.packed.spv
; RUN: specialize -q %t.packed.spv --device-config %t.yaml --device accepts --set half:false -o %t.plain.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set half:true -o %t.half.spv
; RUN: specialize -q %t.packed.spv --device-config %t.yaml --device silent --set half:false -o %t.silent.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
