#!/usr/bin/env python3
"""Runs the kernel of a module by pyopencl, which knows nothing of spirv-if: `layers/opencl/tests/pyopencl_kernel.py chain.spv`, or `histogram.spv`.

Both are packed fixtures of `fixtures/drivers`. Prints the way that each device takes."""

import sys
from pathlib import Path

import numpy as np
import pyopencl as cl

ITEMS = 16


def run(context: cl.Context, device: cl.Device, path: Path) -> int:
    """Returns the way that the kernel writes, after a check of its results."""
    program = cl.Program(context, path.read_bytes()).build(devices=[device])
    queue = cl.CommandQueue(context, device)
    flags = cl.mem_flags
    way = np.zeros(ITEMS, np.uint32)
    ways = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=way)
    kernel = cl.Kernel(program, "run")
    if path.stem == "chain":
        coefficients = (1 + 1 / (np.arange(8 * ITEMS) + 3)).astype(np.float32)
        given = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=coefficients)
        result = np.zeros(ITEMS, np.float32)
        results = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=result)
        kernel(queue, (ITEMS,), None, given, results, ways, np.uint32(8))
        expected = [np.polyval(row.astype(np.float64), 0.5) for row in coefficients.reshape(ITEMS, 8)]
        precision = 1e-2
    else:
        bins = (np.arange(ITEMS) % 4).astype(np.uint32)
        weights = (np.arange(ITEMS) + 1).astype(np.uint64) << np.uint64(31)
        buffers = [cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=each) for each in (bins, weights)]
        result = np.zeros(4, np.uint64)
        results = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=result)
        kernel(queue, (ITEMS,), None, *buffers, results, ways)
        expected = [weights[bins == number].sum() for number in range(4)]
        precision = 0
    cl.enqueue_copy(queue, result, results)
    cl.enqueue_copy(queue, way, ways)
    queue.finish()
    np.testing.assert_allclose(result, expected, rtol=precision)
    assert (way == way[0]).all() and way[0], way
    return int(way[0])


def main() -> None:
    """Runs it on each device of each platform."""
    for platform in cl.get_platforms():
        context = cl.Context(platform.get_devices())
        for device in context.devices:
            print(f"{device.name.strip()} takes way {run(context, device, Path(sys.argv[1]))}")


main()
