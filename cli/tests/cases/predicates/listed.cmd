; RUN: condition 'feature(amdgpu:a) || feature(amdgpu:b)' --provider-features '!amdgpu:a'
; RUN: condition 'feature(amdgpu:a) || feature(amdgpu:b)' --provider-features '!amdgpu:*'
; RUN: condition 'feature(amdgpu:a) || feature(amdgpu:b)' --provider-features amdgpu:b
; RUN: devices gfx90a:xnack+ 
