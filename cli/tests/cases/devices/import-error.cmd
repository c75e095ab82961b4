; An error in a file says where it is.
; FILE: %t.json
;   { "capabilities": { "base": {} },
;     "profiles": { "VP_TEST_a": { "version": 1, "api-version": "1.1", "capabilities": ["bas"] } } }
; RUN: devices import %t.json
; EXIT: 1
