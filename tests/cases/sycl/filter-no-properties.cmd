; The seed asks for the column first: without it the target does not matter.
; RUN: sycl filter %t.table --target unheard_of -o -
; FILE: %t.table
;   [Code|Symbols]
;   a.spv|a.sym
