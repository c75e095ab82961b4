; Errors have the line of the table.
; EXIT: 1
; FILE: %t.csv
;   module,target,features
;   b.spv,7,
; RUN: merge %fixtures/merge/scale.spv --fnvar-targets %t.csv -o %t.spv
