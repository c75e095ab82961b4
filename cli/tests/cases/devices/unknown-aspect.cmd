; RUN: devices --aspect fp61
; EXIT: 2
