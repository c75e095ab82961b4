; What docs/zig.md shows.
; RUN: pack %fixtures/frontends/zig.spv --annotations %fixtures/frontends/zig.yaml -o %t.spv
; RUN: specialize -v %t.spv --device intel_gpu_acm_g10 -o %t.acm.spv
; RUN: specialize -v %t.spv --device intel_gpu_bmg_g21 -o %t.pvc.spv
; MESSAGES: facts
; DIS: none
