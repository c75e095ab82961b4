; RUN: sycl post-link %fixtures/opencl/plain.spv -o %t/no/such.table
; EXIT: 1
