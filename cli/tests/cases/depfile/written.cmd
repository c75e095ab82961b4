; Every command that writes says what it read, in files of every kind.
; FILE: %t in.yaml
;   functions:
;     sum_in_half:
;       uses: fp16
; FILE: %t.devices.yaml
;   one: {aspects: [fp16]}
;   two: {aspects: [gpu]}
; RUN: pack fixtures/glsl/reduce.spv --annotations '%t in.yaml' -o %t.packed.spv --depfile %t.pack.d
; RUN: specialize %t.packed.spv --device one --device two --device-config %t.devices.yaml -o %t/ --depfile %t.specialize.d
; RUN: trim %t.packed.spv -o %t.trimmed.spv --depfile %t.trim.d
; RUN: trim %t.trimmed.spv -o %t.trimmed.spv --depfile %t.in-place.d
; DIS: none
