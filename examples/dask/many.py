"""Many modules on a cluster of worker processes, by Dask: packed, trimmed and inspected.

    scripts/build.sh wheel target/wheels
    pip install target/wheels/*.whl distributed
    python examples/dask/many.py fixtures/glsl fixtures/opencl --modules 100000 --out target/many

Modules are worked on in batches. A batch's results are files that appear under their names when they are complete, and are the same whoever makes
them: so work that is done again after a worker was lost changes nothing, and what is there at the end is what one process makes. The script shows
it: one process first, then 1, 2 and 3 workers, then 3 of which one is killed midway. On a cluster that exists, give the address of its scheduler to
`Client`, and a folder that all workers see to `--out`.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import time
from pathlib import Path

import spirv_if
from distributed import Client, LocalCluster, as_completed


def numbered(module: bytes, number: int) -> bytes:
    """The module with a number in its header (the generator's), so that no two are the same."""
    return module[:8] + number.to_bytes(4, "little") + module[12:]


def put(path: Path, data: bytes) -> None:
    """Writes a file in one step."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    os.replace(unfinished, path)


def work(batch: range, modules: list[bytes], out: str) -> int:
    """Packs, trims and inspects the modules of a batch."""
    results, lines = [], []
    for number in batch:
        packed = spirv_if.pack(numbered(modules[number % len(modules)], number))
        trimmed = spirv_if.trim(packed.module)
        inspection = json.loads(spirv_if.inspect(trimmed.module).json)
        line = {"number": number, "size": len(trimmed.module), "removed": trimmed.removed, "inspection": inspection}
        results.append(trimmed.module)
        lines.append(json.dumps(line, sort_keys=True) + "\n")
    put(Path(out) / f"{batch.start:08}.spv", b"".join(results))
    put(Path(out) / f"{batch.start:08}.jsonl", "".join(lines).encode())
    return len(batch)


def digest(out: Path, modules: int) -> str:
    """The digest of all results. Every module is there once, and nothing else is."""
    numbers, total = [], hashlib.sha256()
    for report in sorted(out.glob("*.jsonl")):
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        numbers += [line["number"] for line in lines]
        found = report.with_suffix(".spv").read_bytes()
        assert len(found) == sum(line["size"] for line in lines), report
        total.update(report.read_bytes())
        total.update(found)
    assert numbers == list(range(modules)), f"{len(numbers)} of {modules} modules are there"
    assert len(list(out.iterdir())) == 2 * len(list(out.glob("*.jsonl")))
    return total.hexdigest()


def on_cluster(workers: int, batches: list[range], modules: list[bytes], out: Path, kill: bool) -> float:
    """Works on all batches, and says how many seconds it took."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        # Each worker loads the library before time counts.
        client.run(lambda: len(spirv_if.devices()))
        start = time.perf_counter()
        [sent] = client.scatter([modules], broadcast=True)
        waiting = client.map(work, batches, modules=sent, out=str(out), pure=False)
        victim = 0
        for count, done in enumerate(as_completed(waiting), 1):
            done.result()
            if kill and not victim and count >= len(batches) // 2:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
        seconds = time.perf_counter() - start
        assert not kill or victim not in client.run(os.getpid).values(), "nobody was killed"
        return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders with modules, which are taken again and again")
    parser.add_argument("--modules", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=0, help="modules in a batch; a hundredth of all by default")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    files = sorted(path for folder in arguments.folders for path in folder.glob("*.spv"))
    modules = [path.read_bytes() for path in files]
    assert modules, "there are no modules"
    size = arguments.batch or max(1, arguments.modules // 100)
    batches = [range(at, min(at + size, arguments.modules)) for at in range(0, arguments.modules, size)]

    expected = ""
    for name, workers, kill in [
        ("one process", 0, False),
        ("1 worker", 1, False),
        ("2 workers", 2, False),
        ("3 workers", 3, False),
        ("3 workers, one killed", 3, True),
    ]:
        shutil.rmtree(arguments.out, ignore_errors=True)
        arguments.out.mkdir(parents=True)
        if workers:
            seconds = on_cluster(workers, batches, modules, arguments.out, kill)
        else:
            start = time.perf_counter()
            for batch in batches:
                work(batch, modules, str(arguments.out))
            seconds = time.perf_counter() - start
        # A worker that was killed leaves what it had not finished.
        left = list(arguments.out.glob(".*"))
        assert kill or not left, left
        for path in left:
            path.unlink()
        found = digest(arguments.out, arguments.modules)
        expected = expected or found
        assert found == expected, f"{name}: the results are others"
        print(f"{name:22} {arguments.modules / seconds:8.0f} modules per second, {found[:16]}", flush=True)


if __name__ == "__main__":
    main()
