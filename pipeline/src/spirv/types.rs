//! Type declarations. What the lowering makes of them is in `layout`.

use spirv::{Dim, ImageFormat, Op, StorageClass};

use super::module::{Module, Result};
use super::words::{Inst, too_large};
use crate::ir;

/// Most structures and arrays inside each other.
const LEVELS: usize = 127;

/// A type as it is declared; other types by their ids.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Void,
    Bool,
    /// Bits, signed.
    Int(u32, bool),
    /// Bits.
    Float(u32),
    /// Component type, components.
    Vector(u32, u32),
    /// Column type, columns.
    Matrix(u32, u32),
    /// Element type, id of the length.
    Array(u32, u32),
    RuntimeArray(u32),
    Struct(Vec<u32>),
    Pointer(StorageClass, u32),
    Image(Image),
    Sampler,
    /// Of an image type.
    SampledImage(u32),
    /// Result, parameters.
    Function(u32, Vec<u32>),
    /// What no device has, in words.
    Missing(String),
}

/// What a shape stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StandsFor {
    Itself,
    /// Layers of height 1 are those of an array of 1D images.
    Rows,
    /// Layers are the faces of a cube.
    Cube,
    /// Layers are the faces of many cubes.
    Cubes,
}

/// An image type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Image {
    /// What a texel reads as.
    pub(super) scalar: ir::Scalar,
    pub(super) shape: ir::Shape,
    /// Declared as one of depths.
    pub(super) depth: bool,
    /// Used without a sampler: a storage image.
    pub(super) storage: bool,
    /// An input attachment: the texel at the fragment's own pixel is read.
    pub(super) attachment: bool,
    /// What its shape stands for.
    pub(super) stands_for: StandsFor,
    pub(super) format: ImageFormat,
}

impl Image {
    /// Coordinates of its kind that shaders give, without layer.
    pub(super) fn given_coordinates(&self) -> usize {
        match self.stands_for {
            StandsFor::Rows => 1,
            _ => self.shape.coordinates(),
        }
    }
}

impl Module {
    /// The type that an instruction declares; none for other instructions.
    pub(super) fn read_type(&self, inst: &Inst) -> Result<Option<Type>> {
        let word = |at| self.words.operand(inst, at);
        let ty = |at| -> Result<u32> {
            let id = word(at)?;
            match self.types.contains_key(&id) {
                true => Ok(id),
                false => Err(self.error(inst, format!("%{id} is no type"))),
            }
        };
        let found = match inst.op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => Type::Int(word(0)?, word(1)? != 0),
            Op::TypeFloat => Type::Float(word(0)?),
            Op::TypeVector => match (&self.types[&ty(0)?], word(1)?) {
                (Type::Bool | Type::Int(..) | Type::Float(_), 2..=4) => {
                    Type::Vector(word(0)?, word(1)?)
                }
                (_, size) => {
                    let message = format!("a vector of {size} of %{}", word(0)?);
                    return Err(self.error(inst, message));
                }
            },
            Op::TypeMatrix => match (&self.types[&ty(0)?], word(1)?) {
                (Type::Vector(of, _), 2..=4) if matches!(self.types[of], Type::Float(_)) => {
                    Type::Matrix(word(0)?, word(1)?)
                }
                _ => return Err(self.error(inst, "its columns are no vectors of floats")),
            },
            Op::TypeArray => {
                let length = word(1)?;
                let constant = self.definition(length).filter(|at| at.number < inst.number);
                if constant.is_none() {
                    return Err(self.error(inst, format!("its length %{length} is no constant")));
                }
                Type::Array(ty(0)?, length)
            }
            Op::TypeRuntimeArray => Type::RuntimeArray(ty(0)?),
            Op::TypeStruct => {
                let members = (0..self.words.operands(inst).len()).map(ty);
                Type::Struct(members.collect::<Result<_>>()?)
            }
            Op::TypePointer => {
                let Some(class) = StorageClass::from_u32(word(0)?) else {
                    return self.lacks(inst, format!("storage class {}", word(0)?));
                };
                Type::Pointer(class, ty(1)?)
            }
            Op::TypeFunction => {
                let params = (1..self.words.operands(inst).len()).map(ty);
                Type::Function(ty(0)?, params.collect::<Result<_>>()?)
            }
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => match &self.types[&ty(0)?] {
                Type::Image(image) if !image.storage && !image.attachment => {
                    Type::SampledImage(word(0)?)
                }
                Type::Missing(what) => Type::Missing(what.clone()),
                _ => return Err(self.error(inst, "it is of no sampled image")),
            },
            Op::TypeImage => self.image(inst)?,
            Op::TypeOpaque => Type::Missing("an opaque type".to_owned()),
            Op::TypeRayQueryKHR | Op::TypeAccelerationStructureKHR => {
                Type::Missing("a ray tracing type".to_owned())
            }
            op if format!("{op:?}").starts_with("Type") => {
                Type::Missing(format!("the type Op{op:?}"))
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// Keeps a type, unless too many are inside each other.
    pub(super) fn keep_type(&mut self, id: u32, ty: Type) -> Result<()> {
        let inside = |id: &u32| self.nesting.get(id).copied().unwrap_or(0);
        let nesting = match &ty {
            Type::Array(of, _) | Type::RuntimeArray(of) => 1 + inside(of),
            Type::Struct(members) => 1 + members.iter().map(inside).max().unwrap_or(0),
            _ => 0,
        };
        if nesting > LEVELS {
            return Err(too_large("types inside each other", nesting, LEVELS));
        }
        self.nesting.insert(id, nesting);
        self.sized |= matches!(ty, Type::Int(bits, _) | Type::Float(bits) if bits != 32);
        self.types.insert(id, ty);
        Ok(())
    }

    fn image(&self, inst: &Inst) -> Result<Type> {
        let operands = self.words.operands(inst);
        let [
            sampled,
            dim,
            depth,
            arrayed,
            multisampled,
            usage,
            format,
            ..,
        ] = *operands
        else {
            return Err(self.error(inst, "it has seven operands"));
        };
        let scalar = match self.types.get(&sampled) {
            Some(Type::Float(32) | Type::Void) => ir::Scalar::Float,
            Some(Type::Int(32, true)) => ir::Scalar::Sint,
            Some(Type::Int(32, false)) => ir::Scalar::Uint,
            Some(Type::Int(64, _)) => {
                return Ok(Type::Missing("an image of 64-bit integers".to_owned()));
            }
            _ => return Err(self.error(inst, format!("%{sampled} is no type of texels"))),
        };
        let mut attachment = false;
        let dim = match Dim::from_u32(dim) {
            Some(Dim::Dim1D) => ir::Dim::D1,
            Some(Dim::Dim2D) => ir::Dim::D2,
            Some(Dim::Dim3D) => ir::Dim::D3,
            Some(Dim::DimCube) => ir::Dim::Cube,
            Some(Dim::DimBuffer) => ir::Dim::Buffer,
            Some(Dim::DimSubpassData) => {
                attachment = true;
                ir::Dim::D2
            }
            _ => return Ok(Type::Missing(format!("an image of dimensionality {dim}"))),
        };
        let mut shape = ir::Shape {
            dim,
            arrayed: arrayed != 0,
            multisampled: multisampled != 0,
        };
        if (shape.multisampled && dim != ir::Dim::D2)
            || (shape.arrayed && matches!(dim, ir::Dim::D3 | ir::Dim::Buffer))
        {
            return Err(self.error(inst, "there are no such images"));
        }
        let stands_for = match (dim, shape.arrayed, usage) {
            (ir::Dim::D1, true, _) => StandsFor::Rows,
            (ir::Dim::Cube, false, 2) => StandsFor::Cube,
            (ir::Dim::Cube, true, 2) => StandsFor::Cubes,
            _ => StandsFor::Itself,
        };
        if stands_for != StandsFor::Itself {
            (shape.dim, shape.arrayed) = (ir::Dim::D2, true);
        }
        if !matches!(usage, 1 | 2) {
            return Err(self.error(inst, "it is neither sampled nor a storage image"));
        }
        let Some(format) = ImageFormat::from_u32(format) else {
            return self.lacks(inst, format!("image format {format}"));
        };
        if attachment && (shape.arrayed || usage != 2) {
            return Err(self.error(inst, "there are no such input attachments"));
        }
        if usage == 2 && shape.multisampled && !attachment {
            return Ok(Type::Missing("a multisampled storage image".to_owned()));
        }
        Ok(Type::Image(Image {
            scalar,
            shape,
            depth: depth == 1,
            storage: usage == 2 && !attachment,
            attachment,
            stands_for,
            format,
        }))
    }
}
