; FILE: %t.yaml
;   our_board:
;     aspects: [cpu,
;       fp61]
; RUN: devices --device-config %t.yaml
; EXIT: 1
