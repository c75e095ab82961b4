; Annotations of causes, at places in the checkout, and of files that cannot be examined.
; RUN: pack %fixtures/check/hw-g.spv -o %t.a.spv -q
; RUN: inspect %fixtures/check/hw-g.spv %t.a.spv --deny cap(Float64) --format github --path-map .=shaders nothing-here.spv
; MESSAGES: facts
; EXIT: 1
; DIS: none
