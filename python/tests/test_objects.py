"""Objects of the module for Python behave: they compare and hash by content, and are the same after they were copied or pickled, here and in
other processes."""

import copy
import dataclasses
import inspect
import json
import multiprocessing
import os
import pickle
import pydoc
import unittest
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import spirv_if

FIXTURES = Path(os.environ["FIXTURES"])
REDUCE, PLAIN = FIXTURES / "glsl/reduce.spv", FIXTURES / "opencl/plain.spv"


def values() -> list[Any]:
    """One object at least of every class of values."""
    packed = spirv_if.pack(REDUCE)
    trapped = spirv_if.specialize(FIXTURES / "traps/cast-O0.spv", "intel_gpu_acm_g10", trap="silent")
    inspection = spirv_if.inspect(PLAIN, devices="intel_gpu_*", deny=["cap(Float64)"])
    constants = spirv_if.inspect(FIXTURES / "spec/precision.spv").spec_constants
    bundle = spirv_if.Bundle(spirv_if.bundle({"reduce": REDUCE}))
    return [
        packed,
        packed.summary,
        trapped,
        trapped.report,
        trapped.report.trapped[0],
        spirv_if.trim(REDUCE),
        spirv_if.find_modules(b"...." + PLAIN.read_bytes())[0],
        spirv_if.compatibility(PLAIN, "intel_gpu_acm_g10"),
        inspection,
        inspection.entry_points[0],
        inspection.violations[0],
        constants[0],
        spirv_if.vulkan_requirements(FIXTURES / "vulkan/reduce.spv", (1, 2)),
        bundle.variants("reduce")[0],
        refusal().missing[0],
        *some_devices(),
    ]


def some_devices() -> list[spirv_if.Device]:
    """Devices from every source except drivers, which run_opencl.py has."""
    return [
        *spirv_if.devices("*pvc*"),
        spirv_if.Device("gfx90a:xnack+:sramecc-", extensions=["SPV_KHR_expect_assume"]),
        spirv_if.Device(),
        spirv_if.Device(aspects=["gpu", "fp64"]),
        spirv_if.Device(capabilities={"Shader"}),
        spirv_if.Device(architecture="intel_gpu_pvc"),
        spirv_if.Device(category="gpu", family="intel"),
        spirv_if.Device(provider_features=iter(["amdgpu:gfx12-insts", "!amdgpu:xnack"]), limits=("subgroup_size=32",)),
        spirv_if.Device.from_yaml("mine: { architecture: amd_gpu_gfx90a, extensions: [SPV_A] }", "mine:xnack-"),
    ]


def refusal() -> spirv_if.Refused:
    try:
        spirv_if.specialize(PLAIN, "intel_gpu_acm_g10")
    except spirv_if.Refused as refused:
        return refused
    raise AssertionError("the device is not refused")


def errors() -> list[spirv_if.SpirvIfError]:
    """One exception of every class."""
    calls: list[Any] = [
        lambda: spirv_if.pack(REDUCE.read_bytes()[:200]),
        lambda: spirv_if.specialize(PLAIN, "intel_gpu_acm_g10"),
        lambda: spirv_if.specialize(spirv_if.pack(REDUCE).module, unset="error"),
        lambda: spirv_if.specialize(FIXTURES / "glsl/wave.spv", unset="keep", max_version=(1, 0)),
        lambda: spirv_if.specialize(REDUCE, set={77: 1}),
        lambda: spirv_if.pack(REDUCE, annotations="nothing: 1"),
    ]
    raised = []
    for call in calls:
        try:
            call()
        except spirv_if.SpirvIfError as error:
            raised.append(error)
    return raised


def entry_point(path: str) -> spirv_if.EntryPoint:
    return spirv_if.inspect(path, devices="*").entry_points[0]


def verdict(path: str, device: spirv_if.Device) -> spirv_if.Compatibility:
    return spirv_if.compatibility(path, device)


def specialized(path: str, device: spirv_if.Device) -> spirv_if.Specialized:
    return spirv_if.specialize(path, device)


class Objects(unittest.TestCase):
    def test_every_class_has_a_value(self) -> None:
        classes = {public for public in map(vars(spirv_if).get, spirv_if.__all__) if inspect.isclass(public)}
        errors_of = {public for public in classes if issubclass(public, Exception)}
        others = {spirv_if.Buffer, spirv_if.Bundle, spirv_if.Prepared, spirv_if.SpecValues}
        self.assertEqual({type(value) for value in values()}, classes - errors_of - others)
        self.assertEqual({type(error) for error in errors()}, errors_of - {spirv_if.SpirvIfError})

    def test_values_are_the_same_after_a_round_trip(self) -> None:
        for value, equal in zip(values(), values(), strict=True):
            copies = [equal, copy.copy(value), copy.deepcopy(value)]
            copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
            for other in copies:
                self.assertIs(type(other), type(value))
                self.assertEqual(other, value)
                self.assertIsInstance(other, Hashable)
                self.assertEqual(hash(other), hash(value))
                self.assertEqual(repr(other), repr(value))
                self.assertEqual(other.to_dict(), value.to_dict())

    def test_other_values_are_different(self) -> None:
        all_values = values()
        for index, value in enumerate(all_values):
            self.assertNotIn(value, all_values[:index] + all_values[index + 1 :] + [None, ""])
        self.assertEqual(len(set(all_values)), len(all_values))
        # What is unknown of a described device stays so.
        described = spirv_if.Device(aspects=["gpu"])
        for other in [pickle.loads(pickle.dumps(described)), spirv_if.Device.from_yaml(described.to_yaml(), "")]:
            self.assertIsNone(other.holds("cap(Shader)"))
            self.assertEqual((other.holds("gpu"), other.holds("fp64")), (True, False))

    def test_values_cannot_be_changed(self) -> None:
        for value in values():
            first = next(name for name in dir(value) if not name.startswith("_"))
            with self.assertRaises((FrozenInstanceError, AttributeError)):
                setattr(value, first, None)
            with self.assertRaises((FrozenInstanceError, AttributeError, TypeError)):
                value.something_else = None
            if isinstance(value, spirv_if.Device):
                continue
            for part in type(value).__slots__:
                self.assertNotIsInstance(getattr(value, part), list, part)

    def test_representations_are_short(self) -> None:
        for value in values():
            text = repr(value)
            self.assertIn(type(value).__name__, text)
            self.assertLess(len(text), 700, text)
            self.assertNotIn(" at 0x", text)
        packed = spirv_if.pack(REDUCE)
        self.assertIn(f"module=<{len(packed.module)} bytes>", repr(packed))
        self.assertEqual(repr(refusal().missing[0]), "Missing(kind='capability', name='Float64', reason='Float64')")
        self.assertEqual(str(refusal().missing[0]), "Float64")
        self.assertEqual(
            repr(spirv_if.Device("pvc", extensions=["SPV_A"])), "Device('pvc', extensions=('SPV_A',))"
        )
        self.assertEqual(repr(spirv_if.devices("*pvc")[0]), "<Device 'intel_gpu_pvc'>")

    def test_representations_are_complete(self) -> None:
        """Zero and false are shown, and so are messages. Only what is not there is left out, and what does not fit is counted."""
        constant = spirv_if.inspect(FIXTURES / "spec/precision.spv").spec_constants[0]
        self.assertIn("SpecConstant(spec_id=0, name='use_half', ", repr(constant))
        self.assertIn("work_group_size=False", repr(constant))
        for violation in spirv_if.inspect(PLAIN, deny=["cap(Float64)"], require_devices=["intel_gpu_acm_g10"]).violations:
            self.assertIn(repr(violation.message), repr(violation))
        self.assertEqual(repr(dataclasses.replace(constant, name="n" * 500)).count("n" * 240), 1)
        capabilities = tuple((f"Capability{number}", None) for number in range(20))
        entry_point = dataclasses.replace(spirv_if.inspect(PLAIN).entry_points[0], capabilities=capabilities)
        self.assertIn("capabilities=(('Capability0', None), ('Capability1', None), ", repr(entry_point))
        self.assertIn("('Capability9', None), ... 10 more)", repr(entry_point))
        warnings = spirv_if.pack(REDUCE).summary.warnings
        self.assertIn(f"warnings=({warnings[0][:100]!r}"[:-1], repr(spirv_if.pack(REDUCE).summary))
        self.assertIn("entry_points=<3 items>", repr(dataclasses.replace(spirv_if.inspect(PLAIN), entry_points=(entry_point,) * 3)))

    def test_dicts_are_plain(self) -> None:
        for value in values():
            content = value.to_dict()
            text = json.dumps(content, default=lambda other: self.assertIsInstance(other, bytes))
            # What JSON has is what the dict has, except for modules and for numbers as keys.
            if "null" not in text and "set_by_host" not in text:
                self.assertEqual(json.loads(text), content)
        inspection = spirv_if.inspect(PLAIN)
        self.assertEqual(inspection.to_dict(), json.loads(inspection.json))
        report = spirv_if.specialize(PLAIN, "intel_gpu_pvc").report
        self.assertEqual(report.to_dict()["unsupported"], [])
        missing = {"kind": "capability", "name": "Float64", "reason": "Float64"}
        self.assertEqual(refusal().missing[0].to_dict(), missing)

    def test_the_dict_of_a_device_is_its_entry(self) -> None:
        for device in [*spirv_if.devices(), *some_devices()]:
            content = device.to_dict()
            self.assertEqual(content.pop("name"), device.name)
            # JSON is YAML.
            by_dict = spirv_if.Device.from_yaml(json.dumps({device.name: content}), device.name)
            self.assertEqual(by_dict, spirv_if.Device.from_yaml(device.to_yaml(), device.name))
            self.assertEqual(by_dict, device)

    def test_errors_keep_their_data(self) -> None:
        for error in errors():
            for other in [copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))]:
                self.assertIs(type(other), type(error))
                self.assertEqual((str(other), vars(other)), (str(error), vars(error)))
        self.assertEqual([missing.name for missing in pickle.loads(pickle.dumps(refusal())).missing], ["Float64"])

    def test_results_cross_processes(self) -> None:
        device = spirv_if.Device(aspects=["gpu", "fp64"])
        for method in multiprocessing.get_all_start_methods():
            context = multiprocessing.get_context(method)
            with ProcessPoolExecutor(1, mp_context=context) as pool:
                path = str(PLAIN)
                self.assertEqual(pool.submit(entry_point, path).result(), entry_point(path), method)
                self.assertEqual(pool.submit(verdict, path, device).result(), verdict(path, device), method)
                self.assertEqual(pool.submit(specialized, path, device).result(), specialized(path, device), method)
                error = pool.submit(specialized, path, spirv_if.Device("intel_gpu_acm_g10")).exception()
                assert isinstance(error, spirv_if.Refused), error
                self.assertEqual((str(error), vars(error)), (str(refusal()), vars(refusal())))

    def test_bundles_cross_processes(self) -> None:
        data = spirv_if.bundle({"reduce": REDUCE})
        path = Path("objects.spvb")
        path.write_bytes(data)
        for bundle in [spirv_if.Bundle(data), spirv_if.Bundle(path), spirv_if.Bundle.open(path)]:
            other = pickle.loads(pickle.dumps(bundle))
            self.assertEqual((list(other), other["reduce"]), (["reduce"], REDUCE.read_bytes()))
            self.assertEqual(repr(other), repr(bundle))
        self.assertLess(len(pickle.dumps(spirv_if.Bundle.open(path))), len(data))
        # From another folder, the path is still that of the file.
        pickled = pickle.dumps(spirv_if.Bundle.open(path))
        folder = Path.cwd()
        try:
            os.chdir("/")
            self.assertEqual(len(pickle.loads(pickled)), 1)
        finally:
            os.chdir(folder)


class Documentation(unittest.TestCase):
    def test_everything_public_is_documented(self) -> None:
        for name in spirv_if.__all__:
            public = getattr(spirv_if, name)
            if name in ["__version__", "ModuleSource", "SpecValue"]:
                continue
            self.assertTrue(inspect.getdoc(public), name)
            self.assertEqual(public.__module__, "spirv_if", name)
            for part, member in inspect.getmembers(public):
                if not part.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)) and part in vars(public):
                    self.assertTrue(inspect.getdoc(member), f"{name}.{part}")

    def test_every_field_and_argument_is_documented(self) -> None:
        for public in vars(spirv_if).values():
            if inspect.isclass(public) and hasattr(public, "__dataclass_fields__"):
                for field in public.__dataclass_fields__:
                    self.assertIn(f"\n    {field}: ", inspect.getdoc(public) or "", public)
        functions: list[Callable[..., Any]] = [spirv_if.pack, spirv_if.specialize, spirv_if.Prepared, spirv_if.inspect, spirv_if.Device]
        for function in functions:
            for parameter in inspect.signature(function).parameters:
                self.assertIn(f"\n    {parameter}: ", inspect.getdoc(function) or "", function)

    def test_help_has_types(self) -> None:
        text = pydoc.render_doc(spirv_if.compatibility, renderer=pydoc.TextDoc())
        self.assertIn("device: spirv_if.Device | str | None = None", text)
        self.assertIn("-> spirv_if.Compatibility", text)
        self.assertIn("verdict of `", text)


if __name__ == "__main__":
    unittest.main()
