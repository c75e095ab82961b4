"""A kernel packed, specialized for each OpenCL device in hand, and run there. Its argument is the compiler's module, chain.spv, which
computes in four ways (fixtures/drivers/chain.clcpp)."""

import pickle
import sys

import numpy
import pyopencl

import spirv_if

WAYS = {1: "fp16 && fp64", 2: "fp64 && !fp16", 3: "fp16 && !fp64", 4: "!fp16 && !fp64"}
POLYNOMIALS, DEGREE = 16, 8

with open(sys.argv[1], "rb") as file:
    packed = spirv_if.pack(file.read()).module
devices = [device for platform in pyopencl.get_platforms() for device in platform.get_devices()]
assert devices, "there is no device"
# The first call that asks drivers: nothing else has listed their platforms by the loader that spirv_if opens.
first = spirv_if.Device.from_opencl(devices[0])
reported = spirv_if.probe("opencl")
assert pickle.loads(pickle.dumps(reported)) == reported
probed = [device.name for device in reported]
assert first.name in probed, (first.name, probed)
coefficients = (1 + 1 / (numpy.arange(POLYNOMIALS * DEGREE) + 3)).astype(numpy.float32)
expected = (coefficients.reshape(POLYNOMIALS, DEGREE).astype(float) * 0.5 ** numpy.arange(DEGREE)[::-1]).sum(axis=1)
for device in devices:
    known = spirv_if.Device.from_opencl(device)
    assert pickle.loads(pickle.dumps(known)) == known
    assert known.name in probed, (known.name, probed)
    if device.partition_max_sub_devices > 1:
        # A sub-device, which no platform lists.
        part, *_ = device.create_sub_devices([pyopencl.device_partition_property.EQUALLY, 1])  # type: ignore[list-item]
        assert spirv_if.Device.from_opencl(part) == known
    if not device.get_info(pyopencl.device_info.GENERIC_ADDRESS_SPACE_SUPPORT):
        # The compiler's pointers are generic.
        assert spirv_if.compatibility(packed, known).missing == ("GenericPointer",), known
        print(f"{device.name}: has no generic pointers, as the verdict says")
        continue
    here = spirv_if.specialize(packed, known).module
    assert len(here) < len(packed)
    context = pyopencl.Context([device])
    kernel = pyopencl.Program(context, here).build().run
    queue = pyopencl.CommandQueue(context)
    values, ways = numpy.zeros(POLYNOMIALS, numpy.float32), numpy.zeros(POLYNOMIALS, numpy.uint32)
    flags = pyopencl.mem_flags
    given = pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=coefficients)
    value_buffer, way_buffer = (pyopencl.Buffer(context, flags.WRITE_ONLY, values.nbytes) for _ in range(2))
    kernel(queue, (POLYNOMIALS,), None, given, value_buffer, way_buffer, numpy.uint32(DEGREE))
    pyopencl.enqueue_copy(queue, values, value_buffer)
    pyopencl.enqueue_copy(queue, ways, way_buffer)
    (way,) = set(ways.tolist())
    # The driver itself says which way it is, and numpy what comes out.
    assert known.holds(WAYS[way]) is True, (way, known.aspects)
    assert "cl_khr_fp64" not in device.extensions or known.holds("fp64")
    assert numpy.allclose(values, expected, rtol=1e-2), (values, expected)
    print(f"{device.name}: {len(here)} of {len(packed)} bytes stay; {WAYS[way]}: {values[0]:.7f}")
