; EXIT: 2
; RUN: devices --defines
