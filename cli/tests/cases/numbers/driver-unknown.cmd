; A driver that the table does not have, as a part of a device.
; RUN: condition 'driver(qualcomm)' --driver 'qualcom 512.744'
; EXIT: 2
