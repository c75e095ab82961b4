; One constant cannot have two values.
; EXIT: 2
; RUN: specialize %fixtures/opencl/plain.spv -o %t.spv --set 3:true --set 4:1 --set 3:false
