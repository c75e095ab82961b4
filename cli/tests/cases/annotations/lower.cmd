; Annotations list features to lower: packing writes twins for them, and a device without one gets lowered code.
; FILE: %t.yaml
;   lower: [Int64, Float64]
; RUN: pack %fixtures/check/double.spv --annotations %t.yaml -o %t.spv
; RUN: specialize -q %fixtures/check/double.spv --annotations %t.yaml --capabilities Shader -o %t.lowered.spv
; RUN: specialize -q %fixtures/check/double.spv --annotations %t.yaml --capabilities Shader,Float64 -o %t.native.spv
; MESSAGES: facts
; SHOW: OpCapability OpConditionalCapability OpTypeFloat
