//! Small draws whose pixels wait for those of others: nothing can tell.

use crate::rig::*;
use r5xx::regs::*;

const COPY: u64 = TARGET + 0x1_0000;
const BYTES: u32 = 4 * (SIZE * SIZE) as u32;

/// A blended draw of a part of the target; each has its own blend constant and its own colours.
fn layer(stream: &mut Stream, n: u32) {
    use RB3D_BLENDCNTL::*;
    let blend = [
        (ALPHA_BLEND_ENABLE, 1),
        (READ_ENABLE, 1),
        (SRCBLEND, 38),
        (DESTBLEND, 39),
    ];
    stream.fields(RB3D_BLENDCNTL, &blend);
    stream.word(RB3D_COLOR_CHANNEL_MASK, 0, [0xf, 7, 0xd][n as usize % 3]);
    let part = |step: u32| (n * step % 16) as f32 / 16.0;
    let color = [part(3), part(5), part(7), 0.25 + part(1) / 2.0];
    let corner = |x: f32, y: f32| [[x, y, 0.5, 1.0], color];
    let [left, top] = [part(9) - 1.0, part(11) - 1.0];
    stream.draw(
        TRIANGLES,
        &[corner(left, top), corner(1.0, top), corner(left, 1.0)],
    );
}

/// Draws, each of which `between` may keep from waiting.
fn layers(count: u32, between: impl Fn(&mut Stream, u32)) -> Stream {
    let mut stream = Stream::state();
    for n in 0..count {
        layer(&mut stream, n);
        between(&mut stream, n);
    }
    stream
}

#[test]
fn draws_that_wait_give_what_others_give() {
    // More than wait at a time.
    let count = 300;
    let waited = drawn(&layers(count, |_, _| {}));
    let ended = drawn(&layers(count, |stream, _| {
        stream.word(WAIT_UNTIL, 0, 0);
    }));
    assert_eq!(waited.0, ended.0);
    assert_eq!(waited.1.samples_passed, ended.1.samples_passed);
    assert_eq!(waited.1.draws, u64::from(count));
    let mut rig = Rig::new(3);
    let stats = rig.run(&layers(count, |_, _| {})).unwrap();
    assert_eq!((rig.pixels(), stats), waited);
}

#[test]
fn copies_see_the_draws_before_them() {
    let copy = |stream: &mut Stream, n: u32| {
        if n == 4 {
            stream.word(CP_GUI_SRC_ADDR, 0, TARGET as u32);
            stream.word(CP_GUI_DST_ADDR, 0, COPY as u32);
            stream.word(CP_GUI_COMMAND, 0, CP_GUI_COMMAND::BYTE_COUNT.bits(BYTES));
        }
    };
    let mut rig = Rig::new(1);
    rig.run(&layers(9, copy)).unwrap();
    assert_eq!(rig.pixels(), drawn(&layers(9, |_, _| {})).0);
    let (five, _) = drawn(&layers(5, |_, _| {}));
    for (n, pixel) in (0..).zip(five.as_flattened()) {
        assert_eq!(rig.memory.load(COPY + 4 * n), Some(*pixel), "pixel {n}");
    }
    assert_ne!(five, rig.pixels());
}

#[test]
fn samples_are_counted_before_they_are_read() {
    let count = |n: u32| TARGET as u32 + 0x2_0000 + 4 * n;
    let mut rig = Rig::new(1);
    let store = |stream: &mut Stream, n| stream.word(ZB_ZPASS_ADDR, 0, count(n));
    let stats = rig.run(&layers(6, store)).unwrap();
    let mut sum = 0;
    for n in 0..6 {
        let (_, one) = drawn(&{
            let mut stream = Stream::state();
            layer(&mut stream, n);
            stream
        });
        sum += one.samples_passed;
        let stored = rig.memory.load(count(n).into());
        assert_eq!(stored, Some(sum as u32), "draw {n}");
    }
    assert_eq!(stats.samples_passed, sum);
}
