; Values that are none.
; RUN: inspect %fixtures/spec/flow.spv --statistics ocloc:pvc --values 1:x
; EXIT: 2
