; Properties that this program wrote for a module do not stay beside another that has none; those of another program do.
; FILE: %t.foreign.prop
;   [SYCL/misc properties]
;   optLevel=1|2
; FILE: %t.read.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.in-place.spv
; RUN: specialize -q %t.in-place.spv --device intel_gpu_bmg_g21 -o %t.in-place.spv
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.trimmed.spv
; RUN: trim -q %fixtures/glsl/reduce.spv -o %t.trimmed.spv --depfile %t.d
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.elsewhere.spv
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.elsewhere.spv --properties %t.other.prop
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.named.spv
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.named.spv --properties %t.named.prop
; RUN: trim -q %fixtures/glsl/reduce.spv -o %t.foreign.spv
; RUN: specialize -q %fixtures/glsl/reduce.spv --properties %t.read.prop --device intel_gpu_bmg_g21 -o %t.read.spv
; RUN: trim -q %t.foreign.spv -o %t.foreign-copied.spv
; RUN: trim -q %t.read.spv -o %t.read-copied.spv
; DIS: none
