//! Runs geometry stages directly, and keeps what they emit.

use lanes::Row;
use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::ir::{self, Builtin, OutputBuiltin};

/// Sixty-four primitives, and what comes out of each: vertices, and ends as `None`.
struct Primitives {
    emitted: Vec<Vec<Option<Vec<u32>>>>,
    numbers: Vec<u32>,
}

/// A word of a vertex: of its position, or of an input.
pub fn word(lane: usize, vertex: u32, input: Option<u32>, component: u32) -> f32 {
    let input = input.map_or(0, |input| input + 1);
    (lane as u32 * 64 + vertex * 16 + input * 4 + component) as f32
}

impl Resources for Primitives {
    fn input(&mut self, _: u32, _: u32) -> Row {
        unreachable!("no input of a vertex shader")
    }
    fn builtin(&mut self, builtin: Builtin) -> Row {
        match builtin {
            Builtin::PrimitiveIndex => Row(std::array::from_fn(|lane| lane as u32)),
            Builtin::InvocationIndex => Row::splat(7),
            other => unreachable!("{other:?}"),
        }
    }
    fn vertex(&mut self, vertex: u32, input: Option<u32>, component: u32) -> Row {
        Row(std::array::from_fn(|lane| {
            word(lane, vertex, input, component).to_bits()
        }))
    }
    fn emit_vertex(&mut self, number: &Row, words: &[Row], mask: u64) {
        for lane in (0..64).filter(|lane| mask >> lane & 1 != 0) {
            assert_eq!(number.0[lane], self.numbers[lane], "lane {lane}");
            self.numbers[lane] += 1;
            let words = words.iter().map(|row| row.0[lane]).collect();
            self.emitted[lane].push(Some(words));
        }
    }
    fn end_primitive(&mut self, mask: u64) {
        for lane in (0..64).filter(|lane| mask >> lane & 1 != 0) {
            self.emitted[lane].push(None);
        }
    }
    fn output(&mut self, _: u32, _: u32, _: &Row, _: u64) {
        unreachable!("a geometry stage emits")
    }
    fn output_builtin(&mut self, _: OutputBuiltin, _: u32, _: &Row, _: u64) {
        unreachable!("a geometry stage emits")
    }
    fn load_buffer(&mut self, _: Element, _: u32) -> u32 {
        0
    }
    fn store_buffer(&mut self, _: Element, _: u32, _: u32) {}
    fn buffer_bytes(&mut self, _: Element) -> u32 {
        0
    }
    fn push_constant(&mut self, _: u32) -> u32 {
        0
    }
    fn image(&mut self, _: &ImageCall<'_>, _: &mut [Row]) {}
}

/// What 64 primitives become, by lane.
pub fn run(function: &ir::Function) -> Vec<Vec<Option<Vec<u32>>>> {
    let mut world = Primitives {
        emitted: vec![Vec::new(); 64],
        numbers: vec![0; 64],
    };
    let program = direct::compile(function).unwrap();
    program.run(u64::MAX, 0, 1 << 20, &mut world).unwrap();
    world.emitted
}
