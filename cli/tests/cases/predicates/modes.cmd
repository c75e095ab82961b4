; RUN: condition 'feature(amdgpu:wavefrontsize64) && feature(amdgpu:gfx11-insts)' --device gfx1100 --device gfx1100:wavefrontsize64+ --device gfx1100:wavefrontsize32+ --device gfx90a --device x86_64
; RUN: condition 'arch(amd_gpu_gfx9_generic) || feature(amdgpu:xnack)' --device gfx9-generic --device gfx900:xnack+ --device gfx900:xnack- --device gfx900
