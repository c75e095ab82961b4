; FILE: %t.json
;   { "capabilities": { "base": {} },
;     "profiles": { "VP_TEST_a": { "version": 1, "api-version": "1.1", "capabilities": ["base"] } } }
; RUN: devices import %t.json --profile VP_TEST_b
; EXIT: 2
