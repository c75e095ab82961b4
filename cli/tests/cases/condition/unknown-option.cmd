; RUN: condition --typo
; EXIT: 2
