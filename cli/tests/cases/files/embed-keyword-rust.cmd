; RUN: trim %fixtures/glsl/reduce.spv -o %t.rs --embed rust --embed-name _
; EXIT: 2
