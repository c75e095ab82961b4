; A file that cannot be examined is a notification. Names of source files are those of the checkout.
; RUN: check %fixtures/check/hw-g.spv nothing-here.spv --format sarif --path-map .=/work/shaders --source-root /work
; MESSAGES: facts
; EXIT: 1
; DIS: none
