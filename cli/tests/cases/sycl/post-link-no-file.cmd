; RUN: sycl post-link %t.missing.spv -o %t.table
; EXIT: 1
; DIS: none
