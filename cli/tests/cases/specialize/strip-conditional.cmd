; Where calls stay conditional, so do the names that say so.
; RUN: specialize %fixtures/glsl/reduce.spv -o %t.spv --set 0:64 --ignore-unknown --strip --unset keep
; MESSAGES: facts
; ENV: vulkan1.1
; SHOW: OpString OpSource OpName OpMemberName OpModuleProcessed OpFunction
