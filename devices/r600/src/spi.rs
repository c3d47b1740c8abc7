//! The shader processor input: what registers hold when a wave starts. [INPUTS]
//!
//! Pixel waves find their attributes interpolated: attribute n in register n.

mod interp;

pub(crate) use interp::BatchWeights;

use lanes::{Row, Wave};
use radeon::r6xx::codes::point_coordinates;
use radeon::registers::RegisterFile;
use silicon::fragment::interpolate::{self, Coefficients, Value, Wanted};
use silicon::fragment::mask::expand;
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{AnyWave, FullTiles, PixelWave, PixelWaves, WaveRows};
use silicon::geometry::amplify::GeometryInput;
use silicon::geometry::attributes::{AttributeMap, Source};
use silicon::geometry::vertices::VertexInput;
use silicon::host::SimdLevel;

use crate::regs::{
    self, DEFAULT_VALUES, SpiInputZ, SpiInterpControl0, SpiPsInControl0, SpiPsInControl1,
    SpiPsInputCntl, SpiVsOutConfig,
};
use crate::sq::{Stage, set_lanes};

/// What R0.y and R0.z of vertex waves are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexInputs {
    step_rates: [u32; 2],
    primitive: bool,
}

impl VertexInputs {
    pub(crate) fn new(registers: &RegisterFile) -> VertexInputs {
        VertexInputs {
            step_rates: [
                registers.get(regs::VGT_INSTANCE_STEP_RATE_0),
                registers.get(regs::VGT_INSTANCE_STEP_RATE_1),
            ],
            primitive: registers.get(regs::VGT_PRIMITIVEID_EN) & 1 != 0,
        }
    }

    /// Fills R0. [INPUTS]
    pub(crate) fn start(&self, rows: &mut [Row], inputs: &[VertexInput]) {
        let [x, y, z, w, ..] = rows else {
            return;
        };
        // A rate of zero never steps.
        let stepped = |rate: u32, v: &VertexInput| v.instance.checked_div(rate).unwrap_or(0);
        for (lane, vertex) in inputs.iter().enumerate() {
            x.0[lane] = vertex.index;
            y.0[lane] = stepped(self.step_rates[0], vertex);
            z.0[lane] = match self.primitive {
                true => vertex.primitive,
                false => stepped(self.step_rates[1], vertex),
            };
            w.0[lane] = vertex.instance;
        }
    }
}

/// Fills R0 and R1 of a wave of geometry invocations; `place` is where a vertex of the batch lies in the ring, in words.
/// [INPUTS]
pub(crate) fn start_primitives(
    rows: &mut [Row],
    inputs: &[GeometryInput],
    place: impl Fn(u32) -> u32,
) {
    let mut fill = |row: usize, value: &dyn Fn(&GeometryInput) -> u32| {
        if let Some(row) = rows.get_mut(row) {
            for (lane, input) in row.0.iter_mut().zip(inputs) {
                *lane = value(input);
            }
        }
    };
    for (vertex, row) in [0, 1, 3, 4, 5, 6].into_iter().enumerate() {
        fill(row, &|input| place(input.primitive.vertices[vertex]));
    }
    fill(2, &|input| input.primitive.number);
}

/// Where the attributes of the pixel shader come from: a parameter and an input that have the same name meet.
pub(crate) fn attributes(registers: &RegisterFile) -> AttributeMap {
    let config = SpiVsOutConfig::from_word(registers.get(regs::SPI_VS_OUT_CONFIG));
    let params = usize::from(config.vs_export_count) + 1;
    let names: Vec<u8> = (0..10)
        .flat_map(|n| registers.get(regs::SPI_VS_OUT_ID_0 + 4 * n).to_le_bytes())
        .take(params)
        .collect();
    let interp = SpiInterpControl0::from_word(registers.get(regs::SPI_INTERP_CONTROL_0));
    let codes = [
        interp.pnt_sprite_ovrd_x,
        interp.pnt_sprite_ovrd_y,
        interp.pnt_sprite_ovrd_z,
        interp.pnt_sprite_ovrd_w,
    ];
    let point = point_coordinates(codes, interp.pnt_sprite_top_1);
    let sources = (0..inputs(registers))
        .map(|n| {
            let control = input_control(registers, n);
            let found = names
                .iter()
                .position(|name| *name != 0 && *name == control.semantic);
            if is_point(&control, &interp) {
                return point;
            }
            match found {
                Some(index) => Source::Param {
                    index,
                    flat: control.flat_shade && interp.flat_shade_ena,
                },
                None => Source::Constant(DEFAULT_VALUES[usize::from(control.default_val)]),
            }
        })
        .collect();
    AttributeMap { sources, params }
}

/// Whether an input is the place in a point.
fn is_point(control: &SpiPsInputCntl, interp: &SpiInterpControl0) -> bool {
    control.pt_sprite_tex && interp.pnt_sprite_ena
}

fn inputs(registers: &RegisterFile) -> u32 {
    let control = SpiPsInControl0::from_word(registers.get(regs::SPI_PS_IN_CONTROL_0));
    u32::from(control.num_interp).min(32)
}

fn input_control(registers: &RegisterFile, n: u32) -> SpiPsInputCntl {
    SpiPsInputCntl::from_word(registers.get(regs::SPI_PS_INPUT_CNTL_0 + 4 * n))
}

/// Where in a pixel an attribute is taken, and whether it is divided by w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InterpolationMode {
    at: At,
    linear: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Centre,
    Centroid,
    Sample,
}

impl At {
    /// What is there, of what is at centres, centroids and samples.
    fn of<T>(self, [centre, centroid, sample]: [T; 3]) -> T {
        match self {
            At::Centre => centre,
            At::Centroid => centroid,
            At::Sample => sample,
        }
    }
}

/// What a pixel wave gets, and in which registers.
#[derive(Clone, Debug)]
pub(crate) struct PixelInputs {
    /// Where and how every attribute is interpolated.
    places: Vec<InterpolationMode>,
    /// Registers of position, front face and fixed-point position.
    position: Option<(u8, At)>,
    position_upper_left: bool,
    provides_z: bool,
    front_face: Option<u8>,
    front_face_channel: u8,
    front_face_all_bits: bool,
    fixed_position: Option<u8>,
}

impl PixelInputs {
    pub(crate) fn new(registers: &RegisterFile) -> PixelInputs {
        let c0 = SpiPsInControl0::from_word(registers.get(regs::SPI_PS_IN_CONTROL_0));
        let c1 = SpiPsInControl1::from_word(registers.get(regs::SPI_PS_IN_CONTROL_1));
        let z = SpiInputZ::from_word(registers.get(regs::SPI_INPUT_Z));
        let interp = SpiInterpControl0::from_word(registers.get(regs::SPI_INTERP_CONTROL_0));
        let at = |centroid, sample| match (centroid, sample) {
            (_, true) => At::Sample,
            (true, false) => At::Centroid,
            (false, false) => At::Centre,
        };
        let places = (0..inputs(registers)).map(|n| {
            let control = input_control(registers, n);
            InterpolationMode {
                at: at(control.sel_centroid, control.sel_sample),
                linear: control.sel_linear || is_point(&control, &interp),
            }
        });
        PixelInputs {
            places: places.collect(),
            position: c0.position_ena.then(|| {
                (
                    c0.position_addr,
                    at(c0.position_centroid, c0.position_sample),
                )
            }),
            position_upper_left: c1.position_ulc,
            provides_z: z.provide_z_to_spi,
            front_face: c1.front_face_ena.then_some(c1.front_face_addr),
            front_face_channel: c1.front_face_chan,
            front_face_all_bits: c1.front_face_all_bits,
            fixed_position: c1
                .fixed_pt_position_ena
                .then_some(c1.fixed_pt_position_addr),
        }
    }

    /// Whether a row is filled in all lanes with what nothing is read of before: an element of an attribute, or of the
    /// position in a register that the program has.
    fn fills(&self, row: usize, rows: usize) -> bool {
        row < 4 * self.places.len()
            || self.position.is_some_and(|(register, _)| {
                let first = 4 * usize::from(register);
                let element = row.wrapping_sub(first);
                element < 4 && first + 4 <= rows && (element != 2 || self.provides_z)
            })
    }

    /// Whether the shader wants the pixel's position.
    pub(crate) fn needs_position(&self) -> bool {
        self.position.is_some() || self.fixed_position.is_some()
    }

    /// Whether places other than the pixel centre matter.
    pub(crate) fn needs_places(&self) -> bool {
        let elsewhere = |at| at != At::Centre;
        self.places.iter().any(|place| elsewhere(place.at))
            || self.position.is_some_and(|(_, at)| elsewhere(at))
    }

    /// Whether the shader wants the covered samples: those lie in element Z beside the face.
    pub(crate) fn needs_coverage(&self, unread: &[bool]) -> bool {
        let read = |register: u8| unread.get(4 * usize::from(register) + 2) == Some(&false);
        self.front_face.is_some_and(read)
    }

    /// Planes that inputs are made from, besides those of perspective.
    pub(crate) fn needs_planes(&self) -> Wanted {
        Wanted {
            z: self.provides_z,
            linear: self.places.iter().any(|place| place.linear),
        }
    }

    /// Fills the registers of a wave of pixels: `rows` are those that the program has, of which it reads some.
    pub(crate) fn start<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        unread: &[bool],
        (rows, table): (&mut [Row], &mut QuadTable),
    ) {
        interp::fill(level, &self.places, pixel, unread, (rows, table));
        self.rest(level, pixel, unread, rows);
    }

    /// The same of waves of fully covered tiles.
    pub(crate) fn start_tiles(
        &self,
        level: SimdLevel,
        (waves, tiles): (&PixelWaves, &FullTiles),
        unread: &[bool],
        (batch, weights): (&mut [Wave], &mut BatchWeights),
    ) {
        let blocks = waves.blocks();
        let room = (&mut *batch, weights);
        interp::fill_tiles(level, &self.places, (tiles, blocks), unread, room);
        if self.position.is_some() {
            self.tile_positions(level, tiles, unread, batch);
        }
        if self.fixed_position.is_some() || self.front_face.is_some() {
            let mut own = WaveRows::default();
            for (n, wave) in batch.iter_mut().enumerate() {
                let rows = &mut wave.rows[..unread.len()];
                match waves.wave(n, &mut own) {
                    AnyWave::Tile(pixel) => self.faces(level, &pixel, rows),
                    AnyWave::Quads(pixel) => self.faces(level, &pixel, rows),
                }
            }
        }
    }

    /// The rows of the position that the program reads, in waves of fully covered tiles.
    fn tile_positions(
        &self,
        level: SimdLevel,
        tiles: &FullTiles,
        unread: &[bool],
        batch: &mut [Wave],
    ) {
        let Some((register, at)) = self.position else {
            return;
        };
        let (planes, at) = (tiles.planes, (tiles.at, interp::tile_places(at, tiles)));
        let offset = if self.position_upper_left { 0.0 } else { 0.5 };
        let first = 4 * usize::from(register);
        // A register that the program has none of has no elements here.
        for element in 0..unread.len().saturating_sub(first).min(4) {
            if unread[first + element] || element == 2 && !self.provides_z {
                continue;
            }
            let mut waves = batch.iter_mut();
            let rows = &mut std::array::from_fn(|_| {
                let wave = waves.next()?;
                wave.rows.get_mut(first + element).map(|row| &mut row.0)
            });
            match element {
                0 | 1 => interpolate::tile_positions(level, element, offset, at, rows),
                2 => interpolate::tile_values(level, Value::Own, &planes.z, at, rows),
                _ => interpolate::tile_values(level, Value::Own, &planes.inv_w, at, rows),
            }
        }
    }

    /// Fills what is not an attribute, but for rows of the position that the program never reads.
    fn rest<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        unread: &[bool],
        rows: &mut [Row],
    ) {
        if let Some((register, at)) = self.position
            && let Some([x, y, z, w]) = registers(rows, register)
        {
            let offset = if self.position_upper_left { 0.0 } else { 0.5 };
            let sample_positions = interp::sample_positions(at, pixel);
            let centres = pixel.centres;
            let [columns, lines] = pixel.position;
            let first = 4 * usize::from(register);
            let read = |element: usize| unread.get(first + element) != Some(&true);
            if read(0) {
                let place = [&sample_positions.x, &centres.x];
                interpolate::position(columns, offset, place, &mut x.0);
            }
            if read(1) {
                let place = [&sample_positions.y, &centres.y];
                interpolate::position(lines, offset, place, &mut y.0);
            }
            if self.provides_z && read(2) {
                interpolate::bits(level, pixel.planes.z, sample_positions, &mut z.0);
            }
            if read(3) {
                interpolate::bits(level, pixel.planes.inv_w, sample_positions, &mut w.0);
            }
        }
        self.faces(level, pixel, rows);
    }

    /// Fills what is no number between pixels: the side of the primitive, and whole positions.
    fn faces<P: Coefficients>(&self, level: SimdLevel, pixel: &PixelWave<P>, rows: &mut [Row]) {
        if let Some(register) = self.front_face
            && let Some(rows) = registers(rows, register)
        {
            self.face(level, pixel, rows);
        }
        if let Some(register) = self.fixed_position
            && let Some([x, y, _, w]) = registers(rows, register)
        {
            for (row, pixels) in [x, y].into_iter().zip(pixel.position) {
                for (value, pixel) in row.0.iter_mut().zip(pixels) {
                    *value = *pixel as u32;
                }
            }
            w.0.fill(pixel.sample);
        }
    }

    /// The side of the primitive, and the covered samples in element Z. [INPUTS]
    fn face<P: Coefficients>(&self, level: SimdLevel, pixel: &PixelWave<P>, rows: &mut [Row; 4]) {
        match pixel.coverage {
            Some(coverage) => rows[2].0 = *coverage,
            None => expand(level, pixel.exec, [0, 1], &mut rows[2].0),
        }
        let [front, back] = match self.front_face_all_bits {
            true => [1, 0],
            false => [1f32.to_bits(), (-1f32).to_bits()],
        };
        let row = &mut rows[usize::from(self.front_face_channel & 3)];
        expand(level, pixel.front, [back, front], &mut row.0);
    }
}

/// The four elements of a register, if the program has it.
fn registers(rows: &mut [Row], register: u8) -> Option<&mut [Row; 4]> {
    let first = 4 * usize::from(register);
    rows.get_mut(first..first + 4)?.try_into().ok()
}

/// Starts a wave with these lanes: scalars and those of the registers zero that something reads before it writes them, so
/// that results never depend on the wave before; not what inputs fill.
pub(crate) fn clear(
    wave: &mut Wave,
    lanes: u64,
    inputs: Option<&PixelInputs>,
    stage: &Stage,
    limit: u64,
) {
    let scalars = &stage.scalars;
    let cleared = &stage.shader.cleared[usize::from(lanes == u64::MAX)];
    for row in cleared.iter().map(|row| usize::from(*row)) {
        if !inputs.is_some_and(|inputs| inputs.fills(row, stage.shader.unread[0].len())) {
            wave.rows[row].0.fill(0);
        }
    }
    let count = wave.scalars.len().min(scalars.len());
    wave.scalars[..count].copy_from_slice(&scalars[..count]);
    for scalar in &stage.shader.cleared_scalars {
        wave.scalars[usize::from(*scalar)] = 0;
    }
    set_lanes(wave, lanes);
    wave.restart(limit);
}
