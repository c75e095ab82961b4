; What the aspect filter looks at, one image for each. intel_gpu_dg1 has no fp64, intel_gpu_pvc no sub-groups of 8.
; RUN: sycl filter -v %t.table --target intel_gpu_dg1 -o %t.dg1.table
; RUN: sycl filter -v %t.table --target intel_gpu_pvc -o %t.pvc.table
; FILE: %t.table
;   [Code|Properties|Owner]
;   %t.plain.spv|%t.plain.prop|0
;   %t.fp64.spv|%t.fp64.prop|1
;   %t.dpcpp.spv|%t.dpcpp.prop|2
;   %t.sub-groups.spv|%t.sub-groups.prop|3
;   %t.sub-group-8.spv|%t.sub-group-8.prop|4
;   %t.targets.spv|%t.targets.prop|5
;   %t.no-target.spv|%t.no-target.prop|6
;   %t.condition.spv|%t.condition.prop|7
;   %t.large-group.spv|%t.large-group.prop|8
;   %t.other.spv|%t.other.prop|9
; FILE: %t.plain.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
; FILE: %t.fp64.prop
;   [SYCL/device requirements]
;   aspect=2|ABAAAAAAAAQBAAAAGAAAAA
; FILE: %t.dpcpp.prop
;   [SYCL/device requirements]
;   aspects=2|gAAAAAAAAAgBAAAA
; FILE: %t.sub-groups.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_sub_group_size=2|ABAAAAAAAAAEAAAAgAAAAA
; FILE: %t.sub-group-8.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_sub_group_size=2|gAAAAAAAAAACAAAA
; FILE: %t.targets.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   fixed_target=2|ABAAAAAAAAAFAEAAkBQAAA
; FILE: %t.no-target.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   fixed_target=2|AAAAAAAAAAA
; FILE: %t.condition.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   condition-0=2|ABAAAAAAAAg/////QAAAAA
;   conditional-aspects-0=2|gAAAAAAAAAgBAAAA
;   condition-1=2|gBAAAAAAAAQ/////+////DBAAAA
;   conditional-aspects-1=2|gAAAAAAAAAQCAAAA
; FILE: %t.large-group.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_work_group_size=2|ACAAAAAAAAwAAAAAAABAAAAEAAQAAAAA
; FILE: %t.other.prop
;   [Another set]
;   a=1|1
