; A stale file of properties makes way for a result of its name, by whatever path.
; RUN: trim -q %fixtures/glsl/reduce.spv -o %t/
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.spv
; RUN: specialize -q %fixtures/spec/precision.spv --set 0:true -o %t.spv --map %t/../stale-properties-result.prop
; DIS: none
