; Devices of one function: what they lack for it and what it calls, and for no other.
; FILE: %t.yaml
;   functions:
;     __clang_ocl_kern_imp_wave_step:
;       source: not this key
;     energy:
;       fixed-targets: [intel_gpu_dg1, "intel_gpu_tgl*"]
; RUN: check %fixtures/opencl/plain.spv --annotations %t.yaml
; RUN: check %fixtures/opencl/plain.spv --annotations %t.yaml --fixed-targets intel_gpu_dg1
; MESSAGES: facts
