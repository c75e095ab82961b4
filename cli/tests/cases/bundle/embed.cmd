; The bundle beside the assembly that includes it.
; RUN: bundle %fixtures/merge/scale.spv -o %t.S --embed incbin
; MESSAGES: facts
