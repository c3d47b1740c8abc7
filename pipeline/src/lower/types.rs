//! Types as the lowering sees them: trees whose leaves are words.
//!
//! A value of any type is the flat list of its leaves: members in order, matrices column by column. The same tree
//! knows where the leaves lie in a buffer.

use std::collections::HashMap;
use std::rc::Rc;

use naga::{Handle, Span, TypeInner, VectorSize};

use super::Result;
use crate::wgsl::NagaModule;

/// What a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    F32,
    I32,
    U32,
    Bool,
}

/// A number of fewer than 32 bits: in a buffer it has its own size, everywhere else it is a word that it is widened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Narrow {
    I8,
    U8,
    I16,
    U16,
    F16,
}

impl Narrow {
    /// Bytes in a buffer.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Narrow::I8 | Narrow::U8 => 1,
            Narrow::I16 | Narrow::U16 | Narrow::F16 => 2,
        }
    }

    /// What its word is.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Narrow::I8 | Narrow::I16 => Kind::I32,
            Narrow::U8 | Narrow::U16 => Kind::U32,
            Narrow::F16 => Kind::F32,
        }
    }
}

/// What a leaf is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    Kind(Kind),
    Narrow(Narrow),
}

/// How a matrix lies in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strides {
    /// Bytes from column to column.
    pub(crate) columns: u32,
    /// Bytes from row to row.
    pub(crate) rows: u32,
}

impl Strides {
    /// Column-major, and columns of three as wide as those of four.
    pub(crate) fn of_columns(rows: u32) -> Strides {
        Strides {
            columns: if rows == 2 { 8 } else { 16 },
            rows: 4,
        }
    }
}

/// A type with a known layout.
#[derive(Debug, PartialEq)]
pub(crate) enum Ty {
    Scalar(Kind),
    Narrow(Narrow),
    Vector(u32, Kind),
    /// Columns, rows; of f32.
    Matrix(u32, u32, Strides),
    /// A column of a row-major matrix: components, and bytes from one to the next.
    Column(u32, u32),
    Array {
        element: Rc<Ty>,
        /// None when it is as long as the buffer allows.
        count: Option<u32>,
        /// Bytes from element to element.
        stride: u32,
    },
    /// Members with their byte offsets.
    Struct(Vec<(Rc<Ty>, u32)>),
    /// An array of resources.
    Bindings(Rc<Ty>, Option<u32>),
    /// A texture or sampler.
    Opaque,
}

impl Ty {
    /// Number of leaves; of a run-time array, those of its prefix.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Ty::Scalar(_) | Ty::Narrow(_) => 1,
            Ty::Vector(size, _) | Ty::Column(size, _) => u64::from(*size),
            Ty::Matrix(columns, rows, _) => u64::from(columns * rows),
            Ty::Array { element, count, .. } => element
                .words()
                .saturating_mul(u64::from(count.unwrap_or(0))),
            Ty::Struct(members) => members.iter().map(|(ty, _)| ty.words()).sum(),
            Ty::Bindings(..) | Ty::Opaque => 0,
        }
    }

    /// Kind of the leaves of a scalar, vector or matrix.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Ty::Scalar(kind) | Ty::Vector(_, kind) => *kind,
            Ty::Narrow(narrow) => narrow.kind(),
            _ => Kind::F32,
        }
    }

    /// Calls `leaf` with the kind and byte offset of every leaf, in order.
    pub(crate) fn leaves(&self, offset: u32, leaf: &mut impl FnMut(Kind, u32)) {
        self.walk(offset, &mut |found, at| match found {
            Leaf::Kind(kind) => leaf(kind, at),
            Leaf::Narrow(narrow) => leaf(narrow.kind(), at),
        });
    }

    /// Calls `leaf` with every leaf and its byte offset, in order.
    pub(crate) fn walk(&self, offset: u32, leaf: &mut impl FnMut(Leaf, u32)) {
        const F32: Leaf = Leaf::Kind(Kind::F32);
        match self {
            Ty::Scalar(kind) => leaf(Leaf::Kind(*kind), offset),
            Ty::Narrow(narrow) => leaf(Leaf::Narrow(*narrow), offset),
            Ty::Vector(size, kind) => {
                (0..*size).for_each(|i| leaf(Leaf::Kind(*kind), offset + 4 * i));
            }
            Ty::Column(size, step) => (0..*size).for_each(|i| leaf(F32, offset + step * i)),
            Ty::Matrix(columns, rows, strides) => {
                for column in 0..*columns {
                    let start = offset + column * strides.columns;
                    (0..*rows).for_each(|row| leaf(F32, start + row * strides.rows));
                }
            }
            Ty::Array {
                element,
                count,
                stride,
            } => {
                for i in 0..count.unwrap_or(0) {
                    element.walk(offset + i * stride, leaf);
                }
            }
            Ty::Struct(members) => {
                for (ty, at) in members {
                    ty.walk(offset + at, leaf);
                }
            }
            Ty::Bindings(..) | Ty::Opaque => {}
        }
    }

    /// Type and place of one part: leaves before it, bytes before it. None for what has no parts.
    pub(crate) fn part(&self, index: u32) -> Option<Part> {
        Some(match self {
            Ty::Vector(_, kind) => Part {
                ty: Rc::new(Ty::Scalar(*kind)),
                words: index,
                bytes: index.wrapping_mul(4),
            },
            Ty::Column(_, step) => Part {
                ty: Rc::new(Ty::Scalar(Kind::F32)),
                words: index,
                bytes: step.wrapping_mul(index),
            },
            Ty::Matrix(_, rows, strides) => Part {
                ty: Rc::new(match strides.rows {
                    4 => Ty::Vector(*rows, Kind::F32),
                    step => Ty::Column(*rows, step),
                }),
                words: rows.wrapping_mul(index),
                bytes: strides.columns.wrapping_mul(index),
            },
            Ty::Array {
                element, stride, ..
            } => Part {
                ty: element.clone(),
                words: (element.words() as u32).wrapping_mul(index),
                bytes: stride.wrapping_mul(index),
            },
            Ty::Struct(members) => {
                let at = index as usize;
                let before = members.get(..at)?;
                Part {
                    ty: members.get(at)?.0.clone(),
                    words: before.iter().map(|(ty, _)| ty.words()).sum::<u64>() as u32,
                    bytes: members[at].1,
                }
            }
            _ => return None,
        })
    }

    /// Number of parts that an index can choose from; none for a run-time array.
    pub(crate) fn parts(&self) -> Option<u32> {
        match self {
            Ty::Vector(size, _) | Ty::Column(size, _) => Some(*size),
            Ty::Matrix(columns, ..) => Some(*columns),
            Ty::Array { count, .. } => *count,
            _ => Some(0),
        }
    }
}

/// A part of a type.
pub(crate) struct Part {
    pub(crate) ty: Rc<Ty>,
    pub(crate) words: u32,
    pub(crate) bytes: u32,
}

/// Bytes of a float of 16 bits.
const HALF: u32 = 2;

/// Converts naga's types, each once.
pub(crate) struct Types<'a> {
    checked: &'a NagaModule,
    known: HashMap<Handle<naga::Type>, Rc<Ty>>,
    /// Overrides that are lengths of arrays.
    lengths: HashMap<Handle<naga::Override>, Result<u32>>,
}

impl<'a> Types<'a> {
    pub(crate) fn new(checked: &'a NagaModule) -> Types<'a> {
        Types {
            checked,
            known: HashMap::new(),
            lengths: HashMap::new(),
        }
    }

    /// Says what an override is that is the length of an array.
    pub(crate) fn set_length(&mut self, length: Handle<naga::Override>, value: Result<u32>) {
        self.lengths.insert(length, value);
    }

    /// The type of a handle; of a pointer, what it points to.
    pub(crate) fn handle(&mut self, handle: Handle<naga::Type>, span: Span) -> Result<Rc<Ty>> {
        if let Some(ty) = self.known.get(&handle) {
            return Ok(ty.clone());
        }
        let module = &self.checked.module;
        let own = module.types.get_span(handle);
        let span = if own.is_defined() { own } else { span };
        let ty = self.inner(&module.types[handle].inner, span)?;
        self.known.insert(handle, ty.clone());
        Ok(ty)
    }

    /// The type of an inner; of a pointer, what it points to.
    pub(crate) fn inner(&mut self, inner: &TypeInner, span: Span) -> Result<Rc<Ty>> {
        Ok(Rc::new(match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => self.scalar(scalar, span)?,
            TypeInner::Vector { size, scalar } => self.vector(count(size), scalar, span)?,
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => match self.vector(count(rows), scalar, span)? {
                Ty::Vector(rows, _) => Ty::Matrix(count(columns), rows, Strides::of_columns(rows)),
                // Columns of three are as wide as those of four.
                column => Ty::Array {
                    element: Rc::new(column),
                    count: Some(count(columns)),
                    stride: HALF * count(rows).next_power_of_two(),
                },
            },
            TypeInner::Pointer { base, .. } => return self.handle(base, span),
            TypeInner::ValuePointer { size, scalar, .. } => match size {
                Some(size) => self.vector(count(size), scalar, span)?,
                None => self.scalar(scalar, span)?,
            },
            TypeInner::Array { base, size, stride } => Ty::Array {
                element: self.handle(base, span)?,
                count: self.array_size(size, span)?,
                stride,
            },
            TypeInner::Struct { ref members, .. } => {
                let mut parts = Vec::with_capacity(members.len());
                for member in members {
                    parts.push((self.handle(member.ty, span)?, member.offset));
                }
                Ty::Struct(parts)
            }
            TypeInner::Image { .. } | TypeInner::Sampler { .. } => Ty::Opaque,
            TypeInner::BindingArray { base, size } => {
                Ty::Bindings(self.handle(base, span)?, self.array_size(size, span)?)
            }
            TypeInner::AccelerationStructure { .. } | TypeInner::RayQuery { .. } => {
                return self.checked.unsupported("a ray tracing type", span);
            }
            TypeInner::CooperativeMatrix { .. } => {
                return self.checked.unsupported("a cooperative matrix", span);
            }
        }))
    }

    fn scalar(&self, scalar: naga::Scalar, span: Span) -> Result<Ty> {
        Ok(match scalar {
            naga::Scalar::F16 => Ty::Narrow(Narrow::F16),
            _ => Ty::Scalar(self.kind(scalar, span)?),
        })
    }

    fn vector(&self, size: u32, scalar: naga::Scalar, span: Span) -> Result<Ty> {
        Ok(match self.scalar(scalar, span)? {
            Ty::Scalar(kind) => Ty::Vector(size, kind),
            narrow => Ty::Array {
                element: Rc::new(narrow),
                count: Some(size),
                stride: HALF,
            },
        })
    }

    fn array_size(&self, size: naga::ArraySize, span: Span) -> Result<Option<u32>> {
        match size {
            naga::ArraySize::Constant(count) => Ok(Some(count.get())),
            naga::ArraySize::Dynamic => Ok(None),
            naga::ArraySize::Pending(length) => match self.lengths.get(&length) {
                Some(length) => length.clone().map(Some),
                None => self
                    .checked
                    .unsupported("an array whose length is an override here", span),
            },
        }
    }

    /// What a scalar of 32 bits, or one that is widened to them, is.
    pub(crate) fn kind(&self, scalar: naga::Scalar, span: Span) -> Result<Kind> {
        use naga::ScalarKind as S;
        Ok(match (scalar.kind, scalar.width) {
            (S::Float, 2 | 4) => Kind::F32,
            (S::Sint, 4) => Kind::I32,
            (S::Uint, 4) => Kind::U32,
            (S::Bool, _) => Kind::Bool,
            (kind, width) => {
                let letter = match kind {
                    S::Float | S::AbstractFloat => 'f',
                    S::Sint | S::AbstractInt => 'i',
                    _ => 'u',
                };
                let bits = 8 * u32::from(width);
                return self
                    .checked
                    .unsupported(format!("the type {letter}{bits}"), span);
            }
        })
    }
}

fn count(size: VectorSize) -> u32 {
    size as u32
}
