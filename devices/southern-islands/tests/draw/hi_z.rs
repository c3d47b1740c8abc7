//! Bounds of depths never show: memory and counts are the same with every pixel tested.

use silicon::{Addr, Stats};
use southern_islands::Start;
use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

/// Numbers from 0 to 1.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}

/// Triangles of all sizes and depths, some with a depth from end to end, some beyond the planes.
pub fn soup(seed: u32, count: usize) -> Vec<Vertex> {
    let mut numbers = Numbers(seed);
    let mut vertices = Vec::new();
    for n in 0..count {
        let size = [0.1, 0.5, 2.5][n % 3];
        let [x, y, z] = [(); 3].map(|()| numbers.next());
        let steep = [0.0, 0.05, 1.0][n / 3 % 3];
        for _ in 0..3 {
            let [dx, dy, dz] = [(); 3].map(|()| numbers.next() - 0.5);
            let color = [(); 3].map(|()| numbers.next());
            vertices.push([
                2.0 * x - 1.0 + size * dx,
                2.0 * y - 1.0 + size * dy,
                z + steep * dz,
                1.0,
                color[0],
                color[1],
                color[2],
                1.0,
            ]);
        }
    }
    vertices
}

#[derive(Clone, Copy, Debug)]
struct Case {
    format: u8,
    first: u8,
    compare: u8,
    write: bool,
    bounded: bool,
    clamps: bool,
}

fn control(compare: u8, write: bool, bounded: bool) -> u32 {
    DbDepthControl {
        z_enable: true,
        z_write_enable: write,
        zfunc: compare,
        depth_bounds_enable: bounded,
        ..DbDepthControl::from_word(0)
    }
    .pack()
}

/// Colours, depths and counts after two draws with a clear of half the depths between.
fn draw(case: Case, start: Start) -> (Vec<u8>, Stats) {
    let mut rig = Rig::started(start, [WIDTH, HEIGHT]);
    let count = 180;
    rig.setup(&soup(7, count), &code::pixel(), ImageKind::Color);
    rig.depth(case.first, true);
    let layout = layout(ImageKind::Depth, [WIDTH, HEIGHT]);
    let (middle, last) = match case.format {
        z_format::Z_32_FLOAT => (0.5f32.to_bits(), 1f32.to_bits()),
        _ => (0x80_0000, 0xff_ffff),
    };
    let cleared = if case.first == compare::LESS { last } else { 0 };
    rig.memory
        .fill(Addr(DEPTH), layout.bytes / 4, cleared)
        .unwrap();
    rig.set(
        DB_Z_INFO,
        DbZInfo {
            format: case.format,
            tile_mode_index: layout.levels[0].mode,
            ..DbZInfo::from_word(0)
        }
        .pack(),
    );
    rig.set(
        PA_CL_CLIP_CNTL,
        PaClClipCntl {
            dx_clip_space_def: true,
            zclip_near_disable: case.clamps,
            zclip_far_disable: case.clamps,
            ..PaClClipCntl::from_word(0)
        }
        .pack(),
    );
    rig.set(DB_DEPTH_BOUNDS_MIN, 0.2f32.to_bits());
    rig.set(DB_DEPTH_BOUNDS_MAX, 0.9f32.to_bits());
    rig.draw(3 * count as u32);
    // Half of the depths anew, by the command processor.
    let fill = 2 << 29;
    let bytes = (layout.bytes / 2) as u32;
    rig.packet(packets::CP_DMA, &[middle, fill, DEPTH as u32, 0, bytes]);
    rig.set(
        DB_DEPTH_CONTROL,
        control(case.compare, case.write, case.bounded),
    );
    rig.draw(3 * count as u32);
    rig.draw(3 * count as u32);
    let stats = rig.run().unwrap();
    let mut memory = vec![0; (DEPTH - COLOR + layout.bytes) as usize];
    rig.memory.read(Addr(COLOR), &mut memory).unwrap();
    (memory, stats)
}

#[test]
fn bounds_of_depths_do_not_show() {
    let mut number = 0;
    let mut rejected = 0;
    for format in [z_format::Z_24, z_format::Z_32_FLOAT] {
        for first in [compare::LESS, compare::GREATER] {
            for compare in 0..8 {
                for write in [false, true] {
                    number += 1;
                    let case = Case {
                        format,
                        first,
                        compare,
                        write,
                        bounded: number % 3 == 0,
                        clamps: number % 2 == 0,
                    };
                    let start = |threads, fine_depth| Start {
                        threads: Some(threads),
                        fine_depth,
                        ..Start::default()
                    };
                    let (memory, stats) = draw(case, start(1, true));
                    assert!(stats.samples_passed > 0 && stats.fragment_lanes > 0);
                    assert_eq!(stats.tiles_rejected, 0, "{case:?}");
                    for threads in [1, 2] {
                        let found = draw(case, start(threads, false));
                        // What Hi-Z rejects is not read.
                        rejected += found.1.tiles_rejected;
                        let same = Stats {
                            tiles_rejected: stats.tiles_rejected,
                            depth_bytes_read: stats.depth_bytes_read,
                            ..found.1
                        };
                        assert_eq!(same, stats, "{case:?}");
                        assert!(found.1.depth_bytes_read <= stats.depth_bytes_read);
                        assert!(found.0 == memory, "{case:?}: the pictures differ");
                    }
                }
            }
        }
    }
    assert!(rejected > 0);
}
