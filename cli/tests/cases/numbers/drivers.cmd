; Versions of drivers compare part by part, only with the driver itself; a device without a known driver answers nothing.
; FILE: %t.yaml
;   a: {aspects: [gpu], driver: qualcomm 512.744}
;   b: {aspects: [gpu], driver: qualcomm}
;   c: {aspects: [gpu], capabilities: [], driver: nvidia 580.159.04}
;   d: {aspects: [gpu]}
; FILE: %t.json
;   {"VkPhysicalDeviceProperties": {"apiVersion": 4202496, "deviceName": "phone", "driverVersion": 2149539840},
;   "VkPhysicalDeviceDriverProperties": {"driverID": "VK_DRIVER_ID_QUALCOMM_PROPRIETARY"}}
; RUN: condition 'driver(qualcomm) < 512.1000' --device-config %t.yaml --device '*' --device %t.json
; RUN: condition 'driver(qualcomm)' --device-config %t.yaml --device '*'
; RUN: condition 'driver(qualcomm) != 512.744 || !(driver(nvidia) > 580)' --device-config %t.yaml --device '*'
; RUN: condition 'driver(qualcomm) < 600 && driver(qualcomm) >= 512.503 && !driver(qualcomm) < 512.504' --device dg1 --driver 'qualcomm 512.744'
; RUN: devices --device-config %t.yaml c
; RUN: condition 'driver(qualcom) < 512.744'
; EXIT: 2
