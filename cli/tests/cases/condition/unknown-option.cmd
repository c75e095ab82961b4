; RUN: condition --typo
; MESSAGES: facts
; EXIT: 2
