; Annotations of a workflow of GitHub: at a place in the source, or of the module with an offset and an id.
; RUN: check %fixtures/check/hw-g.spv --format github
; RUN: check %fixtures/check/hw.spv --deny-warnings --format github
; EXIT: 1
