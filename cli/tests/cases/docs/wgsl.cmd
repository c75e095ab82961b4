; What docs/wgsl.md shows.
; RUN: pack %fixtures/frontends/wgsl.spv --annotations %fixtures/frontends/wgsl.yaml -o %t.spv
; RUN: specialize -v %t.spv --device nvidia_gpu_sm_50 -o %t.sm_50.spv
; RUN: specialize -v %t.spv --device intel_gpu_bmg_g21 -o %t.pvc.spv
; MESSAGES: facts
; DIS: none
