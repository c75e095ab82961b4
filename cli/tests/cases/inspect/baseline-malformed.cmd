; What is no baseline is an error.
; FILE: %t.json
;   {"version": 2, "findings": []}
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --baseline %t.json
; EXIT: 1
