; The constants of the other dialect cannot express numbers.
; RUN: pack -q %fixtures/decisions/glslnumbers.spv --dialect function-variants -o %t.spv
; EXIT: 1
