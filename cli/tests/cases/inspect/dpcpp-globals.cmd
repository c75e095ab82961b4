; A capability that DPC++'s translator declares for global variables, and that has no name.
; DIS: none
; RUN: inspect %fixtures/rejected/globals-O2.spv
