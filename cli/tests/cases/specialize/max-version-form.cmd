; RUN: specialize - -o %t.spv --set 0:true --max-version 13
; MESSAGES: facts
; EXIT: 2
