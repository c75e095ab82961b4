; Devices without a feature get their lowered twin by table look-up, and others what they get without the option.
; SHOW: OpCapability OpTypeFloat
; RUN: bundle %fixtures/annotations/guarded.spv -o %t.spvb --ready --lower=Float16
; RUN: unbundle %t.spvb
; RUN: unbundle -q %t.spvb -o %t.with/ --capabilities Shader,GroupNonUniform,GroupNonUniformArithmetic,Float16
; RUN: unbundle -q %t.spvb -o %t.without/ --capabilities Shader,GroupNonUniform,GroupNonUniformArithmetic
; MESSAGES: facts
