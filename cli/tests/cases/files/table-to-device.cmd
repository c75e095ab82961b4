; Images are named after the table, and nothing in /dev is.
; RUN: sycl post-link -q %fixtures/program/means.spv -o /dev/null --out-dir %t
; RUN: sycl post-link -q %fixtures/program/means.spv -o /dev/null
; EXIT: 2
; DIS: none
