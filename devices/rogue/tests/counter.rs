//! Operations on Pe where it follows from one counter, and the same where something else might write the counter.
#![allow(clippy::unwrap_used)]

mod run;

use run::Run;

const END: &str = "control { nop.end } [] pad2";
const SELECT: &str = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";
/// Behind the end, where no task comes: another group that writes the counter.
const STRANGER: &str = "main { mbyp ft0, s0 } [s0=c1, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=r40]";

struct Random(u32);

impl Random {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % count
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u32) as usize]
    }
}

/// A line of a program: lanes that run count, P0 changes, Pe changes, or tasks skip what nobody runs.
fn line(random: &mut Random, number: u32) -> String {
    let condition = random.one_of(&["if(1)", "if(p0)", "if(!p0)", "if(0)"]);
    let adjust = 1 + random.below(2);
    let cnd = |op: String| format!("(ignorepe) control {{ {op} }} [s0=r40, s3=c0, w0=r40]");
    match random.below(9) {
        0 | 1 => format!(
            "main {{ smadd32 ft0, s0, s1, s2, _ }} [s0=r1, s1=c3, s2=c{}, s3=c0, {SELECT}, w0=r1]",
            1 + random.below(9)
        ),
        2 | 3 => format!(
            "main {{ mbyp ft0, s0; mbyp ft1, s3; tst{}.u32 ftt, p0, is1, is2 }} [s0=r0, s3=c{}, {SELECT}]",
            random.one_of(&["e", "g", "l", "ge"]),
            random.below(12)
        ),
        4 => cnd(format!("cndst {condition}, w0, s0, {adjust}")),
        5 => cnd(format!("cndef {condition}, w0, s0, {}", random.below(3))),
        6 => format!(
            "(ignorepe) control {{ cndsm {condition}, w0, s0, s2 }} [s0=r40, s1=c0, s2=c{adjust}, s3=c0, w0=r40]"
        ),
        7 => cnd(format!("cndend w0, s0, {adjust}")),
        _ if random.below(2) == 0 => cnd(format!("cndlt {condition}, w0, p0, s0, {adjust}")),
        _ => format!(
            "control {{ br.allinst l{number} }} []\n\
             main {{ smadd32 ft0, s0, s1, s2, _ }} [s0=r1, s1=c5, s2=c2, s3=c0, {SELECT}, w0=r1]\n\
             l{number}: main {{ mbyp ft0, s0 }} [s0=r1, s3=c0, {SELECT}, w0=r2]"
        ),
    }
}

#[test]
fn pe_follows_from_its_counter() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let begin = "(ignorepe) control { cndst if(1), w0, s0, 1 } [s0=c0, s3=c0, w0=r40]";
        let lines: Vec<String> = (0..24).map(|n| line(&mut random, n)).collect();
        let text = format!("{begin}\n{}\n{END}", lines.join("\n"));
        let strange = format!("{text}\n{STRANGER}\n{END}");
        let [known, unknown] = [&text, &strange].map(|text| {
            let run = Run::new(text).tasks(2);
            run.lanes("r0", |lane| lane * 7 % 12).go()
        });
        for lane in 0..64 {
            for name in ["r1", "r2", "r40"] {
                let [known, unknown] = [&known, &unknown].map(|found| found.lane(name, lane));
                assert_eq!(known, unknown, "{name} of lane {lane}:\n{text}");
            }
        }
        assert_eq!(known.mask("p0"), unknown.mask("p0"), "{text}");
    }
}
