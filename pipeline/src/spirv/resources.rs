//! Buffers, textures and samplers that an entry point uses.

use spirv::{Decoration, ImageFormat, StorageClass};

use super::bindings::LaidOut;
use super::formats::texel_format;
use super::layout;
use super::lower::{Handle, Lowerer, Val};
use super::module::Result;
use super::types::{Image, Type};
use super::words::Inst;
use crate::ir::{Access, Dim, Resource, ResourceKind, Slot, TexelFormat};
use crate::lower::place::{Pointer, Root};

/// A resource variable: its declaration, storage class and pointee.
type Variable<'a> = (&'a Inst, StorageClass, u32);

/// A resource, before it has its number.
struct Found<'a> {
    slot: Slot,
    inst: &'a Inst,
    kind: ResourceKind,
    count: Option<u32>,
}

impl<'a> Lowerer<'a> {
    /// Lists resources in the order of their slots.
    pub(super) fn resources(&mut self, variables: Vec<Variable<'a>>) -> Result<()> {
        let mut found = Vec::new();
        for &variable in &variables {
            self.find(variable, &mut found)?;
        }
        // The order of the module is kept among those that share a slot.
        found.sort_by_key(|found| found.slot);
        for found in &found {
            let resource = Resource {
                slot: found.slot,
                name: self.module.name(found.inst.id),
                kind: found.kind,
                count: found.count.unwrap_or(1),
            };
            self.b.function().interface.resources.push(resource);
        }
        let number = |id: u32, sampler: bool| {
            let mut all = found.iter();
            let is_sampler = |kind| matches!(kind, ResourceKind::Sampler { .. });
            let at = all.position(|f| f.inst.id == id && is_sampler(f.kind) == sampler)?;
            Some(Access {
                resource: at as u32,
                element: None,
            })
        };
        for (inst, _, pointee) in variables {
            let (element, length) = self.module.element(pointee);
            let count = found
                .iter()
                .find(|f| f.inst.id == inst.id)
                .and_then(|f| f.count);
            let main = number(inst.id, false);
            let val = match (self.module.types.get(&element), main) {
                (Some(Type::Struct(_)), Some(access)) => {
                    let ty = self.ty(Some(inst), element)?;
                    match (length, count) {
                        (Some(_), Some(count)) => Val::Buffers(access, ty, count),
                        _ => Val::Pointer(Pointer::new(Root::Buffer(access), ty)),
                    }
                }
                (ty, texture) => Val::Handle(Handle {
                    texture,
                    sampler: number(inst.id, true),
                    image: ty.and_then(|ty| self.image_of(self.module.slot(inst.id), ty)),
                    count,
                }),
            };
            self.globals.insert(inst.id, val);
        }
        Ok(())
    }

    fn image_of(&self, slot: Option<Slot>, ty: &Type) -> Option<Image> {
        match ty {
            Type::Image(image) => Some(self.module.image_at(slot, image)),
            Type::SampledImage(of) => self.image_of(slot, self.module.types.get(of)?),
            _ => None,
        }
    }

    fn find(
        &mut self,
        (inst, class, pointee): Variable<'a>,
        all: &mut Vec<Found<'a>>,
    ) -> Result<()> {
        let module = self.module;
        let Some(slot) = module.slot(inst.id) else {
            return self.error(inst, "it has no DescriptorSet or no Binding");
        };
        let (element, length) = module.element(pointee);
        let count = match length {
            None => None,
            Some(Some(length)) => Some(self.length(inst, length)?),
            Some(None) => match module.layout.get(&slot) {
                Some(&LaidOut { count, .. }) if count > 0 => Some(count),
                _ => {
                    let feature = "a binding array without a length, which no layout gives,";
                    return module.lacks(inst, feature);
                }
            },
        };
        let mut add = |slot, kind| {
            all.push(Found {
                slot,
                inst,
                kind,
                count,
            });
        };
        match (class, module.types.get(&element)) {
            (StorageClass::UniformConstant, Some(Type::Sampler)) => {
                add(slot, ResourceKind::Sampler { comparison: false });
            }
            (StorageClass::UniformConstant, Some(Type::Image(image))) => {
                let image = module.image_at(Some(slot), image);
                add(slot, self.texture_kind(inst, &image)?);
            }
            (StorageClass::UniformConstant, Some(Type::SampledImage(of))) => {
                let Some(Type::Image(image)) = module.types.get(of) else {
                    return self.error(inst, "it is of no image");
                };
                add(slot, self.texture_kind(inst, image)?);
                // The sampler of a `samplerBuffer` is there in name only.
                if image.shape.dim != Dim::Buffer {
                    add(slot, ResourceKind::Sampler { comparison: false });
                }
            }
            (StorageClass::UniformConstant, Some(Type::Missing(what))) => {
                return module.lacks(inst, what.clone());
            }
            (StorageClass::Uniform | StorageClass::StorageBuffer, Some(Type::Struct(members))) => {
                self.check_layout(inst, element)?;
                let bytes = layout::size(&*self.ty(Some(inst), element)?) as u32;
                let min_bytes = bytes.next_multiple_of(4);
                let storage = class == StorageClass::StorageBuffer
                    || module
                        .decoration(element, Decoration::BufferBlock)
                        .is_some();
                let fixed = |member: u32| {
                    let what = Decoration::NonWritable;
                    module.member_decoration(element, member, what).is_some()
                };
                let read_only = module
                    .decoration(inst.id, Decoration::NonWritable)
                    .is_some()
                    || (0..members.len() as u32).all(fixed);
                add(
                    slot,
                    match storage {
                        true => ResourceKind::Storage {
                            min_bytes,
                            read_only,
                        },
                        false => ResourceKind::Uniform { min_bytes },
                    },
                );
            }
            _ => return self.error(inst, "its type is none of a resource"),
        }
        Ok(())
    }

    fn texture_kind(&self, inst: &Inst, image: &Image) -> Result<ResourceKind> {
        let (shape, scalar) = (image.shape, image.scalar);
        if !image.storage {
            return Ok(ResourceKind::Texture {
                shape,
                scalar,
                depth: image.depth,
                attachment: image.attachment,
            });
        }
        let format = match (texel_format(image.format), image.format) {
            (Some(format), _) => TexelFormat::Declared(format),
            (None, ImageFormat::Unknown) if shape.dim != Dim::Buffer => TexelFormat::OfView(scalar),
            (None, ImageFormat::Unknown) => {
                let feature = "a storage texel buffer without a format";
                return self.module.lacks(inst, feature);
            }
            (None, other) => {
                let feature = format!("a storage image of the format {other:?}");
                return self.module.lacks(inst, feature);
            }
        };
        // What is done with it turns up later.
        Ok(ResourceKind::StorageTexture {
            shape,
            format,
            read: false,
            write: false,
        })
    }

    pub(super) fn push_constants(&mut self, inst: &Inst, pointee: u32) -> Result<()> {
        self.check_layout(inst, pointee)?;
        let ty = self.ty(Some(inst), pointee)?;
        let bytes = (layout::size(&ty) as u32).next_multiple_of(4);
        let interface = &mut self.b.function().interface;
        interface.push_constant_bytes = interface.push_constant_bytes.max(bytes);
        let place = Val::Pointer(Pointer::new(Root::Push, ty));
        self.globals.insert(inst.id, place);
        Ok(())
    }
}
