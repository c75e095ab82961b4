; What only a trapped block used goes in callers, too: a parameter of the function, and the argument with what computes it.
; RUN: specialize %fixtures/frontends/zig.spv --device intel_gpu_acm_g10 --trap silent --trim -o %t.spv
; SHOW: OpFunctionParameter OpFunctionCall OpIMul
