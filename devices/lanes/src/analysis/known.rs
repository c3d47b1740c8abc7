//! Constant propagation over scalars. In: a program and the scalars that waves start with. Out: what is known of them at
//! each port, on every path there and in every wave.

use crate::op::WideOp;
use crate::step::{Program, Src, Step, When};
use crate::validate::width;

/// Scalars by number; `None` is not known.
pub type KnownScalars = [Option<u32>];

impl Program {
    /// Calls `port` with the number of each port that a wave may reach and what is known there; it adds the scalars that
    /// are known behind the port, of those that the port writes. A port is visited again when less is known than before:
    /// the last visit counts, and with less known `port` must add no more.
    ///
    /// `start` has one entry per scalar. False, with visits that mean nothing, if the program has indirect jumps or
    /// ports without effects. The program must be valid.
    pub fn visit_known(
        &self,
        start: Vec<Option<u32>>,
        mut port: impl FnMut(u32, &KnownScalars, &mut Vec<(u16, u32)>),
    ) -> bool {
        assert_eq!(start.len(), usize::from(self.scalars), "one per scalar");
        let mut heads: Vec<Option<Vec<Option<u32>>>> = vec![None; self.steps.len()];
        heads[0] = Some(start);
        let mut begins = vec![false; self.steps.len()];
        for step in &self.steps {
            match step {
                Step::Branch { to, .. } => begins[*to as usize] = true,
                Step::Indirect { .. } => return false,
                _ => {}
            }
        }
        let mut found = Vec::new();
        let mut work = vec![0];
        while let Some(first) = work.pop() {
            let Some(mut now) = heads[first].clone() else {
                continue;
            };
            let mut reach = |at: usize, now: &KnownScalars| {
                if meet(&mut heads[at], now) {
                    work.push(at);
                }
            };
            for (at, step) in self.steps.iter().enumerate().skip(first) {
                if at > first && begins[at] {
                    reach(at, &now);
                    break;
                }
                match *step {
                    Step::Port { port: number } => {
                        let Some(effects) = self.ports.get(number as usize) else {
                            return false;
                        };
                        found.clear();
                        port(number, &now, &mut found);
                        for scalar in &effects.writes_scalars {
                            now[usize::from(*scalar)] = None;
                        }
                        for (scalar, value) in &found {
                            debug_assert!(effects.writes_scalars.contains(scalar));
                            now[usize::from(*scalar)] = Some(*value);
                        }
                    }
                    Step::Uniform { op, dst, src } => {
                        let word = |n: usize| match src[n] {
                            Src::Const(value) => Some(value),
                            Src::Scalar(from) => now[usize::from(from)],
                            Src::Row(_) => None,
                        };
                        let args = [word(0), word(1), word(2)];
                        now[usize::from(dst)] = match args {
                            [Some(a), Some(b), Some(c)] => Some(op.eval([a, b, c])),
                            _ => None,
                        };
                    }
                    Step::UniformWide { op, dst, src } => {
                        let value = wide(op, src, &now);
                        for n in 0..width(op.result()) as u16 {
                            let word = value.map(|value| (value >> (32 * n)) as u32);
                            now[usize::from(dst + n)] = word;
                        }
                    }
                    Step::Branch { when, to } => {
                        reach(to as usize, &now);
                        if when == When::Always {
                            break;
                        }
                    }
                    Step::End | Step::Trap { .. } => break,
                    _ => {
                        for scalar in step.written_scalars() {
                            now[usize::from(scalar)] = None;
                        }
                    }
                }
            }
        }
        true
    }
}

/// Keeps what is known on both ways; whether that is less than before.
fn meet(head: &mut Option<Vec<Option<u32>>>, now: &KnownScalars) -> bool {
    let Some(head) = head else {
        *head = Some(now.to_vec());
        return true;
    };
    let mut less = false;
    for (known, now) in head.iter_mut().zip(now) {
        if known.is_some() && known != now {
            *known = None;
            less = true;
        }
    }
    less
}

/// The result of an operation on 64-bit values, if its operands are known.
fn wide(op: WideOp, src: [Src; 3], now: &KnownScalars) -> Option<u64> {
    let mut args = [0; 3];
    for (n, arg) in args.iter_mut().enumerate() {
        *arg = match src[n] {
            Src::Const(value) => u64::from(value),
            Src::Row(_) => return None,
            Src::Scalar(at) => {
                let pair = op.params().get(n).is_some_and(|ty| width(*ty) == 2);
                let high = match pair {
                    true => now[usize::from(at) + 1]?,
                    false => 0,
                };
                u64::from(now[usize::from(at)]?) | u64::from(high) << 32
            }
        };
    }
    Some(op.eval(args))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Scalars 0 and 1 start with 5 and 7. Port 0 gives scalar 4 what scalar 0 is plus 1; at port 1 scalars 2 and 3 are
    /// looked at.
    fn at_port_1(steps: &[&str]) -> Option<[Option<u32>; 2]> {
        let mut text = "rows 4\nscalars 12\nexec s8\n".to_owned();
        text += "port 0 reads s0 writes s4 overwrites uniform\nport 1 reads s2\n";
        for (n, step) in steps.iter().enumerate() {
            text += &format!("{n}: {step} ; 0x0 0x0\n");
        }
        let program: Program = text.parse().unwrap();
        crate::validate::validate(&program).unwrap();
        let mut start = vec![None; 12];
        start[..2].copy_from_slice(&[Some(5), Some(7)]);
        let mut seen = None;
        let done = program.visit_known(start, |port, known, found| match port {
            0 => found.extend(known[0].map(|value| (4, value + 1))),
            _ => seen = Some([known[2], known[3]]),
        });
        done.then_some(seen).flatten()
    }

    #[test]
    fn sums_of_known_scalars_are_known() {
        let known = at_port_1(&["s2 = IAdd s0, s1", "s3 = IAdd s6, s1", "port 1", "end"]);
        assert_eq!(known, Some([Some(12), None]));
        let known = at_port_1(&["s2 = Mov64 s0", "port 1", "end"]);
        assert_eq!(known, Some([Some(5), Some(7)]));
        let known = at_port_1(&["s2 = Mov64 s0", "s2 = first v0", "port 1", "end"]);
        assert_eq!(known, Some([None, Some(7)]));
    }

    #[test]
    fn ways_that_meet_must_agree() {
        let steps = |other: &'static str| {
            [
                "s2 = Mov 0x3",
                "s3 = Mov 0x4",
                "branch @4 if s6 == 0",
                other,
                "port 1",
                "end",
            ]
        };
        let both = at_port_1(&steps("s2 = Mov 0x3"));
        assert_eq!(both, Some([Some(3), Some(4)]));
        let one = at_port_1(&steps("s2 = Mov 0x9"));
        assert_eq!(one, Some([None, Some(4)]));
    }

    #[test]
    fn what_a_loop_changes_is_not_known() {
        let known = at_port_1(&[
            "s2 = Mov 0x0",
            "s3 = Mov 0x1",
            "port 1",
            "s2 = IAdd s2, 0x1",
            "branch @2 if s2 == 0",
            "end",
        ]);
        assert_eq!(known, Some([None, Some(1)]));
    }

    #[test]
    fn ports_give_what_they_are_known_to_give() {
        let known = at_port_1(&["port 0", "s2 = Mov s4", "port 1", "end"]);
        assert_eq!(known, Some([Some(6), None]));
        let known = at_port_1(&["s0 = first v0", "port 0", "s2 = Mov s4", "port 1", "end"]);
        assert_eq!(known, Some([None, None]));
        assert_eq!(at_port_1(&["port 2", "port 1", "end"]), None);
        assert_eq!(at_port_1(&["port 1", "jump s0", "end"]), None);
    }
}
