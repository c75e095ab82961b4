; RUN: condition 'subgroup_siz >= 8'
; EXIT: 2
