//! Draws every scene on every device and compares the hashes of the pictures with those of every host. The status is the
//! number of the first line of `api/tests/golden/hashes.txt` that differs: hosts without a terminal have nothing else.

use std::process::ExitCode;

const EXPECTED: &str = include_str!("../../../api/tests/golden/hashes.txt");

fn main() -> ExitCode {
    let found = match scenes::hashes::lines() {
        Ok(found) => found,
        Err(error) => {
            eprintln!("hashes: {error}");
            return ExitCode::from(255);
        }
    };
    let mut expected = EXPECTED.lines();
    let mut status = 0;
    for (number, line) in (1..).zip(&found) {
        let same = expected.next() == Some(line);
        println!("{line}{}", if same { "" } else { " differs" });
        if !same && status == 0 {
            status = number;
        }
    }
    ExitCode::from(status)
}
