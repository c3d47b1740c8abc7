//! Varyings: what variables at one location are, and the inputs that are read from them.
//! [VULKAN Shader Interfaces]

use std::rc::Rc;

use spirv::BuiltIn;

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::places::{Location, Piece, Place};
use super::words::Inst;
use crate::ir::{
    CLIP_DISTANCES, CULL_DISTANCES, HALVES, Interpolation, Op, POINT_SIZE, PRIMITIVE_INDEX, Scalar,
    Type as WordType, VERTEX_LOCATIONS, VIEWPORT_INDEX, Value, Varying,
};

impl<'a> Lowerer<'a> {
    /// The varyings of some variables: those at one location are one.
    pub(super) fn varyings(&self, variables: &[(&Inst, Vec<Piece>)]) -> Result<Vec<Varying>> {
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
    pub(super) fn with_other_places(
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
    pub(super) fn in_halves(&self, inst: &Inst, pieces: &[Piece]) -> Result<Vec<Piece>> {
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

    pub(super) fn read_inputs(&mut self, varyings: &[Varying]) -> Vec<Vec<Value>> {
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

    pub(super) fn input(
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
}

/// The number of the primitive that a geometry shader says goes as a user's output.
pub(super) fn primitive_index(piece: &mut Piece) {
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

/// A part of an input of a fragment shader, or of a vertex of a geometry shader. What vertices say and is interpolated as
/// users' outputs has locations of its own, for distances one for four.
pub(super) fn varying_builtins(piece: &Piece) -> Vec<Piece> {
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
