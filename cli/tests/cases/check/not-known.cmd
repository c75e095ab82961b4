; A target that is not known to run a module is a note in every format.
; FILE: %t.yaml
;   phone:
;     environments: [vulkan]
;     spirv-versions: [1.0, 1.3]
; RUN: check %fixtures/glsl/shade.spv --device-config %t.yaml --fixed-targets phone
; RUN: check %fixtures/glsl/shade.spv --device-config %t.yaml --fixed-targets phone --format github
; RUN: check %fixtures/glsl/shade.spv --device-config %t.yaml --fixed-targets phone --format sarif
