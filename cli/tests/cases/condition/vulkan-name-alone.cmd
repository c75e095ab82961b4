; A feature of Vulkan that no capability stands for.
; RUN: condition 'cap(shaderSubgroupExtendedTypes)'
; EXIT: 2
