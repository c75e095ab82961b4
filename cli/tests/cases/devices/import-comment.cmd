; A name with line breaks stays in the comment.
; FILE: %t.json
;   { "VkPhysicalDeviceProperties": { "apiVersion": 4198400, "deviceName": "A\nb: {}\u2028c: {}\u0085d: {}" } }
; RUN: devices import %t.json
