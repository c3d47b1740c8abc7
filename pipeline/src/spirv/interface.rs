//! What an entry point exchanges with the fixed-function parts: locations, components, built-ins, interpolation.
//! [SPIRV 3.20 Decoration, VULKAN Shader Interfaces]

use std::rc::Rc;

use spirv::{BuiltIn, Decoration, ExecutionMode, StorageClass};

use super::geometry::is_geometry_mode;
use super::lower::{Lowerer, Val};
use super::module::{Entry, Result};
use super::numbers::Number;
use super::types::Type;
use super::words::Inst;
use crate::ir::{
    BUILTIN_LOCATIONS, CLIP_DISTANCES, CULL_DISTANCES, HALVES, Interpolation, Op, POINT_SIZE,
    PRIMITIVE_INDEX, Scalar, Stage, Type as WordType, VERTEX_LOCATIONS, VIEWPORT_INDEX, Value,
    Varying,
};
use crate::lower::place::Pointer;
use crate::lower::types::Kind;

/// An output variable.
pub(super) struct Outlet {
    pub(super) inst: Inst,
    place: Pointer,
    pub(super) pieces: Vec<Piece>,
}

/// A part of a variable that lies in one place of the interface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Its first leaf.
    pub(super) first: usize,
    pub(super) words: usize,
    pub(super) at: Place,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Location(Location),
    BuiltIn(BuiltIn),
    /// A member that is not used.
    Nowhere,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) location: u32,
    pub(super) component: u32,
    /// Second source of dual-source blending.
    pub(super) second: bool,
    scalar: Scalar,
    pub(super) interpolation: Interpolation,
}

/// Where the next part goes while a type is walked.
#[derive(Clone, Copy)]
struct Next {
    location: Option<u32>,
    component: u32,
    second: bool,
    interpolation: Interpolation,
}

impl<'a> Lowerer<'a> {
    /// Execution modes.
    pub(super) fn modes(&mut self, entry: &Entry) -> Result<()> {
        use ExecutionMode as M;
        let inst = &self.module.words.insts[entry.inst];
        for (mode, operands) in &entry.modes {
            let of_words = operands.first() == Some(&32);
            match M::from_u32(*mode) {
                Some(M::EarlyFragmentTests) => self.b.function().interface.early_depth = true,
                Some(M::SignedZeroInfNanPreserve) => self.keeps_nan |= of_words,
                Some(M::DenormPreserve | M::DenormFlushToZero | M::RoundingModeRTZ)
                    if !of_words => {}
                Some(
                    M::OriginUpperLeft
                    | M::DepthReplacing
                    | M::DepthGreater
                    | M::DepthLess
                    | M::DepthUnchanged
                    | M::RoundingModeRTE
                    | M::Xfb,
                ) => {}
                Some(M::LocalSize) => self.local_size(inst, operands, false)?,
                Some(M::LocalSizeId) => self.local_size(inst, operands, true)?,
                Some(mode) if is_geometry_mode(mode) && self.is_geometry() => {}
                Some(mode) => {
                    return self
                        .module
                        .lacks(inst, format!("the execution mode {mode:?}"));
                }
                None => return self.module.lacks(inst, format!("execution mode {mode}")),
            }
        }
        if self.is_geometry() {
            self.geometry_modes(entry)?;
        }
        self.workgroup_size_constant()
    }

    /// Makes the inputs, outputs and private variables that are used; their resources are in `resources`.
    pub(super) fn variables(&mut self, entry: &Entry) -> Result<()> {
        let module = self.module;
        let (mut inputs, mut vertices) = (Vec::new(), Vec::new());
        let mut outputs = Vec::new();
        let mut resources = Vec::new();
        let mut types = Vec::new();
        let mut zeroed = false;
        for &id in &module.variables {
            let (Some(inst), Some((class, pointee))) = (module.definition(id), module.variable(id))
            else {
                continue;
            };
            if !self.uses.variables.contains(&id) {
                continue;
            }
            match class {
                StorageClass::Input => match self.vertex_type(inst, pointee)? {
                    Some(of) => {
                        types.push(of);
                        vertices.push((inst, self.pieces(inst, of, true)?));
                    }
                    None => inputs.push((inst, self.pieces(inst, pointee, false)?)),
                },
                StorageClass::Output => outputs.push((inst, self.pieces(inst, pointee, false)?)),
                StorageClass::Private => self.private_variable(inst, pointee)?,
                StorageClass::UniformConstant
                | StorageClass::Uniform
                | StorageClass::StorageBuffer => resources.push((inst, class, pointee)),
                StorageClass::Workgroup => zeroed |= self.workgroup_variable(inst, pointee)?,
                StorageClass::PushConstant => self.push_constants(inst, pointee)?,
                class => {
                    let feature = format!("a variable of the storage class {class:?}");
                    return module.lacks(inst, feature);
                }
            }
        }
        if zeroed {
            self.clear_shared();
        }
        self.resources(resources)?;
        let between = match self.b.function().stage {
            Stage::Fragment => &mut inputs,
            _ => &mut vertices,
        };
        for (_, pieces) in between {
            *pieces = pieces.iter().flat_map(varying_builtins).collect();
        }
        let corners = match self.b.function().stage {
            Stage::Fragment => {
                for (inst, pieces) in &mut vertices {
                    *pieces = self.in_halves(inst, pieces)?;
                }
                self.varyings(&vertices)?
            }
            _ => Vec::new(),
        };
        let varyings = match self.is_geometry() {
            true => self.varyings(&vertices)?,
            false => self.varyings(&inputs)?,
        };
        let mut varyings = self.with_other_places(&inputs, varyings);
        let words = match self.is_geometry() {
            true => Vec::new(),
            false => self.read_inputs(&varyings),
        };
        varyings.extend(corners);
        self.b.function().interface.inputs = varyings.clone();
        for (inst, pieces) in inputs {
            self.input(inst, &pieces, &varyings, &words)?;
        }
        for ((inst, pieces), of) in vertices.into_iter().zip(types) {
            self.vertices(inst, of, &pieces, &varyings)?;
        }
        if self.is_geometry() {
            for piece in outputs.iter_mut().flat_map(|(_, pieces)| pieces) {
                primitive_index(piece);
            }
        }
        self.b.function().interface.outputs = self.varyings(&outputs)?;
        self.b.function().interface.stream = self.streams(entry, &outputs)?;
        let clip = |piece: &&Piece| matches!(piece.at, Place::BuiltIn(BuiltIn::ClipDistance));
        let pieces = outputs.iter().flat_map(|(_, pieces)| pieces);
        self.clip_distances = pieces.filter(clip).map(|piece| piece.words).sum();
        for (inst, pieces) in outputs {
            let place = self.output_variable(inst)?;
            self.outlets.push(Outlet {
                inst: *inst,
                place,
                pieces,
            });
        }
        match self.is_geometry() {
            true => self.note_emitted(entry),
            false => Ok(()),
        }
    }

    fn private_variable(&mut self, inst: &Inst, pointee: u32) -> Result<()> {
        let ty = self.ty(Some(inst), pointee)?;
        let initial = match self.module.words.operands(inst) {
            [_, initial, ..] => Some(self.words(inst, *initial)?),
            _ => None,
        };
        let place = self.private(inst, ty, initial)?;
        self.globals.insert(inst.id, Val::Pointer(place));
        Ok(())
    }

    fn output_variable(&mut self, inst: &Inst) -> Result<Pointer> {
        let pointee = self
            .module
            .pointer(inst.ty)
            .map_or(0, |(_, pointee)| pointee);
        self.private_variable(inst, pointee)?;
        self.pointer(inst, inst.id)
    }

    /// The parts of an input or output variable, or of each vertex of one.
    fn pieces(&mut self, inst: &Inst, pointee: u32, of_vertex: bool) -> Result<Vec<Piece>> {
        let module = self.module;
        let id = inst.id;
        let ty = self.ty(Some(inst), pointee)?;
        let words = self.check_words(&ty)? as usize;
        let mut pieces = Vec::new();
        if let Some(builtin) = module.decorated(id, Decoration::BuiltIn) {
            let at = self.builtin(inst, builtin)?;
            let first = 0;
            return Ok(vec![Piece { first, words, at }]);
        }
        let find = |what| {
            module
                .decoration(id, what)
                .map(|words| words.first().copied())
        };
        let next = self.qualify(
            inst,
            Next {
                location: None,
                component: 0,
                second: false,
                interpolation: Interpolation::Perspective,
            },
            find,
        )?;
        let Some(Type::Struct(members)) = module.types.get(&pointee) else {
            self.locate(inst, pointee, &mut { next }, &mut 0, &mut pieces)?;
            return Ok(pieces);
        };
        let (mut at, mut first) = (next, 0);
        for (number, &member) in members.iter().enumerate() {
            let number = number as u32;
            let words = self.ty(Some(inst), member)?.words() as usize;
            let builtin = module.member_decoration(pointee, number, Decoration::BuiltIn);
            if let Some(&builtin) = builtin.and_then(|words| words.first()) {
                let used = self.uses.member(id, number, of_vertex);
                pieces.push(Piece {
                    first,
                    words,
                    at: match used {
                        true => self.builtin(inst, builtin)?,
                        false => Place::Nowhere,
                    },
                });
                first += words;
                continue;
            }
            let find = |what| {
                let words = module.member_decoration(pointee, number, what);
                words.map(|words| words.first().copied())
            };
            let outer = at;
            at = self.qualify(inst, at, find)?;
            self.locate(inst, member, &mut at, &mut first, &mut pieces)?;
            (at.component, at.interpolation) = (outer.component, outer.interpolation);
        }
        Ok(pieces)
    }

    fn builtin(&self, inst: &Inst, builtin: u32) -> Result<Place> {
        match BuiltIn::from_u32(builtin) {
            Some(builtin) => Ok(Place::BuiltIn(builtin)),
            None => self.module.lacks(inst, format!("built-in {builtin}")),
        }
    }

    /// What decorations of a variable or member say of its place.
    fn qualify(
        &self,
        inst: &Inst,
        mut next: Next,
        find: impl Fn(Decoration) -> Option<Option<u32>>,
    ) -> Result<Next> {
        use Interpolation as I;
        if let Some(location) = find(Decoration::Location).flatten() {
            next.location = Some(location);
        }
        if let Some(component) = find(Decoration::Component).flatten() {
            next.component = component;
        }
        next.second |= find(Decoration::Index).flatten() == Some(1);
        if let Some(stream @ 1..) = find(Decoration::Stream).flatten() {
            return self
                .module
                .lacks(inst, format!("vertices of stream {stream}"));
        }
        for what in [Decoration::Patch, Decoration::PerPrimitiveEXT] {
            if find(what).is_some() {
                return self.module.lacks(inst, format!("the decoration {what:?}"));
            }
        }
        let has = |what| find(what).is_some();
        if has(Decoration::Flat) {
            next.interpolation = I::Flat;
        }
        if has(Decoration::NoPerspective) {
            next.interpolation = I::Linear;
        }
        let linear = next.interpolation == I::Linear;
        if has(Decoration::Sample) {
            next.interpolation = if linear {
                I::LinearSample
            } else {
                I::PerspectiveSample
            };
        } else if has(Decoration::Centroid) {
            next.interpolation = if linear {
                I::LinearCentroid
            } else {
                I::PerspectiveCentroid
            };
        }
        Ok(next)
    }

    /// Gives locations to the vectors of a type.
    fn locate(
        &mut self,
        inst: &Inst,
        ty: u32,
        next: &mut Next,
        first: &mut usize,
        pieces: &mut Vec<Piece>,
    ) -> Result<()> {
        let module = self.module;
        match module.types.get(&ty) {
            Some(Type::Matrix(column, columns)) => {
                for _ in 0..*columns {
                    self.locate(inst, *column, next, first, pieces)?;
                }
                Ok(())
            }
            Some(Type::Array(of, length)) => {
                for _ in 0..self.length(inst, *length)? {
                    self.locate(inst, *of, next, first, pieces)?;
                }
                Ok(())
            }
            Some(Type::Struct(members)) => {
                for (number, &member) in members.iter().enumerate() {
                    let find = |what| {
                        let words = module.member_decoration(ty, number as u32, what);
                        words.map(|words| words.first().copied())
                    };
                    let mut at = self.qualify(inst, *next, find)?;
                    self.locate(inst, member, &mut at, first, pieces)?;
                    next.location = at.location;
                }
                Ok(())
            }
            found => {
                let (size, kind) = match found {
                    Some(Type::Vector(of, size)) => (*size, self.kind(*of)),
                    Some(Type::Int(..) | Type::Float(_)) => (1, self.kind(ty)),
                    _ => return self.error(inst, "it has a part that cannot have a location"),
                };
                let each = module.number(ty).map_or(1, Number::words) as u32;
                let scalar = match kind {
                    _ if each > 1 => Scalar::Uint,
                    Kind::F32 => Scalar::Float,
                    Kind::I32 => Scalar::Sint,
                    Kind::U32 => Scalar::Uint,
                    Kind::Bool => return self.error(inst, "a bool has no location"),
                };
                // Three and four numbers of 64 bits take two locations.
                let words = (size * each).min(4);
                let rest = size * each - words;
                let Some(location) = next.location else {
                    return self.error(inst, "it has neither a Location nor a BuiltIn");
                };
                if next.component.saturating_add(words) > 4 {
                    let message = format!("{words} words from component {}", next.component);
                    return self.error(inst, message);
                }
                let parts = [(words, next.component), (rest, 0)];
                let parts = parts.into_iter().filter(|(words, _)| *words > 0);
                for ((words, component), location) in parts.zip(location..=u32::MAX) {
                    if location >= BUILTIN_LOCATIONS {
                        return self.error(inst, format!("there is no location {location}"));
                    }
                    pieces.push(Piece {
                        first: *first,
                        words: words as usize,
                        at: Place::Location(Location {
                            location,
                            component,
                            second: next.second,
                            scalar,
                            interpolation: match scalar {
                                Scalar::Float => next.interpolation,
                                _ => Interpolation::Flat,
                            },
                        }),
                    });
                    *first += words as usize;
                    next.location = Some(location.saturating_add(1));
                }
                Ok(())
            }
        }
    }

    /// The varyings of some variables: those at one location are one.
    fn varyings(&self, variables: &[(&Inst, Vec<Piece>)]) -> Result<Vec<Varying>> {
        let mut varyings: Vec<Varying> = Vec::new();
        for (inst, pieces) in variables {
            for piece in pieces {
                let Place::Location(at) = piece.at else {
                    continue;
                };
                let end = at.component + piece.words as u32;
                let same = |v: &&mut Varying| (v.location, v.second) == (at.location, at.second);
                match varyings.iter_mut().find(same) {
                    Some(found) => {
                        if (found.scalar, found.interpolation) != (at.scalar, at.interpolation) {
                            let location = at.location;
                            let feature = format!("location {location} with parts of two kinds");
                            return self.module.lacks(inst, feature);
                        }
                        found.components = found.components.max(end);
                    }
                    None => varyings.push(Varying {
                        location: at.location,
                        second: at.second,
                        components: end,
                        scalar: at.scalar,
                        interpolation: at.interpolation,
                        origin: inst.origin,
                    }),
                }
            }
        }
        varyings.sort_by_key(|varying| (varying.location, varying.second));
        Ok(varyings)
    }

    /// The same with what inputs are asked for besides their own place, each behind its own.
    fn with_other_places(
        &self,
        inputs: &[(&Inst, Vec<Piece>)],
        mut varyings: Vec<Varying>,
    ) -> Vec<Varying> {
        for (inst, pieces) in inputs {
            let Some(beside) = self.uses.beside.get(&inst.id) else {
                continue;
            };
            for piece in pieces {
                let Place::Location(at) = piece.at else {
                    continue;
                };
                let same = |v: &Varying| (v.location, v.second) == (at.location, at.second);
                let own = varyings.iter().position(same).unwrap_or(0);
                for how in beside.places(at.interpolation) {
                    let known = varyings.iter().any(|v| same(v) && v.interpolation == how);
                    if !known {
                        let interpolation = how;
                        let other = Varying {
                            interpolation,
                            ..varyings[own].clone()
                        };
                        varyings.insert(own + 1, other);
                    }
                }
            }
        }
        varyings
    }

    /// The same parts in halves, as locations of their own.
    fn in_halves(&self, inst: &Inst, pieces: &[Piece]) -> Result<Vec<Piece>> {
        let mut halves = Vec::with_capacity(2 * pieces.len());
        for piece in pieces {
            let Place::Location(at) = piece.at else {
                return self.error(inst, "a vertex of a fragment shader has no built-ins");
            };
            if at.location >= VERTEX_LOCATIONS {
                return self.error(inst, format!("there is no location {}", at.location));
            }
            for half in 0..2 {
                halves.push(Piece {
                    at: Place::Location(Location {
                        location: HALVES + 2 * at.location + half,
                        second: false,
                        scalar: Scalar::Float,
                        interpolation: Interpolation::Perspective,
                        ..at
                    }),
                    ..*piece
                });
            }
        }
        Ok(halves)
    }

    fn read_inputs(&mut self, varyings: &[Varying]) -> Vec<Vec<Value>> {
        let mut words = Vec::with_capacity(varyings.len());
        for (input, varying) in varyings.iter().enumerate() {
            let op = Op::Input {
                input: input as u32,
                first: 0,
            };
            let types = vec![WordType::Word; varying.components as usize];
            words.push(self.b.inst(op, Vec::new(), &types));
        }
        words
    }

    fn input(
        &mut self,
        inst: &Inst,
        pieces: &[Piece],
        varyings: &[Varying],
        words: &[Vec<Value>],
    ) -> Result<()> {
        let pointee = self
            .module
            .pointer(inst.ty)
            .map_or(0, |(_, pointee)| pointee);
        let ty = self.ty(Some(inst), pointee)?;
        let mut leaves = self.zeros(&ty)?;
        for piece in pieces {
            let found: Vec<Value> = match piece.at {
                Place::Nowhere => continue,
                Place::BuiltIn(builtin) => self.input_builtin(inst, builtin, piece.words)?,
                Place::Location(at) => {
                    let same = |v: &Varying| (v.location, v.second) == (at.location, at.second);
                    let from = varyings.iter().position(same).unwrap_or(0);
                    let first = at.component as usize;
                    words[from][first..first + piece.words].to_vec()
                }
            };
            if found.len() != piece.words {
                return self.error(inst, format!("its built-in has {} words", found.len()));
            }
            leaves[piece.first..piece.first + piece.words].copy_from_slice(&found);
        }
        self.shadows(inst, pieces, varyings, words, &leaves)?;
        let place = self.private(inst, ty, Some(Rc::from(leaves)))?;
        self.globals.insert(inst.id, Val::Pointer(place));
        Ok(())
    }

    /// Writes the outputs at the end of the entry point.
    pub(super) fn outputs(&mut self) -> Result<()> {
        let words = self.written(Self::output_builtin)?;
        for (output, words) in words.into_iter().enumerate() {
            let op = Op::Output {
                output: output as u32,
                first: 0,
            };
            self.b.effect(op, words);
        }
        Ok(())
    }

    /// What the output variables hold: hands out built-ins, and gives the words of users' outputs.
    pub(super) fn written(
        &mut self,
        mut builtin: impl FnMut(&mut Self, &Inst, BuiltIn, &[Value]) -> Result<()>,
    ) -> Result<Vec<Vec<Value>>> {
        let varyings = self.b.function().interface.outputs.clone();
        let zero = self.b.word(0);
        let all = varyings.iter().map(|v| vec![zero; v.components as usize]);
        let mut words: Vec<Vec<Value>> = all.collect();
        let outlets = std::mem::take(&mut self.outlets);
        for outlet in &outlets {
            let leaves = self.load(&outlet.place)?;
            for piece in &outlet.pieces {
                let leaves = &leaves[piece.first..piece.first + piece.words];
                match piece.at {
                    Place::Nowhere => {}
                    Place::BuiltIn(of) => builtin(self, &outlet.inst, of, leaves)?,
                    Place::Location(at) => {
                        let same = |v: &Varying| (v.location, v.second) == (at.location, at.second);
                        let to = varyings.iter().position(same).unwrap_or(0);
                        let first = at.component as usize;
                        words[to][first..first + leaves.len()].copy_from_slice(leaves);
                    }
                }
            }
        }
        self.outlets = outlets;
        Ok(words)
    }
}

/// The number of the primitive that a geometry shader says goes as a user's output.
fn primitive_index(piece: &mut Piece) {
    if let Place::BuiltIn(BuiltIn::PrimitiveId) = piece.at {
        piece.at = Place::Location(Location {
            location: PRIMITIVE_INDEX,
            component: 0,
            second: false,
            scalar: Scalar::Uint,
            interpolation: Interpolation::Flat,
        });
    }
}

/// A part of an input of a fragment shader, or of a vertex of a geometry shader; what vertices say and is interpolated as users' outputs are has locations of its own,
/// for distances one for four.
fn varying_builtins(piece: &Piece) -> Vec<Piece> {
    use Interpolation::{Flat, Perspective};
    let (base, scalar, interpolation) = match piece.at {
        Place::BuiltIn(BuiltIn::ClipDistance) => (CLIP_DISTANCES, Scalar::Float, Perspective),
        Place::BuiltIn(BuiltIn::CullDistance) => (CULL_DISTANCES, Scalar::Float, Perspective),
        Place::BuiltIn(BuiltIn::PointSize) if piece.words == 1 => {
            (POINT_SIZE, Scalar::Float, Perspective)
        }
        Place::BuiltIn(BuiltIn::ViewportIndex) if piece.words == 1 => {
            (VIEWPORT_INDEX, Scalar::Uint, Flat)
        }
        _ => return vec![*piece],
    };
    let starts = (0..piece.words.min(8)).step_by(4);
    starts
        .map(|start| Piece {
            first: piece.first + start,
            words: (piece.words - start).min(4),
            at: Place::Location(Location {
                location: base + start as u32 / 4,
                component: 0,
                second: false,
                scalar,
                interpolation,
            }),
        })
        .collect()
}
