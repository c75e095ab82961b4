"""Arguments of the module for Python: what is accepted, and errors, which begin with the name of the argument."""

import array
import inspect
import mmap
import os
import unittest
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy

import spirv_if

FIXTURES = Path(os.environ["FIXTURES"])
REDUCE, PRECISION = FIXTURES / "glsl/reduce.spv", FIXTURES / "spec/precision.spv"


class Arguments(unittest.TestCase):
    def test_modules_are_buffers_and_paths(self) -> None:
        module = REDUCE.read_bytes()
        expected = spirv_if.pack(module)
        with REDUCE.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            sources: list[Any] = [
                bytearray(module),
                memoryview(module),
                memoryview(module).cast("I"),
                memoryview(b"...." + module)[4:],
                array.array("I", module),
                numpy.frombuffer(module, numpy.uint8),
                numpy.frombuffer(module, numpy.uint32),
                # Every second word of an array of twice as many.
                numpy.repeat(numpy.frombuffer(module, numpy.uint32), 2)[::2],
                numpy.frombuffer(module, numpy.uint32).byteswap(),
                mapped,
                str(REDUCE),
                REDUCE,
            ]
            for source in sources:
                self.assertEqual(spirv_if.pack(source), expected, type(source))
                self.assertEqual(spirv_if.inspect(source).entry_points[0].name, "main")
                self.assertEqual(spirv_if.find_modules(source)[0].module, module)
        bundled = [spirv_if.bundle({"reduce": source}) for source in (module, bytearray(module), REDUCE)]
        self.assertEqual(len(set(bundled)), 1)

    def test_texts_are_also_files(self) -> None:
        module, text = FIXTURES / "annotations/guarded.spv", FIXTURES / "annotations/guarded.yaml"
        packed = spirv_if.pack(module, annotations=text)
        self.assertEqual(packed, spirv_if.pack(module, annotations=text.read_text()))
        self.assertNotEqual(packed.module, spirv_if.pack(module).module)
        config = Path("arguments.yaml")
        config.write_text("mine: { aspects: [fp16] }")
        self.assertEqual(spirv_if.Device.from_yaml(config, "mine"), spirv_if.Device.from_yaml(config.read_text(), "mine"))

    def test_errors_about_files_name_them(self) -> None:
        calls: list[Callable[[], object]] = [
            lambda: spirv_if.pack("none.spv"),
            lambda: spirv_if.find_modules(Path("none.spv")),
            lambda: spirv_if.pack(REDUCE, annotations=Path("none.yaml")),
            lambda: spirv_if.bundle({"a": "none.spv"}),
            lambda: spirv_if.Device.from_json(Path("none.json")),
            lambda: spirv_if.Bundle("none.spvb"),
            lambda: spirv_if.Bundle.open(Path("none.spvb")),
        ]
        for call in calls:
            with self.assertRaisesRegex(FileNotFoundError, r"none\.") as missing:
                call()
            self.assertTrue(missing.exception.filename.startswith("none."))
        Path("cut.spv").write_bytes(REDUCE.read_bytes()[:200])
        Path("wrong.yaml").write_text("nothing: 1")
        with self.assertRaisesRegex(spirv_if.LoadError, "^cut.spv: truncated module") as cut:
            spirv_if.strip("cut.spv")
        self.assertGreater(cut.exception.offset, 0)
        with self.assertRaisesRegex(spirv_if.ModuleError, "wrong.yaml:1: unknown key `nothing`"):
            spirv_if.pack(REDUCE, annotations=Path("wrong.yaml"))
        for opens in [spirv_if.Bundle, spirv_if.Bundle.open]:
            with self.assertRaisesRegex(spirv_if.ModuleError, "^cut.spv: it is not a bundle"):
                opens("cut.spv")
        with self.assertRaisesRegex(spirv_if.ModuleError, "^data: it is not a bundle"):
            spirv_if.Bundle(b"....")
        with self.assertRaisesRegex(spirv_if.LoadError, r"^shaders\[\"a\"\]: "):
            spirv_if.bundle({"a": b"...."})

    def test_every_argument_is_checked_and_named(self) -> None:
        """An object of no accepted type for each argument of each call: none is ignored."""
        module, bundle = REDUCE.read_bytes(), spirv_if.Bundle(spirv_if.bundle({"reduce": REDUCE}))
        device, prepared = spirv_if.Device("pvc"), spirv_if.Prepared(module)
        calls: list[tuple[Callable[..., Any], dict[str, Any]]] = [
            (spirv_if.pack, {"module": module}),
            (spirv_if.specialize, {"module": module}),
            (spirv_if.compatibility, {"module": module}),
            (spirv_if.inspect, {"module": module}),
            (spirv_if.vulkan_requirements, {"module": module, "api_version": (1, 2)}),
            (spirv_if.trim, {"module": module}),
            (spirv_if.strip, {"module": module}),
            (spirv_if.find_modules, {"file": module}),
            (spirv_if.validate, {"module": module}),
            (spirv_if.Prepared, {"module": module}),
            (prepared.specialize, {}),
            (prepared.compatibility, {}),
            (prepared.cache_key, {}),
            (spirv_if.Device, {}),
            (spirv_if.Device.from_yaml, {"text": "a: {}", "name": "a"}),
            (spirv_if.Device.from_json, {"text": "{}"}),
            (spirv_if.Device.from_opencl, {"device": None}),
            (device.holds, {"condition": "fp16"}),
            (spirv_if.devices, {}),
            (spirv_if.probe, {"api": "vulkan"}),
            (spirv_if.bundle, {"shaders": {"reduce": module}}),
            (spirv_if.Bundle, {"data": bundle["reduce"]}),
            (spirv_if.Bundle.open, {"path": "none.spvb"}),
            (bundle.variants, {"name": "reduce"}),
            (bundle.get_variant, {"name": "reduce", "variant": 0}),
            (bundle.get_for, {"name": "reduce"}),
        ]
        listed = {call for call, _ in calls}
        self.assertLessEqual({public for public in vars(spirv_if).values() if inspect.isfunction(public)}, listed)
        for call, arguments in calls:
            for name in inspect.signature(call).parameters:
                with self.assertRaisesRegex(TypeError, rf"^{name}: expected .*, not .*object"):
                    call(**{**arguments, name: object()})

    def test_settings_are_mappings_and_scalars(self) -> None:
        """Type checkers accept each as well as the library does: mappings have keys of one type, and numpy has scalars of its own."""
        expected = spirv_if.specialize(PRECISION, set={0: False, 1: True, 2: 3}, set_default={"factor": 2.5})
        by_id: dict[int, int] = {0: False, 1: True, 2: 3}
        by_name: dict[str, float] = {"factor": 2.5}
        scalars = {numpy.uint32(0): numpy.bool_(False), numpy.uint32(1): numpy.bool_(True), numpy.uint32(2): numpy.bool_(False)}
        numbers = {numpy.int64(2): numpy.uint8(3)}
        read_only = MappingProxyType(by_id)
        self.assertEqual(spirv_if.specialize(PRECISION, set=by_id, set_default=by_name), expected)
        self.assertEqual(spirv_if.specialize(PRECISION, set=read_only, set_default={"factor": numpy.float32(2.5)}), expected)
        self.assertEqual(spirv_if.specialize(PRECISION, set=numbers), spirv_if.specialize(PRECISION, set={2: 3}))
        with self.assertRaises(spirv_if.RequestError):
            spirv_if.specialize(PRECISION, set=scalars)
        del scalars[numpy.uint32(2)]
        self.assertEqual(spirv_if.specialize(PRECISION, set=scalars), spirv_if.specialize(PRECISION, set={0: False, 1: True}))
        left = spirv_if.specialize(PRECISION, leave=[numpy.int64(0), "factor"], max_clones=numpy.int64(8), max_version=(numpy.uint8(1), 6))
        self.assertEqual(left, spirv_if.specialize(PRECISION, leave=[0, "factor"], max_version=(1, 6)))

    def test_wrong_values_are_named(self) -> None:
        wrong: list[tuple[type[Exception], str, Callable[[], Any]]] = [
            (TypeError, r"module: expected bytes or another buffer, or the path of a file, not None", lambda: spirv_if.pack(None)),  # type: ignore[arg-type]
            (TypeError, r"module: expected .*, not list", lambda: spirv_if.pack([3, 2])),  # type: ignore[arg-type]
            (TypeError, r"device: expected a Device or the name of one, not int", lambda: spirv_if.specialize(REDUCE, 3)),  # type: ignore[arg-type]
            (spirv_if.RequestError, r"device: unknown device `pvx`", lambda: spirv_if.specialize(REDUCE, "pvx")),
            (spirv_if.RequestError, r"require_devices\[1\]: unknown", lambda: spirv_if.inspect(REDUCE, require_devices=["pvc", "pvx"])),
            (TypeError, r"exports: expected a list, tuple or set, not str", lambda: spirv_if.pack(REDUCE, exports="main")),
            (TypeError, r"exports\[1\]: expected a str, not int", lambda: spirv_if.pack(REDUCE, exports=["a", 1])),  # type: ignore[list-item]
            (TypeError, r"trim: expected True or False, not str", lambda: spirv_if.specialize(REDUCE, trim="no")),  # type: ignore[arg-type]
            (ValueError, r"max_clones: expected a number from 0 .*, not -1", lambda: spirv_if.pack(REDUCE, max_clones=-1)),
            (ValueError, r"max_clones: expected a number from 0 .*, not -1", lambda: spirv_if.pack(REDUCE, max_clones=numpy.int8(-1))),
            (ValueError, r"devices: expected a device at least", lambda: spirv_if.inspect(REDUCE, devices=[])),
            (TypeError, r"devices\[1\]: expected a Device or the name of one, not int", lambda: spirv_if.inspect(REDUCE, devices=["pvc", 1])),  # type: ignore[list-item]
            (TypeError, r"set: expected a dict or another mapping, not list", lambda: spirv_if.specialize(PRECISION, set=[(0, True)])),  # type: ignore[arg-type]
            (TypeError, r"max_clones: expected an int, not float", lambda: spirv_if.pack(REDUCE, max_clones=1.5)),  # type: ignore[arg-type]
            (ValueError, r"dialect: expected 'spec-conditional' or 'function-variants', not 'x'", lambda: spirv_if.pack(REDUCE, dialect="x")),  # type: ignore[arg-type]
            (TypeError, r"max_version: expected a version such as \(1, 3\), not '1.3'", lambda: spirv_if.specialize(REDUCE, max_version="1.3")),  # type: ignore[arg-type]
            (TypeError, r"set\[0\]: expected a bool, int, float or str, not list", lambda: spirv_if.specialize(PRECISION, set={0: [1]})),  # type: ignore[dict-item]
            (TypeError, r"a key of set: expected a SpecId as int or the name", lambda: spirv_if.specialize(PRECISION, set={1.5: 1})),  # type: ignore[dict-item]
            (ValueError, r"set\['factor'\]: expected an integer of up to 64 bits, not 1180591620717411303424",
             lambda: spirv_if.specialize(PRECISION, set={"factor": 2**70})),
            (ValueError, r"leave\[0\]: expected a SpecId from 0 to", lambda: spirv_if.specialize(PRECISION, leave=[-1])),
            (spirv_if.RequestError, r"trap: invalid trap 'loud'", lambda: spirv_if.specialize(REDUCE, trap="loud")),
            (spirv_if.RequestError, r"deny\[0\]: column 5: no capability is named `Flaot64`", lambda: spirv_if.inspect(REDUCE, deny=["cap(Flaot64)"])),
            (spirv_if.RequestError, r"condition: column 1: no aspect is named `fp65`", lambda: spirv_if.Device("pvc").holds("fp65")),
            (TypeError, r"capabilities: expected a list, tuple or set, not str", lambda: spirv_if.Device(capabilities="Shader")),
            (TypeError, r"capabilities: expected a list, tuple or set, not dict", lambda: spirv_if.Device(capabilities={"Shader": 1})),
            (spirv_if.RequestError, r"unknown capability `Shadr`; did you mean `Shader`", lambda: spirv_if.Device(capabilities=["Shadr"])),
            (ValueError, r"api: expected 'vulkan' or 'opencl', not 'metal'", lambda: spirv_if.probe("metal")),  # type: ignore[arg-type]
            (ValueError, r"limit: .*negative", lambda: spirv_if.probe("vulkan", limit=-1)),
            (TypeError, r"shaders\['a'\]: expected bytes .*, not int", lambda: spirv_if.bundle({"a": 1})),  # type: ignore[dict-item]
            (ValueError, r"device: the device is null", lambda: spirv_if.Device.from_opencl(NullDevice())),
            (spirv_if.RequestError, r"glob: unknown device `zz\*`", lambda: spirv_if.devices("zz*")),
        ]
        for expected, message, call in wrong:
            with self.assertRaisesRegex(expected, message):
                call()


class NullDevice:
    int_ptr = 0


if __name__ == "__main__":
    unittest.main()
