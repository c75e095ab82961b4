; A file is named as annotations name it, without ./ before it.
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --format github --path-map hw.clcpp=shaders/hw.clcpp -q
; EXIT: 1
