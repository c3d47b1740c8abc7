//! Types as the lowering sees them, with their places in buffers. [SPIRV 2.16.2, VULKAN Offset and Stride Assignment]

use std::rc::Rc;

use spirv::Decoration;

use super::lower::Lowerer;
use super::module::Result;
use super::numbers::Number;
use super::types::Type;
use super::words::Inst;
use crate::lower::types::{Kind, Strides, Ty};

/// Most bytes of a type in a buffer.
const BYTES: u64 = 1 << 30;

impl Type {
    /// Whether it is a type of values.
    pub(super) fn is_value(&self) -> bool {
        use Type as T;
        matches!(
            self,
            T::Bool
                | T::Int(..)
                | T::Float(_)
                | T::Vector(..)
                | T::Matrix(..)
                | T::Array(..)
                | T::Struct(_)
        )
    }
}

impl<'a> Lowerer<'a> {
    /// A type by its id. Errors are about `inst`.
    pub(super) fn ty(&mut self, inst: Option<&Inst>, id: u32) -> Result<Rc<Ty>> {
        if let Some(ty) = self.types.get(&id) {
            return Ok(ty.clone());
        }
        let module = self.module;
        let Some(own) = module.definition(id).or(inst) else {
            return Err(super::words::broken(format!("%{id} is no type")));
        };
        let missing = |feature: String| module.lacks(own, feature);
        let ty = match module.types.get(&id) {
            Some(Type::Bool | Type::Int(32, _) | Type::Float(32)) => Ty::Scalar(self.kind(id)),
            Some(Type::Int(8 | 16, _) | Type::Float(16)) => {
                match module.number(id).and_then(Number::narrow) {
                    Some(narrow) => Ty::Narrow(narrow),
                    None => return self.error(own, "it is no number"),
                }
            }
            // The low word first.
            Some(Type::Int(64, _)) => Ty::Vector(2, Kind::U32),
            Some(Type::Int(bits, true)) => return missing(format!("the type i{bits}")),
            Some(Type::Int(bits, false)) => return missing(format!("the type u{bits}")),
            Some(Type::Float(bits)) => return missing(format!("the type f{bits}")),
            Some(Type::Vector(of, size)) => {
                let component = self.ty(inst, *of)?;
                match (&*component, module.number(*of)) {
                    (Ty::Scalar(kind), _) => Ty::Vector(*size, *kind),
                    (_, number) => Ty::Array {
                        count: Some(*size),
                        stride: number.map_or(0, |number| number.bits() / 8),
                        element: component,
                    },
                }
            }
            Some(Type::Matrix(of, columns)) => match *self.ty(inst, *of)? {
                Ty::Vector(rows, _) => Ty::Matrix(*columns, rows, Strides::of_columns(rows)),
                // Columns of 16 bits lie where the structure around says.
                Ty::Array { .. } => Ty::Array {
                    element: self.ty(inst, *of)?,
                    count: Some(*columns),
                    stride: 0,
                },
                _ => return self.error(own, "its columns are no vectors"),
            },
            Some(Type::Array(of, length)) => {
                let element = self.ty(inst, *of)?;
                let count = self.length(own, *length)?;
                let stride = module.decorated(id, Decoration::ArrayStride).unwrap_or(0);
                self.array(own, element, Some(count), stride)?
            }
            Some(Type::RuntimeArray(of)) => {
                let element = self.ty(inst, *of)?;
                let stride = module.decorated(id, Decoration::ArrayStride).unwrap_or(0);
                self.array(own, element, None, stride)?
            }
            Some(Type::Struct(members)) => {
                let mut parts = Vec::with_capacity(members.len());
                for (at, member) in members.iter().enumerate() {
                    let ty = self.ty(inst, *member)?;
                    let find = |what| module.member_decoration(id, at as u32, what);
                    let first = |what| find(what).and_then(|words| words.first().copied());
                    let offset = first(Decoration::Offset).unwrap_or(0);
                    let ty = match first(Decoration::MatrixStride) {
                        Some(stride) => lay(&ty, stride, find(Decoration::RowMajor).is_some()),
                        None => ty,
                    };
                    parts.push((ty, offset));
                }
                let ty = Ty::Struct(parts);
                self.check_bytes(own, size(&ty))?;
                ty
            }
            Some(Type::Image(_) | Type::Sampler | Type::SampledImage(_)) => Ty::Opaque,
            Some(Type::Missing(what)) => return missing(what.clone()),
            Some(Type::Void | Type::Pointer(..) | Type::Function(..)) | None => {
                return self.error(own, format!("%{id} is no type of a value"));
            }
        };
        let ty = Rc::new(ty);
        self.types.insert(id, ty.clone());
        Ok(ty)
    }

    fn array(&self, own: &Inst, element: Rc<Ty>, count: Option<u32>, stride: u32) -> Result<Ty> {
        let ty = Ty::Array {
            element,
            count,
            stride,
        };
        self.check_bytes(own, size(&ty))?;
        Ok(ty)
    }

    fn check_bytes(&self, own: &Inst, bytes: u64) -> Result<()> {
        if bytes > BYTES {
            return self.error(
                own,
                format!("its {bytes} bytes are beyond the {BYTES} of a buffer"),
            );
        }
        Ok(())
    }

    /// Kind of a scalar type.
    pub(super) fn kind(&self, id: u32) -> Kind {
        match self.module.types.get(&id) {
            Some(Type::Bool) => Kind::Bool,
            Some(Type::Int(_, true)) => Kind::I32,
            Some(Type::Int(_, false)) => Kind::U32,
            _ => Kind::F32,
        }
    }

    /// The length of an array, which may be a specialisation constant.
    pub(super) fn length(&mut self, own: &Inst, id: u32) -> Result<u32> {
        let length = match self.module.definition(id) {
            Some(of) if super::uses::is_constant(of.op) => self.constant(of)?,
            _ => return self.error(own, format!("its length %{id} is no constant")),
        };
        match length[..] {
            [length] => match self.b.known_word(length) {
                Some(length) if length > 0 => Ok(length),
                _ => self.error(own, format!("its length %{id} is no positive number")),
            },
            _ => self.error(own, format!("its length %{id} is no number")),
        }
    }

    /// A type can lie in a buffer: offsets and strides are there and count words, and there are no bools.
    pub(super) fn check_layout(&self, inst: &Inst, id: u32) -> Result<()> {
        let module = self.module;
        let own = module.definition(id).unwrap_or(inst);
        let whole = |what: &str, bytes: Option<u32>, of: u32| match bytes {
            Some(bytes) if bytes % self.scalar_bytes(of) == 0 => Ok(()),
            Some(bytes) => module.lacks(own, format!("a {what} of {bytes} bytes")),
            None => self.error(own, format!("it lies in a buffer and has no {what}")),
        };
        match module.types.get(&id) {
            Some(Type::Bool) => self.error(inst, "a bool lies in a buffer"),
            Some(Type::Vector(of, _)) => self.check_layout(inst, *of),
            Some(Type::Array(of, _) | Type::RuntimeArray(of)) => {
                let stride = module.decorated(id, Decoration::ArrayStride);
                whole("ArrayStride", stride, *of)?;
                self.check_layout(inst, *of)
            }
            Some(Type::Struct(members)) => {
                for (at, member) in members.iter().enumerate() {
                    let find = |what| module.member_decoration(id, at as u32, what);
                    let first = |what| find(what).and_then(|words| words.first().copied());
                    whole("Offset", first(Decoration::Offset), *member)?;
                    if let Some(stride) = first(Decoration::MatrixStride) {
                        whole("MatrixStride", Some(stride), *member)?;
                    } else if self.holds_matrix(*member) {
                        whole("MatrixStride", None, *member)?;
                    }
                    self.check_layout(inst, *member)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Bytes that the places of a type count in: those of its largest scalar, words at most.
    fn scalar_bytes(&self, id: u32) -> u32 {
        match self.module.types.get(&id) {
            Some(Type::Int(bits, _) | Type::Float(bits)) => (bits / 8).clamp(1, 4),
            Some(Type::Vector(of, _) | Type::Matrix(of, _)) => self.scalar_bytes(*of),
            Some(Type::Array(of, _) | Type::RuntimeArray(of)) => self.scalar_bytes(*of),
            Some(Type::Struct(members)) => {
                let members = members.iter().map(|member| self.scalar_bytes(*member));
                members.max().unwrap_or(1)
            }
            _ => 4,
        }
    }

    /// Whether it is a matrix or an array of them.
    fn holds_matrix(&self, mut id: u32) -> bool {
        loop {
            match self.module.types.get(&id) {
                Some(Type::Matrix(..)) => return true,
                Some(Type::Array(of, _) | Type::RuntimeArray(of)) => id = *of,
                _ => return false,
            }
        }
    }
}

/// A matrix, or arrays of them, with a stride.
fn lay(ty: &Rc<Ty>, stride: u32, row_major: bool) -> Rc<Ty> {
    match &**ty {
        Ty::Matrix(columns, rows, _) => {
            let strides = match row_major {
                true => Strides {
                    columns: 4,
                    rows: stride,
                },
                false => Strides {
                    columns: stride,
                    rows: 4,
                },
            };
            Rc::new(Ty::Matrix(*columns, *rows, strides))
        }
        Ty::Array {
            element,
            count: columns,
            stride: 0,
        } if let Ty::Array {
            element: narrow,
            count,
            stride: size,
        } = &**element
            && matches!(**narrow, Ty::Narrow(_)) =>
        {
            let (from_row, from_column) = match row_major {
                true => (stride, *size),
                false => (*size, stride),
            };
            let column = Ty::Array {
                element: narrow.clone(),
                count: *count,
                stride: from_row,
            };
            Rc::new(Ty::Array {
                element: Rc::new(column),
                count: *columns,
                stride: from_column,
            })
        }
        Ty::Array {
            element,
            count,
            stride: step,
        } => Rc::new(Ty::Array {
            element: lay(element, stride, row_major),
            count: *count,
            stride: *step,
        }),
        _ => ty.clone(),
    }
}

/// Bytes of a type in a buffer; of a run-time array, with one element.
pub(super) fn size(ty: &Ty) -> u64 {
    match ty {
        Ty::Scalar(_) => 4,
        Ty::Narrow(narrow) => narrow.bytes().into(),
        Ty::Vector(size, _) => 4 * u64::from(*size),
        Ty::Column(size, step) => u64::from(size - 1) * u64::from(*step) + 4,
        Ty::Matrix(columns, rows, strides) => {
            let last = u64::from(columns - 1) * u64::from(strides.columns);
            last + u64::from(rows - 1) * u64::from(strides.rows) + 4
        }
        Ty::Array {
            element,
            count,
            stride,
        } => match count {
            None => size(element).max(u64::from(*stride)),
            Some(count) => {
                let before = u64::from(count - 1) * u64::from(*stride);
                before + size(element).max(u64::from(*stride))
            }
        },
        Ty::Struct(members) => {
            let ends = members.iter().map(|(ty, at)| u64::from(*at) + size(ty));
            ends.max().unwrap_or(0)
        }
        Ty::Bindings(..) | Ty::Opaque => 0,
    }
}
