"""Kernels in Taichi, saved as SPIR-V: `taichi_kernels.py FOLDER`. Needs a Vulkan device."""

import sys
import tempfile
from pathlib import Path

import taichi as ti

ti.init(arch=ti.vulkan)
values = ti.field(ti.f32, shape=256)
counts = ti.field(ti.i32, shape=16)
points = ti.Vector.field(3, ti.f32, shape=64)


@ti.kernel
def fill(factor: ti.i32):
    for i in values:
        values[i] = ti.sin(i * 0.1) * factor


@ti.kernel
def count():
    for i in values:
        ti.atomic_add(counts[ti.cast(ti.abs(values[i]) * 15, ti.i32)], 1)


@ti.kernel
def smooth(steps: ti.i32) -> ti.f32:
    total = 0.0
    for i in range(1, 255):
        sum = 0.0
        for _ in range(steps):
            sum += (values[i - 1] + values[i] + values[i + 1]) / 3
        total += sum
    return total


@ti.kernel
def turn(angle: ti.f32):
    for i in points:
        point = points[i]
        points[i] = ti.Vector([point.x * ti.cos(angle) - point.y * ti.sin(angle), point.x * ti.sin(angle) + point.y * ti.cos(angle), point.z]).normalized()


module = ti.aot.Module()
for name, field in [("values", values), ("counts", counts), ("points", points)]:
    module.add_field(name, field)
for kernel in [fill, count, smooth, turn]:
    module.add_kernel(kernel)
with tempfile.TemporaryDirectory() as folder:
    module.save(folder)
    for path in Path(folder).glob("*.spv"):
        (Path(sys.argv[1]) / path.name).write_bytes(path.read_bytes())
