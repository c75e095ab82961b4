; Accepted findings are suppressed results of SARIF, and new ones have an empty list of suppressions. Both have fingerprints.
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --write-baseline %t.json -q
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --deny cap(Int64) --baseline %t.json --format sarif -q
; EXIT: 1
; DIS: none
