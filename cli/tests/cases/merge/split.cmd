; The condition of the whole module is that of its images, and of the module packed again.
; RESULT-ENV: spv1.6
; DIS: none
; RUN: merge -q %fixtures/merge/scale-fp16.spv=fp16 %fixtures/merge/scale.spv=arch(x86_64) -o %t.spv
; RUN: split -q %t.spv --mode kernel -o %t.image
; RUN: pack -q %t.spv -o %t.again.spv
; RUN: merge -q %fixtures/merge/scale.spv=fp16 -o %t.one.spv
; RUN: pack -q %t.one.spv -o %t.one-again.spv
; RUN: sycl post-link -q %t.spv --jit pack -o %t.linked.table
