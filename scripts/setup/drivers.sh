#!/usr/bin/env bash
# Brings OpenCL and Vulkan drivers into target/tools and makes an executable of each: `setup.sh drivers` runs it.
#
#   target/tools/drivers/NAME PROGRAM [ARGUMENT...]
#
# runs the program at that path so that it sees no driver but this. NAME begins with `opencl-` or `vulkan-`; cli/tests/all/drivers runs
# its cases with every one of that folder. clinfo and vulkaninfo come too: target/tools/root/usr/bin/clinfo is a PROGRAM.
# Compilers of GPUs that are not there compile and compute nothing. target/tools/compilers/mesa-CHIP PROGRAM runs the program so that it sees a
# Vulkan driver of Mesa for that chip, whose kernel interface Mesa's shims play; target/tools/bin/ocloc is Intel's compiler of kernels.
#
# target/tools/layers/opencl-pocl-khronos and its like run it with Khronos' loader instead of Debian's usual one.
# target/tools/layers/vulkan-lavapipe runs it with that driver and the layers that VK_LAYER_PATH and VK_INSTANCE_LAYERS name
# (scripts/test-vulkan-layer.sh).
#
# Programs run with the C library that the drivers were built for, so the system's own may be older. All drivers here use the
# processor alone. Intel's is for x86_64.
set -euo pipefail
# shellcheck source=scripts/setup/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

# The loaders, PoCL, rusticl, lavapipe, what shows what drivers report, and Khronos' validation of what is asked of Vulkan. PoCL calls llvm-spirv
# and ld, which come with it.
debian_packages=(ocl-icd-libopencl1 libvulkan1 pocl-opencl-icd mesa-opencl-icd libclc-22 mesa-vulkan-drivers clinfo
    vulkan-tools vulkan-validationlayers)
# Mesa's shims, and Intel's compiler with what it compiles by. The shims abort at names of chips that they do not know.
compiler_packages=(mesa-drm-shim intel-ocloc libigc2)
amd_chips=(pitcairn bonaire stoney polaris10 polaris12 vega10 vega20 raven raven2 renoir navi10 navi21 vangogh rembrandt raphael_mendocino
    navi31 navi33 phoenix strix1 gfx1201)
# Of NVIDIA's generations one chip each, by the number that nouveau calls it.
nvidia_chips=(kepler=f0 maxwell=124 pascal=134 volta=140 turing=166 ampere=176 ada=196 blackwell=1b2)
adreno_chips=(610 618 630 660 702 730 740 750 830)
# Intel's OpenCL for processors, with the libraries that it needs.
intel_packages=(intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0 tcmlib==1.6.0)

# driver PATH FOLDERS [VARIABLE=VALUE...]: writes PATH below the tools, which runs a program with VARIABLEs set and looks for libraries in
# FOLDERS too, each with a colon before it. %tools is the folder of the tools, and in VARIABLEs %root that of the unpacked packages.
driver() {
    local path=$1 folders=$2 variables
    shift 2
    # The loaders take these for drivers that cannot be opened, unless VARIABLEs name real ones.
    printf -v variables ' "%s"' OCL_ICD_VENDORS=/dev/null VK_DRIVER_FILES=/dev/null VK_LOADER_LAYERS_DISABLE='~all~' "$@"
    variables=${variables//%root/\$root}
    mkdir -p "$tools/${path%/*}"
    cat >"$tools/$path" <<WRAPPER
#!/bin/sh
tools=\$(cd "\${0%/*}/.." && pwd)
root=\$tools/root
exec env${variables//%tools/\$tools} "\$root/$loader" --library-path "\$root/usr/lib/$triplet${folders//%tools/\$tools}" "\$@"
WRAPPER
    chmod +x "$tools/$path"
}

# run_by_loader NAME PROGRAM: writes drivers/libexec/NAME, which runs PROGRAM, a path below the unpacked root.
run_by_loader() {
    [[ -x $unpacked/$2 ]] || die "the packages have no $2; Debian may have renamed it"
    mkdir -p "$tools/drivers/libexec"
    cat >"$tools/drivers/libexec/$1" <<WRAPPER
#!/bin/sh
root=\${0%/*}/../../root
exec "\$root/$loader" --library-path "\$root/usr/lib/$triplet" "\$root/$2" "\$@"
WRAPPER
    chmod +x "$tools/drivers/libexec/$1"
}

tool drivers-debian bring "${debian_packages[@]}"
tool drivers-khronos-loader bring_khronos khronos-opencl-icd-libopencl1
if [[ $(uname -m) == x86_64 ]]; then
    tool compilers-of-gpus bring "${compiler_packages[@]}"
    tool drivers-intel bring_python "${intel_packages[@]}"
fi
find_loader

# opencl_driver NAME FOLDERS LIBRARY [VARIABLE=VALUE...]: writes the wrapper of an OpenCL driver, as `driver` does, and layers/NAME-khronos, which runs
# a program with Khronos' loader instead. That one reads other variables.
opencl_driver() {
    local name=$1 folders=$2 library=$3
    shift 3
    driver "drivers/$name" "$folders" "OCL_ICD_VENDORS=$library" "$@"
    driver "layers/$name-khronos" "$folders" "OCL_ICD_FILENAMES=$library" LD_PRELOAD="%tools/khronos-loader/usr/lib/$triplet/libOpenCL.so.1" "$@"
}

# PoCL has the path of llvm-spirv built in, which must be of its own version. It keeps what it compiled: tests want it compiled now.
pocl=usr/lib/$triplet/libpocl.so.2
llvm_spirv=$(grep -ao 'usr/bin/llvm-spirv-[0-9]*' "$unpacked/$pocl") || die "$pocl calls no llvm-spirv"
run_by_loader llvm-spirv "${llvm_spirv%%$'\n'*}"
run_by_loader ld usr/bin/ld
opencl_driver opencl-pocl '' "%root/$pocl" \
    POCL_KERNEL_CACHE=0 POCL_CACHE_DIR=%tools/pocl-cache \
    POCL_PATH_LLVM_SPIRV=%tools/drivers/libexec/llvm-spirv "PATH=%tools/drivers/libexec:\$PATH"
# Mesa's OpenCL, on its renderer for processors. It has the folder of its built-in functions built in: a copy looks behind a descriptor instead,
# which its program opens.
rusticl=usr/lib/$triplet/libRusticlOpenCL.so.1
sed 's#/usr/lib/clc/#/dev/fd/9////#g' "$unpacked/$rusticl" >"$tools/drivers/libexec/rusticl.so"
opencl_driver opencl-rusticl '' %tools/drivers/libexec/rusticl.so RUSTICL_ENABLE=llvmpipe MESA_SHADER_CACHE_DISABLE=true \
    LP_NATIVE_VECTOR_WIDTH=128
# shellcheck disable=SC2016 # the wrappers expand it
sed -i 's#^exec .*#& 9<"$root/usr/lib/clc"#' "$tools"/{drivers/opencl-rusticl,layers/opencl-rusticl-khronos}
lavapipe=(VK_DRIVER_FILES=%root/usr/share/vulkan/icd.d/lvp_icd.json MESA_SHADER_CACHE_DISABLE=true)
# It compiles faster for narrow vectors.
driver layers/vulkan-lavapipe '' "${lavapipe[@]}" LP_NATIVE_VECTOR_WIDTH=128 'VK_LOADER_LAYERS_DISABLE=~implicit~'
# With wide ones it has cooperative matrices, and other sub-groups. The validation says if a module needs what was not enabled, which lavapipe
# itself does not mind.
for width in =128 -wide=256; do
    driver "drivers/vulkan-lavapipe${width%=*}" '' "${lavapipe[@]}" "LP_NATIVE_VECTOR_WIDTH=${width#*=}" \
        VK_LAYER_PATH=%root/usr/share/vulkan/explicit_layer.d 'VK_LOADER_LAYERS_ENABLE=*validation' \
        'VK_LOADER_LAYERS_ALLOW=*validation'
done
if [[ $(uname -m) == x86_64 ]]; then
    intel_folders=''
    for package in "${intel_packages[@]}"; do
        folder=$(cd "$tools" && echo "${package%==*}"/*.data/data/lib)
        intel_folders+=:%tools/$folder
        if [[ -e $tools/$folder/libintelocl.so ]]; then intel_library=$folder/libintelocl.so; fi
    done
    opencl_driver opencl-intel "$intel_folders" "%tools/$intel_library"
fi

# mesa_compiler CHIP ICD SHIM VARIABLE=VALUE: writes compilers/mesa-CHIP. Only the program itself gets the shim, not what it starts.
mesa_compiler() {
    driver "compilers/mesa-$1" '' "VK_DRIVER_FILES=%root/usr/share/vulkan/icd.d/$2_icd.json" MESA_SHADER_CACHE_DISABLE=true "$4"
    sed -i "s#--library-path#--preload \"\$root/usr/lib/$triplet/lib$3_noop_drm_shim.so\" &#" "$tools/compilers/mesa-$1"
}

rm -rf "$tools/compilers"
if [[ $(uname -m) == x86_64 ]]; then
    for chip in "${amd_chips[@]}"; do mesa_compiler "$chip" radeon amdgpu "AMDGPU_GPU_ID=$chip"; done
    for chip in "${nvidia_chips[@]}"; do mesa_compiler "${chip%=*}" nouveau nouveau "NOUVEAU_CHIPSET=${chip#*=}"; done
    for chip in "${adreno_chips[@]}"; do mesa_compiler "adreno$chip" freedreno freedreno "FD_GPU_ID=$chip"; done
    # Its shim plays one chip.
    mesa_compiler m1 asahi asahi ASAHI_CHIP=m1
    ocloc=$(cd "$unpacked" && echo usr/bin/ocloc-*)
    mkdir -p "$tools/bin"
    cat >"$tools/bin/ocloc" <<WRAPPER
#!/bin/sh
root=\${0%/*}/../root
exec "\$root/$loader" --library-path "\$root/usr/lib/$triplet" "\$root/$ocloc" "\$@"
WRAPPER
    chmod +x "$tools/bin/ocloc"
fi
say "drivers are in $tools/drivers: $(cd "$tools/drivers" && echo *-*)"
