; JSON that has a key of a report and is none.
; FILE: %t.json
;   { "type": "object", "properties": { "name": { "type": "string" } } }
; RUN: devices import %t.json
; EXIT: 1
