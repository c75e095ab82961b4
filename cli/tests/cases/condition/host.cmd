; Decisions of the host, which no device has, and SPIR-V extensions, as far as what describes a device knows of them.
; FILE: %t.yaml
;   lists: { extensions: [SPV_KHR_ray_query, "SPV_INTEL_*"], spirv-versions: ["1.0", "1.3"] }
;   silent: { spirv-versions: ["1.3"] }
; RUN: condition 'host(fast) && !host || ext(SPV_KHR_ray_query) && !ext(SPV_KHR_expect_assume)' --device-config %t.yaml --device lists --device silent
; RUN: condition 'ext(SPV_INTEL_any)' --device-config %t.yaml --device lists --device silent
; RUN: condition 'ext(SPV_KHR_16bit_storage)' --device-config %t.yaml --device lists --device silent
; RUN: condition 'ext(SPV_KHR_expect_assume)' --device-config %t.yaml --device silent --extensions SPV_KHR_expect_assume
; RUN: condition -3,-8,4,1953718630
