; Two files in Rust define one name: each can be in a module of its own.
; RUN: trim -q %fixtures/link/stage-frag-1.5.spv -o %t.a-b.spv
; RUN: trim -q %fixtures/link/stage-frag-1.5.spv -o %t.a_b.spv
; RUN: trim -q %t.a-b.spv %t.a_b.spv -o %t/ --embed rust
; DIS: none
