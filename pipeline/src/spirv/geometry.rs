//! Geometry stages: the vertices of a primitive as arrays, and what is emitted; arrays of vertices that fragment shaders take.
//! [SPIRV Geometry, VULKAN Geometry Shading, VULKAN Fragment Shader Barycentric]
//!
//! What a vertex has beside its position and users' outputs (size of points, distances) comes at locations beyond those of
//! users, as in fragment shaders. Outputs are variables; an emitted vertex has what they hold.

use std::rc::Rc;

use spirv::{BuiltIn, Decoration, ExecutionMode, Op};

use super::lower::{Lowerer, Val};
use super::module::{Entry, Result};
use super::places::{Piece, Place};
use super::types::Type;
use super::words::Inst;
use crate::ir::{
    self, Geometry, HALVES, OutputBuiltin, PRIMITIVE_INDEX, Primitives, Stage, Value, Varying,
};
use crate::lower::geometry::{Strip, check_emitted, too_many};
use crate::state::GeometryOutput;

/// Vertices that a fragment's primitive has at most.
const CORNERS: u32 = 3;

/// Vertices of the primitives that an execution mode names.
fn vertices_of(mode: ExecutionMode) -> Option<u32> {
    use ExecutionMode as M;
    Some(match mode {
        M::InputPoints => 1,
        M::InputLines => 2,
        M::Triangles => 3,
        M::InputLinesAdjacency => 4,
        M::InputTrianglesAdjacency => 6,
        _ => return None,
    })
}

fn output_of(mode: ExecutionMode) -> Option<GeometryOutput> {
    use ExecutionMode as M;
    Some(match mode {
        M::OutputPoints => GeometryOutput::Points,
        M::OutputLineStrip => GeometryOutput::LineStrip,
        M::OutputTriangleStrip => GeometryOutput::TriangleStrip,
        _ => return None,
    })
}

/// Whether an execution mode says something of a geometry stage.
pub(super) fn is_geometry_mode(mode: ExecutionMode) -> bool {
    use ExecutionMode::{Invocations, OutputVertices};
    vertices_of(mode).is_some()
        || output_of(mode).is_some()
        || matches!(mode, Invocations | OutputVertices)
}

impl<'a> Lowerer<'a> {
    pub(super) fn is_geometry(&mut self) -> bool {
        self.b.function().stage == Stage::Geometry
    }

    /// Reads what execution modes say of a geometry stage.
    pub(super) fn geometry_modes(&mut self, entry: &Entry) -> Result<()> {
        let inst = &self.module.words.insts[entry.inst];
        let (mut vertices, mut output) = (Vec::new(), Vec::new());
        let (mut most, mut invocations) = (None, 1);
        for (mode, operands) in &entry.modes {
            let Some(mode) = ExecutionMode::from_u32(*mode) else {
                continue;
            };
            vertices.extend(vertices_of(mode));
            output.extend(output_of(mode));
            match (mode, operands.first()) {
                (ExecutionMode::OutputVertices, Some(count)) => most = Some(*count),
                (ExecutionMode::Invocations, Some(count)) => invocations = *count,
                _ => {}
            }
        }
        let (&[vertices], &[output], Some(max_vertices)) = (&vertices[..], &output[..], most)
        else {
            let message = "its geometry shader needs one kind of primitives to take, one to emit, \
                           and OutputVertices";
            return self.error(inst, message);
        };
        if let Some(message) = too_many(max_vertices) {
            return self.error(inst, message);
        }
        self.b.set_origin(inst.origin);
        let declared = Some(Primitives {
            output,
            invocations,
        });
        self.b.function().interface.geometry = Some(Geometry {
            vertices,
            max_vertices,
            declared,
            builtins: Vec::new(),
        });
        self.strip = Some(Strip::new(&mut self.writer, max_vertices));
        Ok(())
    }

    /// The type of a vertex, where an input of the stage has one for each of the primitive.
    pub(super) fn vertex_type(&mut self, inst: &Inst, pointee: u32) -> Result<Option<u32>> {
        let corners = self.module.decoration(inst.id, Decoration::PerVertexKHR);
        let function = self.b.function();
        let vertices = match (&function.interface.geometry, corners) {
            (Some(geometry), _) => geometry.vertices,
            (None, Some(_)) if function.stage == Stage::Fragment => CORNERS,
            _ => return Ok(None),
        };
        let builtin = self.module.decorated(inst.id, Decoration::BuiltIn);
        match self.module.types.get(&pointee) {
            Some(&Type::Array(of, length)) => match self.length(inst, length)? {
                length if length == vertices => Ok(Some(of)),
                length => {
                    let message = format!("it is of {length} vertices, primitives have {vertices}");
                    self.error(inst, message)
                }
            },
            _ if builtin.is_some() => Ok(None),
            _ => self.error(inst, "it is no array of vertices"),
        }
    }

    /// Makes the variable of an input that has these parts for each vertex.
    pub(super) fn vertices(
        &mut self,
        inst: &Inst,
        of: u32,
        pieces: &[Piece],
        varyings: &[Varying],
    ) -> Result<()> {
        let interface = &self.b.function().interface;
        let vertices = interface.geometry.as_ref().map_or(CORNERS, |g| g.vertices);
        let vertex_type = self.ty(Some(inst), of)?;
        let mut leaves = Vec::new();
        for vertex in 0..vertices {
            let mut words = self.zeros(&vertex_type)?;
            for piece in pieces {
                let (op, count) = match piece.at {
                    Place::Nowhere => continue,
                    Place::Location(at) if (HALVES..PRIMITIVE_INDEX).contains(&at.location) => {
                        if at.location % 2 != HALVES % 2 {
                            continue;
                        }
                        let place = |location| varyings.iter().position(|v| v.location == location);
                        let halves = [at.location, at.location + 1]
                            .map(|location| place(location).unwrap_or(0) as u32);
                        let part = (at.component, piece.words);
                        let found = self.corner_words(vertex, halves, part);
                        words[piece.first..piece.first + piece.words].copy_from_slice(&found);
                        continue;
                    }
                    Place::Location(at) => {
                        let found = varyings.iter().position(|v| v.location == at.location);
                        let op = ir::Op::VertexInput {
                            vertex,
                            input: found.unwrap_or(0) as u32,
                            first: at.component,
                        };
                        (op, piece.words)
                    }
                    Place::BuiltIn(BuiltIn::Position) => (ir::Op::VertexPosition(vertex), 4),
                    Place::BuiltIn(other) => {
                        let feature = format!("the built-in {other:?} of a vertex");
                        return self.module.lacks(inst, feature);
                    }
                };
                let found = self.b.inst(op, Vec::new(), &vec![ir::Type::Word; count]);
                if count != piece.words {
                    return self.error(inst, format!("its built-in has {count} words"));
                }
                words[piece.first..piece.first + count].copy_from_slice(&found);
            }
            leaves.extend(words);
        }
        let pointee = self.module.pointer(inst.ty).map_or(0, |(_, of)| of);
        let ty = self.ty(Some(inst), pointee)?;
        let leaves: Rc<[Value]> = leaves.into();
        self.check_leaves(inst, &ty, &leaves)?;
        self.spend(inst, leaves.len())?;
        let name = self.module.name(inst.id);
        // A vertex is chosen from few, by numbers that are known once loops are unrolled.
        let place = self.variable(Some(&name), ty, false, Some(leaves))?;
        self.globals.insert(inst.id, Val::Pointer(place));
        Ok(())
    }

    /// Notes what emitted vertices have.
    pub(super) fn note_emitted(&mut self, entry: &Entry) -> Result<()> {
        let inst = &self.module.words.insts[entry.inst];
        let mut builtins = Vec::new();
        let mut culls = 0;
        for outlet in &self.outlets {
            for piece in &outlet.pieces {
                let Place::BuiltIn(builtin) = piece.at else {
                    continue;
                };
                let distances = |first: usize| {
                    let all = first..first + piece.words;
                    all.map(|at| OutputBuiltin::ClipDistance(at as u8))
                };
                let before = builtins.len();
                match builtin {
                    BuiltIn::Position => builtins.push(OutputBuiltin::Position),
                    BuiltIn::PointSize => builtins.push(OutputBuiltin::PointSize),
                    BuiltIn::Layer => builtins.push(OutputBuiltin::Layer),
                    BuiltIn::ViewportIndex => builtins.push(OutputBuiltin::Viewport),
                    BuiltIn::ClipDistance => builtins.extend(distances(0)),
                    BuiltIn::CullDistance => builtins.extend(distances(self.clip_distances)),
                    other => {
                        let feature = format!("the built-in output {other:?}");
                        return self.module.lacks(&outlet.inst, feature);
                    }
                }
                let added = &builtins[before..];
                let words: usize = added.iter().map(|builtin| builtin.words()).sum();
                if words != piece.words {
                    return self.error(&outlet.inst, format!("its built-in has {words} words"));
                }
                if builtin == BuiltIn::CullDistance {
                    for added in added {
                        if let OutputBuiltin::ClipDistance(at @ 0..8) = added {
                            culls |= 1 << at;
                        }
                    }
                }
            }
        }
        let distance = |builtin: &OutputBuiltin| match builtin {
            OutputBuiltin::ClipDistance(at) => usize::from(*at) + 1,
            _ => 0,
        };
        let distances = builtins.iter().map(distance).max().unwrap_or(0);
        if distances > 8 {
            return self.error(inst, format!("there are {distances} distances"));
        }
        let unique = |at: usize| !builtins[..at].contains(&builtins[at]);
        if !(0..builtins.len()).all(unique) {
            return self.error(inst, "two of its outputs are one built-in");
        }
        let interface = &mut self.b.function().interface;
        interface.cull_distances = culls;
        let mut max_vertices = 0;
        if let Some(geometry) = &mut interface.geometry {
            geometry.builtins = builtins;
            max_vertices = geometry.max_vertices;
        }
        let words = interface.emitted_words();
        check_emitted(max_vertices, words, self.module.text.locate(inst.origin))
    }

    /// An instruction that emits a vertex or ends a primitive.
    pub(super) fn emission(&mut self, inst: &Inst) -> Result<()> {
        let Some(strip) = self.strip else {
            return self.error(inst, "only geometry shaders emit vertices");
        };
        if matches!(inst.op, Op::EmitStreamVertex | Op::EndStreamPrimitive) {
            let [stream] = self.operands(inst)?;
            let stream = self.word(inst, stream)?;
            match self.b.known_word(stream) {
                Some(0) => {}
                Some(stream) => {
                    let feature = format!("vertices of stream {stream}");
                    return self.module.lacks(inst, feature);
                }
                None => return self.error(inst, "its stream is no constant"),
            }
        }
        if matches!(inst.op, Op::EndPrimitive | Op::EndStreamPrimitive) {
            self.b.effect(ir::Op::EndPrimitive, Vec::new());
            return Ok(());
        }
        let mut words = Vec::new();
        let outputs = self.written(|this, of, _, leaves| {
            if !this.are_words(leaves) {
                return this.error(of, "it has a bool");
            }
            words.extend(leaves);
            Ok(())
        })?;
        words.extend(outputs.into_iter().flatten());
        self.spend(inst, words.len())?;
        let at = self.module.text.locate(inst.origin);
        strip.emit(self, words, at)
    }
}
