#!/usr/bin/env bash
# Question: in which order does Intel's OpenCL runtime for processors add the numbers of a loop?
#
# Good guess: in that of the loop. OpenCL lets a compiler reorder sums only with -cl-unsafe-math-optimizations or -cl-fast-relaxed-math, and SPIR-V only with
# FPFastMathMode AllowReassoc or Fast. A module that says FPFastMathMode None of the addition, and ContractionOff of the kernel, asks for nothing else.
#
# Truth: without any option it adds in several lanes, and the lanes at the end, of floats as of doubles, from SPIR-V as from OpenCL C. Neither FPFastMathMode None
# nor ContractionOff changes that; -cl-opt-disable does. PoCL 7.1, which runs on the same processors, adds in order.
#
# Why it matters: whoever changes SPIR-V checks with such a runtime, on machines without a GPU, that results have the same bits. Another shape of the same loop gets other lanes,
# so a correct change looks wrong, and the unchanged module differs from the host. Check with sums that are exact in any order, or build with -cl-opt-disable.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyopencl==2026.1.4 numpy==2.4.6 intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 \
    tbb==2023.2.0 tcmlib==1.6.0

# module NAME BITS LINE...: assembles a kernel that adds floats of these bits in a loop, with these decorations.
module() {
    in_root spirv-as --target-env spv1.2 - -o "$folder/$1.spv" <<ASM
OpCapability Addresses
OpCapability Kernel
$([[ $2 == 32 ]] || echo OpCapability Float64)
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %sum "sum"
OpExecutionMode %sum ContractionOff
$(printf '%s\n' "${@:3}")
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%float = OpTypeFloat $2
%pointer = OpTypePointer CrossWorkgroup %float
%type = OpTypeFunction %void %pointer %pointer %uint
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%f0 = OpConstant %float 0
%sum = OpFunction %void None %type
%values = OpFunctionParameter %pointer
%result = OpFunctionParameter %pointer
%count = OpFunctionParameter %uint
%start = OpLabel
OpBranch %loop
%loop = OpLabel
%at = OpPhi %uint %u0 %start %next %loop
%before = OpPhi %float %f0 %start %after %loop
%place = OpInBoundsPtrAccessChain %pointer %values %at
%value = OpLoad %float %place Aligned $(($2 / 8))
%after = OpFAdd %float %before %value
%next = OpIAdd %uint %at %u1
%more = OpULessThan %bool %next %count
OpBranchConditional %more %loop %end
%end = OpLabel
OpStore %result %after Aligned $(($2 / 8))
OpReturn
OpFunctionEnd
ASM
    in_root spirv-val --target-env opencl2.2 "$folder/$1.spv"
}
module double 64
module double-none 64 'OpDecorate %after FPFastMathMode None'
module float 32

cat >"$folder/sums.py" <<'SCRIPT'
import sys
import warnings

import numpy
import pyopencl as cl

warnings.simplefilter("ignore")
(platform,) = cl.get_platforms()
device = platform.get_devices()[0]
print(platform.name, device.driver_version, file=sys.stderr)
context = cl.Context([device])
queue = cl.CommandQueue(context)
source = "kernel void sum(global const TYPE *v, global TYPE *r, uint n) { TYPE s = 0; for (uint i = 0; i < n; ++i) s += v[i]; *r = s; }"


def line(name, program, number, options):
    # Two large numbers cancel out, and what stands between them is rounded as the order has it.
    values = (numpy.arange(1, 65) / 3).astype(number)
    large = number(2) ** (50 if number == numpy.float64 else 23)
    values[3], values[59] = large, -large
    result = numpy.zeros(1, number)
    inputs = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    output = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
    kernel = cl.Kernel(program.build(options), "sum")
    kernel.set_args(inputs, output, numpy.uint32(len(values)))
    cl.enqueue_nd_range_kernel(queue, kernel, (1,), None)
    cl.enqueue_copy(queue, result, output)
    in_order = number(0)
    for value in values:
        in_order = number(in_order + value)
    print(f"{name} {' '.join(options) or '(no options)'}: {'in order' if result[0] == in_order else 'in another order'}")


for options in [], ["-cl-opt-disable"]:
    for name, number in ("double", numpy.float64), ("double-none", numpy.float64), ("float", numpy.float32):
        line(name, cl.Program(context, open(f"{sys.argv[1]}/{name}.spv", "rb").read()), number, options)
    line("source", cl.Program(context, source.replace("TYPE", "double")), numpy.float64, options)
SCRIPT
found=$(OCL_ICD_VENDORS=$(echo "$folder"/venv/lib/libintelocl.so) LD_LIBRARY_PATH=$folder/venv/lib "$folder/venv/bin/python" "$folder/sums.py" "$folder")
echo "$found"
[[ $found == 'double (no options): in another order
double-none (no options): in another order
float (no options): in another order
source (no options): in another order
double -cl-opt-disable: in order
double-none -cl-opt-disable: in order
float -cl-opt-disable: in order
source -cl-opt-disable: in order' ]] || changed 'the runtime adds in another order'
