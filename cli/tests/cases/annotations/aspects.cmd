; What functions use and declare beside what their code shows.
; FILE: %t.yaml
;   functions:
;     external:
;       uses: atomic64
;     says_nothing:
;       declares: []
; RUN: check %fixtures/check/hw-g.spv --annotations %t.yaml
; MESSAGES: facts
