; Standard output has no place beside it.
; DIS: none
; RUN: pack %fixtures/glsl/wave.spv -o - --properties %t.prop -q
