; A file of properties that another program wrote is not replaced.
; FILE: %t.prop
;   # Made by hand.
;   colour = red
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.spv
; MESSAGES: facts
; EXIT: 2
