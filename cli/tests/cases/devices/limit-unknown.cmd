; A limit that is misspelled is an error that names the likeliest.
; FILE: %t.yaml
;   phone:
;     limits: [maxGeometryOutputVertexes=256]
; RUN: devices --device-config %t.yaml
; EXIT: 1
