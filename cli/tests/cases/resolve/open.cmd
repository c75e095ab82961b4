; Of a device of which only the architecture is known, what else is asked stays conditional if that was requested.
; RUN: specialize -v %fixtures/glsl/archlist.spv --device arch:intel_gpu_pvc -o %t.spv --trim --unset keep
; RUN: specialize %fixtures/glsl/reduce.spv --device arch:intel_gpu_pvc -o %t.open.spv --unset keep
; RUN: specialize %fixtures/glsl/reduce.spv --device arch:intel_gpu_pvc -o %t.decided.spv
; EXIT: 1
; DIS: none
