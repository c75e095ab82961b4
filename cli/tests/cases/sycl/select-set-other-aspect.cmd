; An aspect that the code does not explain stays required: `custom`, beside fp16 and fp64.
; RUN: sycl select %t.table --kernel main --device intel_gpu_dg1 --set use_double:false --set factor:1 --allow-outside -o %t.out.spv
; EXIT: 3
; FILE: %t.table
;   [Code|Properties|Symbols]
;   %fixtures/spec/precision.spv|%t.prop|%t.sym
; FILE: %t.prop
;   [SYCL/device requirements]
;   aspect=2|gBAAAAAAAAABAAAAFAAAAYAAAAA
; FILE: %t.sym
;   main
