; A file without profiles has no devices.
; FILE: %t.json
;   { "capabilities": {}, "profiles": {} }
; RUN: devices import %t.json
; RUN: condition fp64 --device %t.json
; EXIT: 2
