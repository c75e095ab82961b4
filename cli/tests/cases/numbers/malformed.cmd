; RUN: condition 'subgroup_size'
; EXIT: 2
