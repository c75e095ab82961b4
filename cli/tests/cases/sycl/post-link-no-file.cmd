; RUN: sycl post-link %t.missing.spv -o %t.table
; MESSAGES: facts
; EXIT: 1
; DIS: none
