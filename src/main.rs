//! The command `warpsmith`.

use std::process::ExitCode;

fn main() -> ExitCode {
    warpsmith::cli::main()
}
