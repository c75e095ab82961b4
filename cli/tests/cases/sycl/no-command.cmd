; RUN: sycl
; EXIT: 2
