; A name is made of letters, digits and underscores.
; RUN: condition 'host(4fast)'
; EXIT: 2
