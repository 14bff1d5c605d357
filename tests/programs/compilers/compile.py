"""Makes the PTX of the programs beside this file; no GPU is needed.

    pip install triton nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12
    python3 tests/programs/compilers/compile.py
"""

import collections
import ctypes
import pathlib
import re

import nvidia
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import softmax

HERE = pathlib.Path(__file__).parent
CUDA = pathlib.Path(next(iter(nvidia.__path__)))


def of_triton():
    types = {"out": "*fp32", "rows": "*fp32", "stride": "i32", "columns": "i32", "BLOCK": "constexpr"}
    source = ASTSource(fn=softmax.softmax, signature=types, constexprs={"BLOCK": 128})
    return triton.compile(source, target=GPUTarget("cuda", 80, 32)).asm["ptx"]


def of_cuda(path):
    library = ctypes.CDLL(str(next(CUDA.glob("cuda_nvrtc/lib/libnvrtc.so*"))))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    text = path.read_bytes()
    library.nvrtcCreateProgram(ctypes.byref(program), text, path.name.encode(), 0, None, None)
    folders = [*CUDA.glob("cuda_cccl/include"), *CUDA.glob("cuda_runtime/include")]
    # Clusters are from sm_90 on.
    arch = "compute_90" if path.name.startswith("cluster") else "compute_80"
    options = [f"-arch={arch}", "-std=c++17", "-default-device", *(f"-I{folder}" for folder in folders)]
    words = [option.encode() for option in options]
    failed = library.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    what = "ProgramLog" if failed else "PTX"
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    result = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, result)
    if failed:
        raise SystemExit(result.value.decode())
    return result.value.decode()


def write(path, text):
    # Names of files without their folders; without the headers' variables that nothing uses.
    text = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", text)
    uses = collections.Counter(re.findall(r"[\w$]+", text))
    variable = re.compile(r"\.(?:global|const) \.align \d+ \.\w+ (\w+)")
    lines = [(line, variable.match(line)) for line in text.splitlines(keepends=True)]
    path.write_text("".join(line for line, of in lines if not of or uses[of[1]] > 1))


write(HERE / "softmax.ptx", of_triton())
for path in HERE.glob("*.cu"):
    write(path.with_suffix(".ptx"), of_cuda(path))
