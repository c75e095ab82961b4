; RUN: specialize - -o %t.spv --set 0:true --max-version 1.7
; MESSAGES: facts
; EXIT: 2
