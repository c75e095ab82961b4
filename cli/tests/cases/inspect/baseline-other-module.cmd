; A finding is new in another module, also where its cause is known.
; RUN: pack %fixtures/check/hw-g.spv -o %t.a.spv -q
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --write-baseline %t.json -q
; RUN: inspect %fixtures/check/hw-g.spv %t.a.spv --deny cap(Float64) --baseline %t.json --why SPV_KHR_ray_query
; MESSAGES: facts
; EXIT: 1
; DIS: none
