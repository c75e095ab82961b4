#!/usr/bin/env python3
"""Compiles HLSL by the DirectX Shader Compiler, as `dxc` does: libdxcompiler of PyPI's compushady, which is brought to target/tools/dxc.

    scripts/compilers/dxc.py FILE -Fo FILE.spv OPTION...
"""

import ctypes
import subprocess
import sys
import tarfile
import uuid
from pathlib import Path

# DXC 1.7.
PACKAGE = "compushady==0.17.5"
LIBRARY = Path(__file__).resolve().parents[2] / "target/tools/dxc/libdxcompiler.so"
COMPILER = "73e22d93-e6ce-47f3-b5bf-f0664f39c1b0", "228b4687-5a6a-4730-900c-9702b2203f54"
UTILITIES = "6245d6af-66e0-48fd-80b4-4d271796748c", "4605c4cb-2019-492a-ada4-65f20bb7d67f"
RESULT = "58346cda-dde7-4497-9461-6f87af5e0659"
UTF_8 = 65001


def bring():
    """Downloads the library."""
    folder = LIBRARY.parent
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--dest", folder, PACKAGE], check=True, stdout=sys.stderr)
    archive = next(folder.glob("*.tar.gz"))
    with tarfile.open(archive) as files:
        member = next(name for name in files.getnames() if "libdxcompiler_x86_64.so" in name)
        LIBRARY.write_bytes(files.extractfile(member).read())
    archive.unlink()


class Source(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t), ("encoding", ctypes.c_uint32)]


def guid(text):
    return ctypes.create_string_buffer(uuid.UUID(text).bytes_le, 16)


def method(instance, index, *types, returns=ctypes.c_int32):
    """A method of a COM object, of those that its interface adds to IUnknown: five come before, with the two destructors."""
    table = ctypes.cast(instance, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    function = ctypes.CFUNCTYPE(returns, ctypes.c_void_p, *types)(table[5 + index])
    return lambda *arguments: function(instance, *arguments)


def blob(result, index):
    """The bytes of an output of a result."""
    out = ctypes.c_void_p()
    method(result, index, ctypes.c_void_p)(ctypes.byref(out))
    if not out.value:
        return b""
    return ctypes.string_at(method(out, 0, returns=ctypes.c_void_p)(), method(out, 1, returns=ctypes.c_size_t)())


def main():
    source, _, output, *options = sys.argv[1:]
    if not LIBRARY.exists():
        bring()
    library = ctypes.CDLL(str(LIBRARY))

    def created(ids):
        out = ctypes.c_void_p()
        if library.DxcCreateInstance(guid(ids[0]), guid(ids[1]), ctypes.byref(out)):
            sys.exit("dxc.py: error: no compiler")
        return out

    includes, result = ctypes.c_void_p(), ctypes.c_void_p()
    method(created(UTILITIES), 6, ctypes.c_void_p)(ctypes.byref(includes))
    text = Path(source).read_bytes()
    words = (ctypes.c_wchar_p * (len(options) + 1))(source, *options)
    types = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    given = Source(text, len(text), UTF_8)
    method(created(COMPILER), 0, *types)(ctypes.byref(given), words, len(words), includes, guid(RESULT), ctypes.byref(result))
    status = ctypes.c_int32()
    method(result, 0, ctypes.c_void_p)(ctypes.byref(status))
    sys.stderr.write(blob(result, 2).decode(errors="replace").rstrip("\0"))
    if status.value:
        sys.exit(1)
    Path(output).write_bytes(blob(result, 1))


main()
