"""Parses and elaborates designs with slang; every diagnostic is a failure.

Each argument is a folder of Verilog files and a top module: FOLDER:TOP.
"""

import sys
from pathlib import Path

import pyslang


def lint(folder: Path, top: str, defines: list[str]) -> bool:
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    files = " ".join(str(file) for file in sorted(folder.glob("*.v")))
    arguments = f"slang -Weverything --single-unit --top {top} {' '.join(defines)} {files}"
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
        folder, _, top = argument.rpartition(":")
        for defines in [[], ["-DFORMAL"]]:
            if not lint(Path(folder), top, defines):
                print(f"slang: {argument} {' '.join(defines)}")
                clean = False
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
