; Without places in the source, a message of several modules is one error.
; RUN: pack %fixtures/check/hw.spv -o %t.a.spv -q
; RUN: inspect %fixtures/check/hw.spv %t.a.spv --deny cap(Float64) --format github
; EXIT: 1
; DIS: none
