; One error for each cause, with the other modules that have it, and nothing else with -q.
; RUN: pack %fixtures/check/hw-g.spv -o %t.a.spv -q
; RUN: inspect %fixtures/check/hw-g.spv -o %t.txt -q
; RUN: inspect %fixtures/check/hw-g.spv %t.a.spv %t.a.spv --deny cap(Float64) -q
; EXIT: 1
; DIS: none
