//! Groups to text.

mod backend;
mod bitwise;
mod control;
mod phases;

use std::fmt::{self, Display, Formatter};

use crate::isa::alu::Modifiers;
use crate::isa::phase2::{Feed, Selectors};
use crate::isa::{Body, Condition, Group, Main};

/// A modifier where it is on.
fn flag(on: bool, name: &'static str) -> &'static str {
    if on { name } else { "" }
}

/// A modifier with its point where it has a name.
fn dotted(name: &str) -> String {
    match name {
        "" => String::new(),
        name => format!(".{name}"),
    }
}

impl Display for Modifiers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(flag(self.floor, ".flr"))?;
        f.write_str(flag(self.abs, ".abs"))?;
        f.write_str(flag(self.neg, ".neg"))
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.condition != Condition::PE {
            write!(f, "{} ", self.condition.name())?;
        }
        f.write_str(flag(self.end, "end "))?;
        f.write_str(flag(self.atomic, "atom "))?;
        f.write_str(flag(self.output_lock, "olchk "))?;
        if self.repeat != 1 {
            write!(f, "rpt{} ", self.repeat)?;
        }
        let (kind, operations) = match &self.body {
            Body::Main(main) => ("main", main_operations(main)),
            Body::Bitwise(bitwise) => ("bitwise", bitwise::bitwise_operations(bitwise)),
            Body::Control(control) => ("control", vec![control::control_operation(control)]),
        };
        write!(
            f,
            "{kind} {{ {} }} [{}]",
            operations.join("; "),
            self.binds().join(", ")
        )?;
        match self.pad {
            0 => Ok(()),
            words => write!(f, " pad{words}"),
        }
    }
}

impl Group {
    fn binds(&self) -> Vec<String> {
        let lower = self.lower.iter().enumerate();
        let mut binds: Vec<String> = lower.map(|(n, source)| format!("s{n}={source}")).collect();
        let upper = self.upper.iter().enumerate();
        binds.extend(upper.map(|(n, source)| format!("s{}={source}", n + 3)));
        if let Body::Main(main) = &self.body {
            binds.push(main.selectors.to_string());
        }
        let outputs = self.w.iter().enumerate();
        binds.extend(outputs.filter_map(|(n, w)| Some(format!("w{n}={}", (*w)?))));
        binds
    }
}

impl Display for Selectors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is1 = if self.is1_fte { "fte" } else { "ft0" };
        let is2 = if self.is2_fte { "fte" } else { "ft1" };
        let is3 = match self.is3 {
            Feed::FT2 => "s2",
            feed => feed.name(),
        };
        write!(
            f,
            "is0=s{}, is1={is1}, is2={is2}, is3={is3}, is4={}, is5={}",
            self.is0,
            self.is4.name(),
            self.is5.name()
        )
    }
}

fn main_operations(main: &Main) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(main.p0.map(|alu| phases::alu_operation(&alu, 0)));
    found.extend(main.p1.map(|alu| phases::alu_operation(&alu, 1)));
    phases::phase2_operations(&main.p2, &mut found);
    found.extend(
        main.backend
            .map(|backend| backend::backend_operation(&backend)),
    );
    found
}
