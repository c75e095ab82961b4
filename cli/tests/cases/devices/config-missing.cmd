; RUN: devices --device-config %t.yaml
; MESSAGES: facts
; EXIT: 1
