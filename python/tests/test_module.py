"""The module for Python as it is installed: what it returns is what the program writes, and errors have their data."""

import html
import json
import os
import random
import subprocess
import tempfile
import unittest
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import linked
import spirv_if

FIXTURES = Path(os.environ["FIXTURES"])


def fixture(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def program(*arguments: str, status: int = 0) -> str:
    done = subprocess.run(["spirv-if", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout


def written(*arguments: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.spv"
        program(*arguments, "-q", "-o", str(out))
        return out.read_bytes()


class Module(unittest.TestCase):
    def test_the_program_is_the_same_version(self) -> None:
        self.assertEqual(program("--version").split(), ["spirv-if", spirv_if.__version__])

    def test_results_are_those_of_the_program(self) -> None:
        for name in ["glsl/reduce.spv", "opencl/device_if.spv", "opencl/many.spv", "spec/precision.spv"]:
            path, module = str(FIXTURES / name), fixture(name)
            packed = spirv_if.pack(module)
            self.assertEqual(packed.module, written("pack", path), name)
            self.assertEqual(spirv_if.pack(bytearray(module)).module, packed.module)
            self.assertEqual(spirv_if.trim(module).module, written("trim", path), name)
            self.assertEqual(
                spirv_if.trim(spirv_if.strip(module)).module, written("trim", "--strip", path), name
            )
            device = "intel_gpu_pvc" if name.startswith("opencl/") else "intel_gpu_bmg_g21"
            here = spirv_if.specialize(module, device, unset="keep")
            expected = written("specialize", "--unset", "keep", "--device", device, path)
            self.assertEqual(here.module, expected, name)
            report = json.loads(program("inspect", "--format", "json", path))
            self.assertEqual([json.loads(spirv_if.inspect(module).json)], report["files"][0]["modules"], name)

    def test_pack_says_what_is_conditional(self) -> None:
        packed = spirv_if.pack(fixture("glsl/reduce.spv"))
        self.assertEqual(packed.summary.set_by_host[0], "fp16")
        self.assertIn(("Float16", "fp16"), packed.summary.conditional)
        self.assertIn("SYCL/", packed.properties)
        plain = spirv_if.specialize(packed.module, spirv_if.Device("intel_gpu_bmg_g21"))
        self.assertTrue(plain.report.multi_target)
        self.assertLess(len(plain.module), len(packed.module))

    def test_annotations(self) -> None:
        text = fixture("annotations/guarded.yaml").decode()
        path = str(FIXTURES / "annotations/guarded.spv")
        packed = spirv_if.pack(fixture("annotations/guarded.spv"), annotations=text)
        expected = written("pack", path, "--annotations", str(FIXTURES / "annotations/guarded.yaml"))
        self.assertEqual(packed.module, expected)
        with self.assertRaisesRegex(spirv_if.RequestError, "no function is named `nothing`"):
            spirv_if.pack(fixture("glsl/reduce.spv"), annotations="functions: { nothing: { when: fp16 } }")

    def test_constants(self) -> None:
        path = str(FIXTURES / "spec/precision.spv")
        made = spirv_if.specialize(
            fixture("spec/precision.spv"), set={0: False, 1: True, "subgroups": 0}, set_default={"factor": 2.5}, trim=True
        )
        settings = ["--set", "0:false", "--set", "1:true", "--set", "subgroups:0", "--set-default", "factor:2.5"]
        self.assertEqual(made.module, written("specialize", path, "--trim", *settings))
        self.assertEqual(made.report.new_defaults, 1)
        with self.assertRaises(spirv_if.RequestError):
            spirv_if.specialize(fixture("spec/precision.spv"), set={77: 1})
        with self.assertRaisesRegex(ValueError, "unset: expected 'error' or 'keep' or 'default', not 'no'"):
            spirv_if.specialize(fixture("spec/precision.spv"), unset="no")  # type: ignore[arg-type]

    def test_clones_are_limited(self) -> None:
        module = Path("max-clones.spv").read_bytes()
        text = "spec-constants: { 0: host(a), 1: host(b), 2: host(c), 3: host(d) }\nfunctions: { twice: { when: host(a) } }"
        with self.assertRaisesRegex(spirv_if.ModuleError, "main would need 16 clones, and no more than 15"):
            spirv_if.pack(module, annotations=text, max_clones=15)
        with self.assertRaisesRegex(spirv_if.ModuleError, "main would need 16 clones, and no more than 15"):
            spirv_if.specialize(module, "intel_gpu_bmg_g21", annotations=text, unset="keep", max_clones=15)
        spirv_if.specialize(module, "intel_gpu_bmg_g21", annotations=text, unset="keep", max_clones=16)

    def test_clones_for_calls_are_listed(self) -> None:
        report = spirv_if.specialize(Path("call-clones.spv").read_bytes(), set={0: 0, 1: 2}).report
        self.assertEqual(report.call_clones, (("mix", "mix.1", 2),))

    def test_errors_have_their_data(self) -> None:
        with self.assertRaises(spirv_if.Refused) as refused:
            spirv_if.specialize(fixture("opencl/plain.spv"), "intel_gpu_acm_g10")
        self.assertEqual(refused.exception.device, "intel_gpu_acm_g10")
        self.assertEqual([(own.kind, own.name) for own in refused.exception.missing], [("capability", "Float64")])
        self.assertIsInstance(refused.exception, spirv_if.SpirvIfError)
        with self.assertRaises(spirv_if.Undecided) as undecided:
            spirv_if.specialize(spirv_if.pack(fixture("glsl/reduce.spv")).module)
        self.assertEqual(undecided.exception.constants, ((0, "fp16"),))
        self.assertIn("without a device", str(undecided.exception))
        self.assertTrue(str(undecided.exception).endswith('give a device with device, or set it with set={0: True} or set={0: False}, or keep it conditional with unset="keep"'))
        spirv_if.specialize(spirv_if.pack(fixture("glsl/reduce.spv")).module, unset="keep")
        with self.assertRaises(spirv_if.LoadError) as load:
            spirv_if.pack(fixture("glsl/reduce.spv")[:200])
        self.assertGreater(load.exception.offset, 0)
        with self.assertRaises(spirv_if.TooNew) as newer:
            spirv_if.specialize(fixture("glsl/wave.spv"), unset="keep", max_version=(1, 0))
        self.assertEqual(newer.exception.version, (1, 0))
        with self.assertRaisesRegex(spirv_if.RequestError, "intel_gpu_pvc"):
            spirv_if.Device("intel_gpu_pvv")
        with self.assertRaisesRegex(spirv_if.RequestError, "stands for several devices"):
            spirv_if.Device("intel_gpu_*")

    def test_inspect(self) -> None:
        inspection = spirv_if.inspect(
            fixture("opencl/plain.spv"), devices="intel_gpu_*", deny=["cap(Float64)"], require_devices=["intel_gpu_acm_g10"]
        )
        self.assertEqual([own.name for own in inspection.entry_points if own.stage], ["wave_step", "energy"])
        entry_point = inspection.entry_points[0]
        self.assertIn(("Float64", None), entry_point.capabilities)
        verdicts = {name: (as_is.verdict, after_pack.verdict) for name, as_is, after_pack, _ in entry_point.each_device}
        self.assertEqual(verdicts["intel_gpu_acm_g10"], ("does not run", "does not run"))
        self.assertEqual(verdicts["intel_gpu_pvc"], ("runs", "runs"))
        self.assertEqual({own.rule for own in inspection.violations}, {"denied-requirement", "required-device"})
        constants = spirv_if.inspect(fixture("spec/precision.spv")).spec_constants
        self.assertIn("subgroups", [own.name for own in constants])

    def test_devices_of_an_inspection(self) -> None:
        described = spirv_if.Device(aspects=["gpu"], capabilities=["Kernel"])
        listed: list[spirv_if.Device | str] = ["intel_gpu_pvc", spirv_if.Device("intel_gpu_acm_g10"), "pvc", described]
        entry_point = spirv_if.inspect(fixture("opencl/plain.spv"), devices=listed).entry_points[0]
        verdicts = {name: as_is.verdict for name, as_is, *_ in entry_point.each_device}
        self.assertEqual(verdicts, {"intel_gpu_pvc": "runs", "intel_gpu_acm_g10": "does not run", "": "does not run"})
        self.assertEqual(entry_point.devices_as_is, 1)
        one = spirv_if.inspect(fixture("opencl/plain.spv"), devices=spirv_if.Device("pvc"), require_devices="intel_gpu_acm_g10")
        self.assertEqual([name for name, *_ in one.entry_points[0].each_device], ["intel_gpu_pvc"])
        self.assertEqual({violation.rule for violation in one.violations}, {"required-device"})

    def test_reports_of_an_inspection(self) -> None:
        inspection = spirv_if.inspect(fixture("opencl/plain.spv"), devices="intel_gpu_*", details=True)
        page = inspection.to_html("plain.spv")
        self.assertIn("<title>What plain.spv needs of a device</title>", page)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "report.html")
            program("inspect", "--format", "html", "--devices", "intel_gpu_*", str(FIXTURES / "opencl/plain.spv"), "-o", str(path))
            self.assertEqual(path.read_text(), inspection.to_html(str(FIXTURES / "opencl/plain.spv")))
        frame = inspection._repr_html_()
        self.assertTrue(frame.startswith("<iframe ") and frame.endswith("</iframe>"))
        self.assertEqual(html.unescape(frame.split('"')[1]), inspection.to_html())

    def test_prepared_modules(self) -> None:
        packed = spirv_if.pack(fixture("glsl/reduce.spv")).module
        prepared = spirv_if.Prepared(bytearray(packed))
        keys = set()
        all_settings: list[dict[str, Any]] = [{"trim": True}, {"strip": True}]
        for device in ["intel_gpu_bmg_g21", "vulkan_vp_khr_roadmap_2022"]:
            for settings in all_settings:
                self.assertEqual(prepared.specialize(device, **settings), spirv_if.specialize(packed, device, **settings))
                key = prepared.cache_key(device, **settings)
                self.assertEqual(key, spirv_if.Prepared(packed).cache_key(device, **settings))
                keys.add(key)
            self.assertEqual(prepared.compatibility(device), spirv_if.compatibility(packed, device))
        self.assertEqual({len(key) for key in keys}, {32})
        self.assertEqual(len(keys), 4)
        with self.assertRaises(spirv_if.Undecided):
            prepared.specialize()
        text = FIXTURES / "annotations/guarded.yaml"
        annotated = spirv_if.Prepared(FIXTURES / "annotations/guarded.spv", annotations=text)
        self.assertIn("guarded.spv", repr(annotated))
        expected = spirv_if.specialize(FIXTURES / "annotations/guarded.spv", annotations=text, unset="keep")
        self.assertEqual(annotated.specialize(unset="keep"), expected)
        with self.assertRaisesRegex(spirv_if.RequestError, r"guarded\.spv: "):
            annotated.specialize(set={77: 1})
        with self.assertRaises(spirv_if.LoadError):
            spirv_if.Prepared(packed[:-2])
        with ThreadPoolExecutor(4) as pool:
            results = pool.map(prepared.specialize, ["intel_gpu_bmg_g21"] * 16)
            self.assertEqual(set(results), {spirv_if.specialize(packed, "intel_gpu_bmg_g21")})

    def test_validating(self) -> None:
        for name in ["glsl/reduce.spv", "opencl/plain.spv"]:
            spirv_if.validate(FIXTURES / name)
        module = fixture("glsl/reduce.spv")
        # A capability that no version has.
        Path("invalid.spv").write_bytes(module[:24] + b"\xff\xff\0\0" + module[28:])
        with self.assertRaisesRegex(spirv_if.ModuleError, "^invalid.spv: the module is not valid for spv1.3: error"):
            spirv_if.validate("invalid.spv")
        before = os.environ.get("SPIRV_VAL", "spirv-val")
        os.environ["SPIRV_VAL"] = "no-validator"
        try:
            with self.assertRaisesRegex(OSError, "no-validator was not found"):
                spirv_if.validate(module)
        finally:
            os.environ["SPIRV_VAL"] = before

    def test_vulkan_requirements(self) -> None:
        required = spirv_if.vulkan_requirements(fixture("vulkan/reduce.spv"), (1, 2))
        self.assertIn(("VkPhysicalDeviceVulkan12Features", "shaderFloat16"), required.features)
        self.assertEqual((required.version, required.extensions, required.missing, required.unknown), ((1, 2), (), (), ()))
        self.assertIn("maxComputeWorkGroupInvocations", dict(required.limits))
        self.assertEqual(required.properties, ())
        older = spirv_if.vulkan_requirements(fixture("vulkan/reduce.spv"), (1, 2), device="vulkan_vp_android_2021")
        self.assertIn("shaderFloat16", older.missing)
        with self.assertRaisesRegex(spirv_if.RequestError, "Kernel"):
            spirv_if.vulkan_requirements(fixture("opencl/plain.spv"), (1, 3))

    def test_verdicts(self) -> None:
        module = fixture("opencl/plain.spv")
        by_aspects = spirv_if.Device(aspects=["gpu", "fp64"])
        runs = spirv_if.compatibility(module, "intel_gpu_pvc")
        self.assertEqual((runs.verdict, runs.missing, runs.unknown), ("runs", (), ()))
        does_not_run = spirv_if.compatibility(module, "intel_gpu_acm_g10")
        self.assertEqual((does_not_run.verdict, does_not_run.missing), ("does not run", ("Float64",)))
        not_known = spirv_if.compatibility(module, by_aspects)
        self.assertEqual((not_known.verdict, not_known.missing, not_known.unknown[0]), ("not known", (), "SPIR-V 1.2"))
        self.assertEqual(spirv_if.compatibility(module).verdict, "not known")
        # What is not known is written, unless `strict` refuses it.
        self.assertEqual(spirv_if.specialize(module, "intel_gpu_pvc", strict=True).report.not_known, ())
        self.assertEqual(spirv_if.specialize(module, by_aspects).report.not_known, not_known.unknown)
        with self.assertRaisesRegex(spirv_if.Refused, "is not known to run on the described device: nothing says if it has") as refused:
            spirv_if.specialize(module, by_aspects, strict=True)
        self.assertEqual((refused.exception.missing, refused.exception.unknown), ((), not_known.unknown))
        with self.assertRaises(spirv_if.RequestError):
            spirv_if.compatibility(module, "intel_gpu_pvc", set={99: 1})

    def test_constructs_that_a_device_rejects_are_changed_on_request(self) -> None:
        module, device = fixture("adapted/hints.spv"), spirv_if.Device(capabilities=["Kernel", "Addresses", "Linkage", "Int64"])
        with self.assertRaises(spirv_if.Refused):
            spirv_if.specialize(module, device)
        self.assertEqual(spirv_if.specialize(module, device, adapt=True).report.adapted[0], "removed OpAssumeTrueKHR (2 times)")
        self.assertEqual(spirv_if.compatibility(module, device).verdict, "does not run")
        self.assertEqual(spirv_if.compatibility(module, device, adapt=True).missing, ())

    def test_integers_of_64_bits_become_words_on_request(self) -> None:
        module, device = fixture("flags/flags.spv"), spirv_if.Device(capabilities=["Shader"])
        values = {0: 256, 1: 2}
        self.assertEqual(spirv_if.compatibility(module, device, set=values, trim=True).verdict, "does not run")
        result = spirv_if.specialize(module, device, set=values, trim=True, lower=True)
        self.assertTrue(any("Int64" in lowered and "with equal bits" in lowered for lowered in result.report.lowered), result.report.lowered)

    def test_packed_modules_have_lowered_twins_on_request(self) -> None:
        module, phone = fixture("vulkan/long.spv"), spirv_if.Device(capabilities=["Shader"])
        for features in (True, ["Int64"]):
            packed = spirv_if.pack(module, lower=features)
            ((condition, lowered),) = packed.summary.twins
            self.assertIn("Int64", condition)
            self.assertTrue(lowered[0].startswith("lowered Int64 "), lowered)
            twin, made = spirv_if.specialize(packed.module, phone), spirv_if.specialize(module, phone, lower=True)
            self.assertEqual(len(twin.module), len(made.module))
        self.assertEqual(spirv_if.pack(module).summary.twins, ())
        with self.assertRaises(spirv_if.RequestError):
            spirv_if.pack(module, lower=["Itn64"])

    def test_changes_for_a_driver_are_reported(self) -> None:
        module = fixture("spec/precision.spv")
        self.assertIsNone(spirv_if.specialize(module).report.work_around)
        report = spirv_if.specialize(module, work_around="nvidia").report
        self.assertEqual(report.work_around, "the compiler of nvidia is not known to fail at any instruction")
        self.assertEqual((report.open, report.unknown, report.removed_reflection), ({}, {}, ()))

    def test_traps(self) -> None:
        module = fixture("traps/cast-O0.spv")
        result = spirv_if.specialize(module, "intel_gpu_acm_g10", trap="store:1:64")
        self.assertEqual(
            [(branch.function, branch.source, branch.requires, branch.trap) for branch in result.report.trapped],
            [("__clang_ocl_kern_imp_run", None, ("Float64",), "store:1:64")],
        )
        self.assertEqual(spirv_if.compatibility(module, "intel_gpu_acm_g10").verdict, "does not run")
        self.assertEqual(spirv_if.compatibility(module, "intel_gpu_acm_g10", trap="silent").missing, ())
        entry_point = spirv_if.inspect(fixture("traps/helper-O2.spv"), devices="intel_gpu_acm_g10").entry_points[0]
        self.assertEqual([remedy for *_, remedy in entry_point.each_device], ["--lower"])
        with self.assertRaisesRegex(spirv_if.RequestError, "invalid trap 'loud'"):
            spirv_if.specialize(module, "intel_gpu_acm_g10", trap="loud")

    def test_verdicts_are_those_of_the_program(self) -> None:
        names = sorted(str(path.relative_to(FIXTURES)) for path in FIXTURES.rglob("*.spv"))
        sample = random.Random("verdicts")
        devices = [device.name for device in spirv_if.devices()]
        verdicts: Counter[str] = Counter()
        # Of the module and the device at the end, the verdict is that it is not known.
        for name in [*sample.sample(names, 12), "stages/kernels.spv"]:
            module, path = fixture(name), str(FIXTURES / name)
            report = json.loads(program("inspect", "--format", "json", "--devices", "*", path))["files"][0]["modules"][0]
            by_name = {entry["name"]: entry["devices"] for entry in report["entry_points"] + report["exported_functions"]}
            for entry_point in spirv_if.inspect(module, devices="*").entry_points:
                expected = by_name[entry_point.name]
                self.assertEqual(entry_point.devices_not_known, expected["not_known"], name)
                each = [
                    (device["device"], *((device[way]["verdict"], tuple(device[way].get("missing", [])), tuple(device[way].get("unknown", [])))
                                         for way in ["as_is", "after_pack"]))
                    for device in expected["each"]
                ]
                self.assertEqual(
                    [(device, *((own.verdict, own.missing, own.unknown) for own in both)) for device, *both, _ in entry_point.each_device],
                    each, name,
                )
            for device in [*sample.sample(devices, 6), "x86_64"]:
                expected_verdict = self.verdict_of_program(path, device)
                try:
                    verdict: str = spirv_if.compatibility(module, device).verdict
                except spirv_if.SpirvIfError:
                    verdict = "error"
                self.assertEqual(verdict, expected_verdict, (name, device))
                verdicts[verdict] += 1
        self.assertLessEqual({"runs", "does not run", "not known"}, verdicts.keys())

    def verdict_of_program(self, path: str, device: str) -> str:
        """The verdict of `specialize --strict`, by its exit status and its message."""
        with tempfile.TemporaryDirectory() as folder:
            command = ["spirv-if", "specialize", "-q", "--strict", path, "--device", device, "-o", folder + "/out.spv"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 3:
            return "not known" if "not known to run" in done.stderr else "does not run"
        return "error" if done.returncode else "runs"

    def test_devices(self) -> None:
        self.assertIn("intel_gpu_pvc", [device.name for device in spirv_if.devices("intel_*")])
        device = spirv_if.Device("pvc", extensions=["SPV_KHR_expect_assume"])
        self.assertIs(device.holds("fp16 && arch(intel_gpu_pvc)"), True)
        self.assertIsNone(spirv_if.Device(architecture="intel_gpu_pvc").holds("fp16"))
        again = spirv_if.Device.from_yaml(spirv_if.Device("pvc").to_yaml(), "intel_gpu_pvc")
        self.assertEqual(again.aspects, device.aspects)

    def test_modes_and_features(self) -> None:
        gfx90a = spirv_if.Device("gfx90a:xnack+:sramecc-")
        self.assertEqual(gfx90a.name, "amd_gpu_gfx90a:xnack+:sramecc-")
        self.assertIs(gfx90a.holds("feature(amdgpu:xnack) && !feature(amdgpu:sramecc)"), True)
        self.assertIs(spirv_if.Device("gfx1100:wavefrontsize64+").holds("feature(amdgpu:wavefrontsize32)"), False)
        self.assertIsNone(spirv_if.Device("gfx1100").holds("feature(amdgpu:wavefrontsize32)"))
        self.assertEqual(spirv_if.Device.from_yaml(gfx90a.to_yaml(), gfx90a.name), gfx90a)
        mine = spirv_if.Device.from_yaml("mine: { architecture: amd_gpu_gfx90a }", "mine:xnack-")
        self.assertIs(mine.holds("feature(amdgpu:xnack)"), False)
        with self.assertRaisesRegex(spirv_if.RequestError, r"amd_gpu_gfx1100 has no mode `xnack\+`; it has wavefrontsize32\+"):
            spirv_if.Device("gfx1100:xnack+")
        listed = spirv_if.Device(provider_features=["amdgpu:gfx12-insts", "!amdgpu:xnack"])
        conditions = ["feature(amdgpu:gfx12-insts)", "feature(amdgpu:xnack)", "feature(amdgpu:mai-insts)"]
        self.assertEqual([listed.holds(condition) for condition in conditions], [True, False, None])
        self.assertIs(spirv_if.Device(provider_features=["!amdgpu:*"]).holds(conditions[2]), False)
        with self.assertRaisesRegex(spirv_if.RequestError, "amdgpu:gfx12-insts"):
            spirv_if.Device(provider_features=["gfx12-insts"])
        # Modules for them are the program's.
        path, module = str(FIXTURES / "amd/sums.spv"), fixture("amd/sums.spv")
        for name in ["gfx90a:xnack+:sramecc-", "gfx1100:wavefrontsize64-"]:
            self.assertEqual(spirv_if.specialize(module, name).module, written("specialize", path, "--device", name), name)
        for features in ["amdgpu:mai-insts", "!amdgpu:*"]:
            made = spirv_if.specialize(module, spirv_if.Device(provider_features=[features]))
            self.assertEqual(made.module, written("specialize", path, "--provider-features", features), features)

    def test_bundles(self) -> None:
        shaders = {name: fixture(f"{name}.spv") for name in ["glsl/reduce", "merge/scale", "spec/precision"]}
        for solid in [False, True]:
            data = spirv_if.bundle(shaders, solid=solid)
            bundle = spirv_if.Bundle(data)
            self.assertIsInstance(bundle, Mapping)
            self.assertEqual(list(bundle), sorted(shaders))
            self.assertEqual(dict(bundle), shaders)
            self.assertEqual((bundle.get("merge/scale"), bundle.get("scale")), (shaders["merge/scale"], None))
            self.assertEqual(spirv_if.bundle(bundle, solid=solid), data)
            self.assertEqual((bundle, hash(bundle)), (spirv_if.Bundle(data), hash(spirv_if.Bundle(data))))
            self.assertNotEqual(bundle, spirv_if.Bundle(spirv_if.bundle({"merge/scale": shaders["merge/scale"]})))
            self.assertEqual((len(bundle), "merge/scale" in bundle, "scale" in bundle), (3, True, False))
        variant = bundle.variants("merge/scale")[0]
        self.assertEqual((variant.condition, variant.constants, variant.size), (None, {}, len(shaders["merge/scale"])))
        expected = spirv_if.specialize(shaders["spec/precision"], "intel_gpu_bmg_g21", set={"use_half": True}).module
        self.assertEqual(bundle.get_for("spec/precision", "intel_gpu_bmg_g21", set={"use_half": True}), expected)
        with self.assertRaisesRegex(KeyError, "the bundle has no shader `scale`"):
            bundle["scale"]
        with self.assertRaisesRegex(spirv_if.RequestError, "has no variant 1"):
            bundle.get_variant("merge/scale", 1)
        self.assertEqual(bundle.get_variant("merge/scale", 0), shaders["merge/scale"])
        with self.assertRaisesRegex(spirv_if.ModuleError, "is damaged"):
            spirv_if.Bundle(data[:-1])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "app.spvb")
            path.write_bytes(data)
            self.assertEqual(spirv_if.Bundle.open(path)["merge/scale"], shaders["merge/scale"])
            with self.assertRaises(OSError):
                spirv_if.Bundle.open(Path(folder, "none.spvb"))

    def test_ready_shaders(self) -> None:
        packed = spirv_if.pack(fixture("glsl/tint.spv")).module
        with tempfile.TemporaryDirectory() as folder:
            module, path = Path(folder, "tint.spv"), Path(folder, "app.spvb")
            module.write_bytes(packed)
            for options in [[], ["--uncompressed"]]:
                program("bundle", "-q", "--force", str(module), "-o", str(path), "--ready", *options)
                bundle = spirv_if.Bundle.open(path)
                modules = {device: bundle.get_for("tint", device) for device in ["intel_gpu_bmg_g21", "nvidia_gpu_sm_50"]}
                self.assertEqual(len(set(modules.values())), 2)
                for device, made in modules.items():
                    self.assertEqual(made, spirv_if.specialize(packed, device).module, device)

    def test_modules_inside_of_files(self) -> None:
        module = fixture("opencl/plain.spv")
        found = spirv_if.find_modules(b"something else" + 2 * module)
        self.assertEqual([(each.offset, each.module) for each in found], [(14, module), (14 + len(module), module)])
        self.assertEqual({(each.properties, each.error) for each in found}, {(None, None)})
        self.assertEqual(spirv_if.find_modules(b"something else"), [])

    def test_images_of_linked_files_have_their_properties(self) -> None:
        """Images that cannot be read are named, and the others keep their properties."""
        aspects = ("SYCL/device requirements", "aspects", bytes([32, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]))
        images = [linked.Image(version, fixture(f"program/{name}.spv"), name, aspects) for name, version in [("means", 3), ("sums", 2)]]
        first, second = spirv_if.find_modules(linked.executable(images))
        assert first.properties is not None
        self.assertIn("[SYCL/device requirements]", first.properties)
        self.assertIsNone(first.error)
        # Its code requires no accelerator.
        self.assertEqual(spirv_if.compatibility(first.module, "intel_gpu_dg1").verdict, "runs")
        with_properties = spirv_if.compatibility(first.module, "intel_gpu_dg1", properties=first.properties)
        self.assertEqual(with_properties.missing, ("aspect accelerator",))
        self.assertIsNone(second.properties)
        assert second.error is not None
        reason = "the property sets of SYCL image 1, counted from 0, cannot be read: its description is not of version 3"
        self.assertIn(reason, second.error)
        self.assertEqual(second.module, fixture("program/sums.spv"))

    def test_malformed_images_of_linked_files_are_named(self) -> None:
        aspects = ("SYCL/device requirements", "aspects", bytes([32, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]))
        module = fixture("program/means.spv")
        images = [linked.Image(3, code, "means", aspects) for code in [module[:-8], module]]
        first, second = spirv_if.find_modules(linked.executable(images))
        self.assertEqual((first.module, first.properties), (b"", None))
        self.assertIn("truncated module: ", str(first.error))
        self.assertEqual((second.module, second.error), (module, None))

    def test_threads(self) -> None:
        module = fixture("opencl/many.spv")
        expected = spirv_if.pack(module).module
        with ThreadPoolExecutor(4) as pool:
            for packed in pool.map(spirv_if.pack, [module] * 32):
                self.assertEqual(packed.module, expected)


if __name__ == "__main__":
    unittest.main()
