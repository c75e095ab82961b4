; The lines as editors and CI read them: `file:line:column: warning: ` where the source is known, else the module's name.
; RUN: check %fixtures/check/hw-g.spv
; RUN: check --deny-warnings -q %fixtures/check/hw.spv
; MESSAGES: facts
; EXIT: 1
