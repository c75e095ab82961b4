; The column is looked for first: without it the target does not matter (docs/design/optional-kernel-features.md, "Aspect filter tool").
; RUN: sycl filter %t.table --target unheard_of -o -
; FILE: %t.table
;   [Code|Symbols]
;   a.spv|a.sym
