; A driver that is none.
; RUN: inspect %fixtures/spec/flow.spv --statistics radv
; EXIT: 2
