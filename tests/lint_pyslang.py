"""Parses and elaborates designs with slang; every diagnostic is a failure.

Each argument is a folder of Verilog files and a top module: FOLDER:TOP. With FOLDER:TOP:macros
the folder has empty modules, whose outputs nothing drives.

What nothing reads is left to Verilator: slang warns of the very net that reads it.
"""

import sys
from pathlib import Path

import pyslang


def lint(folder: Path, top: str, flags: list[str]) -> bool:
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    files = [str(file) for file in sorted(folder.glob("*.v"))]
    warnings = ["-Weverything", "-Wno-unused"]
    words = ["slang", "--single-unit", "--top", top, *warnings, *flags, *files]
    arguments = " ".join(words)
    if not driver.parseCommandLine(arguments, pyslang.driver.CommandLineOptions()):
        return False
    driver.setTerminalColorsEnabled(False)
    ok = driver.processOptions() and driver.parseAllSources()
    ok = ok and driver.reportParseDiags()
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    driver.runAnalysis(compilation)
    clean = driver.reportDiagnostics(True)
    diagnostics = driver.diagEngine
    return ok and clean and diagnostics.numErrors + diagnostics.numWarnings == 0


def main() -> int:
    clean = True
    for argument in sys.argv[1:]:
        folder, top, *macros = argument.split(":")
        flags = ["-Wno-undriven-port"] if macros else []
        for define in [[], ["-DFORMAL"]]:
            if not lint(Path(folder), top, flags + define):
                print(f"slang: {argument} {' '.join(define)}")
                clean = False
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
