; The call graph is no check: no baseline is written.
; RUN: inspect %fixtures/check/hw-g.spv --format dot --deny cap(Float64) --write-baseline %t.json
; EXIT: 2
; DIS: none
