; Conditions that no result may require: half precision is conditional in this module, and what shaders are not. Nothing is written where one is required.
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv --deny cap(Float16) --deny fp64
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.denied.spv --deny cap(Float16) --deny cap(Shader)
; EXIT: 1
; DIS: none
