; Of a device of which only the architecture is known, what else is asked stays conditional.
; RUN: specialize -v %fixtures/glsl/archlist.spv --device arch:intel_gpu_pvc -o %t.spv --trim
; RUN: specialize %fixtures/glsl/reduce.spv --device arch:intel_gpu_pvc -o %t.open.spv
; RUN: specialize %fixtures/glsl/reduce.spv --device arch:intel_gpu_pvc -o %t.decided.spv --require-decided
; EXIT: 1
; DIS: none
