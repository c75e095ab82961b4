; A decision between equal builds is accepted, as for other shaders of the same manifest; and one between some of several builds.
; RUN: merge -q %fixtures/merge/scale.spv=host(half) %fixtures/merge/scale.spv=else -o %t.equal.spv
; RUN: merge -q %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=host(wide) %fixtures/merge/scale.spv=else -o %t.some.spv
; RUN: specialize -q %t.equal.spv --device intel_gpu_bmg_g21 -o %t.open.spv
; RUN: specialize -q %t.equal.spv --set half:true -o %t.true.spv
; RUN: specialize -q %t.some.spv --device intel_gpu_bmg_g21 --set half:false --set wide:true -o %t.wide.spv
; RUN: specialize -q %t.equal.spv --set wide:true -o %t.wrong.spv
; RESULT-ENV: spv1.6
; EXIT: 1
; SHOW: OpModuleProcessed OpCapability
