; What this program wrote is replaced, and so is what was read beside the input.
; FILE: %t.in.prop
;   [SYCL/misc properties]
;   optLevel=1|2
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.spv
; RUN: pack -q %fixtures/opencl/device_if.spv -o %t.spv
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.in.spv --properties %t.other.prop
; RUN: pack -q %t.in.spv -o %t.in.spv
; RUN: trim -q %t.in.spv -o %t.in.spv
; DIS: none
