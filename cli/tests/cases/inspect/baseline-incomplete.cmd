; No baseline is written of files that were not all checked.
; RUN: inspect %fixtures/check/hw-g.spv nothing-here.spv --deny cap(Float64) --write-baseline %t.json --why SPV_KHR_ray_query
; MESSAGES: facts
; EXIT: 1
; DIS: none
