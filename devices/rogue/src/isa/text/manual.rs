//! The syntax of the manual: registers stand in place of slots, and moves name the destinations. [Rogue 2.4]
//!
//! ```text
//! 2 : if(p0) fmad ft0, sh5, i3, sh9
//!     fmad ft1, sh4, i1, i0
//!     mov r0, ft1; mov r1, ft0;
//! ```
//!
//! A group starts with its number and a colon and goes on to the next such line, or to a line of the canonical listing. In
//! come groups of the manual, out goes the canonical text: phases take their slots in order, what else a group reads the
//! first slot that may name it.

mod binds;
mod bitwise;
mod control;
mod group;
mod operation;
mod phases;
mod print;

pub use print::print;

/// Whether a line starts a group of the manual; gives what stands behind its number.
fn numbered(line: &str) -> Option<&str> {
    let (number, rest) = line.trim_start().split_once(':')?;
    let number = number.trim_end();
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    digits.then_some(rest)
}

fn is_canonical(line: &str) -> bool {
    ["main {", "bitwise {", "control {"]
        .iter()
        .any(|kind| line.contains(kind))
}

/// The canonical text of a program in which groups may be in the syntax of the manual: such a group's text stands in its
/// first line. An error has the line.
pub fn canonical(text: &str) -> Result<Option<String>, (u32, String, String)> {
    if !text.lines().any(|line| numbered(line).is_some()) {
        return Ok(None);
    }
    // Lines of groups of the manual, and others.
    let mut lines: Vec<(String, Option<Vec<&str>>)> = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let end = ["#", "//"].iter().filter_map(|mark| line.find(mark)).min();
        let line = &line[..end.unwrap_or(line.len())];
        if let Some(rest) = numbered(line) {
            open = Some(lines.len());
            lines.push((line.to_owned(), Some(vec![rest])));
        } else if is_canonical(line) || line.trim_start().find(':').is_some_and(|at| at > 0) {
            open = None;
            lines.push((line.to_owned(), None));
        } else {
            if let Some(at) = open
                && let Some(parts) = &mut lines[at].1
            {
                parts.push(line);
            }
            let text = if open.is_some() { "" } else { line };
            lines.push((text.to_owned(), None));
        }
    }
    let mut found = String::new();
    for (n, (line, parts)) in lines.into_iter().enumerate() {
        match parts {
            None => found += &line,
            Some(parts) => {
                let text = group::canonical(&parts.join("\n"));
                found += &text.map_err(|reason| (n as u32 + 1, line.trim().to_owned(), reason))?;
            }
        }
        found.push('\n');
    }
    Ok(Some(found))
}
