; RUN: specialize %fixtures/adapted/hints.spv --adapt --device-config %t.yaml --device has --device lacks --dedupe --map %t.json -o %t/
; FILE: %t.yaml
;   has:
;     environments: [opencl]
;     capabilities: [Int64, Linkage, ExpectAssumeKHR]
;   lacks:
;     environments: [opencl]
;     capabilities: [Int64, Linkage]
;     exact-capabilities: true
; SHOW: OpCapability Assume
