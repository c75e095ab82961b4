; The version of a baseline is read first: fields of a later version are not unknown, but of that version.
; FILE: %t.json
;   {"version": 2, "findings": [{"cause": "of a later version"}], "accepted": "a later field"}
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --baseline %t.json
; MESSAGES: facts
; EXIT: 1
