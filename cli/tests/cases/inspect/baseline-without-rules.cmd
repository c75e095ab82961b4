; Without rules there is nothing to accept.
; RUN: inspect %fixtures/check/hw-g.spv --baseline nothing-here.json
; EXIT: 2
