; Shaders are named for their paths. A bundle is an input of other commands, and its modules come back.
; RESULT-ENV: spv1.6
; DIS: none
; RUN: bundle %fixtures/merge -o %t.spvb
; RUN: unbundle %t.spvb
; RUN: trim %t.spvb#scale -o %t.trimmed.spv
; RUN: unbundle %t.spvb scale scale-fp16 -o %t.out/
; MESSAGES: facts
