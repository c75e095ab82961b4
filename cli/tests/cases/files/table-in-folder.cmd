; RUN: sycl post-link -q %fixtures/program/means.spv %fixtures/program/sums.spv -o %t/
; RUN: sycl post-link -q %fixtures/program/sums.spv %fixtures/program/means.spv -o %t
; MESSAGES: facts
; DIS: none
