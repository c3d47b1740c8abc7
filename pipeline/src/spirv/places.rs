//! Where the parts of input and output variables lie: locations and their components, built-ins, interpolation.
//! [SPIRV 3.20 Decoration, VULKAN Shader Interfaces]

use spirv::{BuiltIn, Decoration};

use super::lower::Lowerer;
use super::module::Result;
use super::numbers::Number;
use super::types::Type;
use super::words::Inst;
use crate::ir::{BUILTIN_LOCATIONS, Interpolation, Scalar};
use crate::lower::types::Kind;

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
    pub(super) scalar: Scalar,
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
    /// The parts of an input or output variable, or of each vertex of one.
    pub(super) fn pieces(
        &mut self,
        inst: &Inst,
        pointee: u32,
        of_vertex: bool,
    ) -> Result<Vec<Piece>> {
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
}
