; A target of one's own, which also goes by the aspect of another.
; RUN: sycl filter -v %t.table --target my_gpu --device-config-file %t.yaml -o %t.out.table --depfile %t.d
; MESSAGES: facts
; FILE: %t.table
;   [Properties]
;   %t.fp64.prop
;   %t.targets.prop
;   %t.sub-groups.prop
; FILE: %t.yaml
;   my_gpu:
;     aspects: [fp16, 65636]
;     sub-group-sizes: [16, 32]
; FILE: %t.fp64.prop
;   [SYCL/device requirements]
;   aspect=2|ABAAAAAAAAQBAAAAGAAAAA
; FILE: %t.sub-groups.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_sub_group_size=2|ABAAAAAAAAAEAAAAgAAAAA
; FILE: %t.targets.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   fixed_target=2|ABAAAAAAAAAFAEAAkBQAAA
