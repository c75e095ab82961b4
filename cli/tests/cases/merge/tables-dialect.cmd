; EXIT: 2
; RUN: merge %fixtures/merge/scale.spv --fnvar-capabilities --dialect spec-conditional -o %t.spv
