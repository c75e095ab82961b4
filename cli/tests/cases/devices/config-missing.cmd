; RUN: devices --device-config %t.yaml
; EXIT: 1
