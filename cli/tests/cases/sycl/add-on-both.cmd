; RUN: sycl post-link %fixtures/program/sums.spv --pack --jit add-on -o %t.table
; EXIT: 2
