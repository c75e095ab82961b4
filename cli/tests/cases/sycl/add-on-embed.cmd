; Images and add-on images as source code, beside those that the table names.
; RUN: sycl add-on %fixtures/program/means.spv %fixtures/program/sums.spv --mode kernel -o %t.table --embed incbin
; MESSAGES: facts
; DIS: none
