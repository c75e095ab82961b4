; A format that has no statistics.
; RUN: inspect %fixtures/spec/flow.spv --statistics probe:0 --format sarif
; EXIT: 2
