//! What an entry point takes from and gives to the fixed-function parts, and which resources it uses.

use std::rc::Rc;

use naga::valid::{FunctionInfo, GlobalUse};
use naga::{AddressSpace, Binding, BuiltIn, GlobalVariable, Handle, Span, StorageAccess};

use super::image::shape;
use super::names::{self, declaration};
use super::place::{Pointer, Root};
use super::types::{Kind, Ty};
use super::{Lowerer, Resource as Bound, Result, Val, origin};
use crate::error::ShaderError;
use crate::front::messages::separated;
use crate::ir::{
    Access, Builtin, HALVES, Interpolation, Op, OutputBuiltin, Resource, ResourceKind, Scalar,
    Slot, Stage, TexelFormat, Type, VERTEX_LOCATIONS, Value, Varying,
};

/// One argument, result or member of such a structure.
pub(super) struct Item {
    pub(super) binding: Binding,
    pub(super) ty: Rc<Ty>,
    /// Its attribute, or the structure that it is a member of.
    pub(super) span: Span,
}

/// Vertices of a fragment's primitive.
const CORNERS: u32 = 3;

/// The location of an input that has the values of each vertex.
fn corners(item: &Item) -> Option<u32> {
    match item.binding {
        Binding::Location {
            location,
            interpolation: Some(naga::Interpolation::PerVertex),
            ..
        } => Some(location),
        _ => None,
    }
}

/// What is taken of each vertex at a location: an element of the array.
fn per_vertex_input(item: &Item, location: u32) -> Varying {
    let kind = match &*item.ty {
        Ty::Array { element, .. } => element.kind(),
        ty => ty.kind(),
    };
    Varying {
        location,
        second: false,
        components: item.ty.words() as u32 / CORNERS,
        scalar: scalar_of(kind),
        interpolation: Interpolation::Flat,
        origin: origin(item.span),
    }
}

fn scalar_of(kind: Kind) -> Scalar {
    match kind {
        Kind::F32 => Scalar::Float,
        Kind::I32 => Scalar::Sint,
        Kind::U32 | Kind::Bool => Scalar::Uint,
    }
}

impl<'a> Lowerer<'a> {
    /// The parts of an argument or result that have bindings of their own.
    fn items(
        &mut self,
        binding: Option<&Binding>,
        ty: Handle<naga::Type>,
        span: Span,
    ) -> Result<Vec<Item>> {
        if let Some(binding) = binding {
            let text = self.checked.text.0.as_deref();
            let span = text.map_or(span, |text| declaration(text, binding, span));
            let ty = self.types.handle(ty, span)?;
            let binding = binding.clone();
            return Ok(vec![Item { binding, ty, span }]);
        }
        let span = self.module.types.get_span(ty);
        let mut items = Vec::new();
        if let naga::TypeInner::Struct { members, .. } = &self.module.types[ty].inner {
            for member in members {
                items.extend(self.items(member.binding.as_ref(), member.ty, span)?);
            }
        }
        Ok(items)
    }

    /// Reads every input; the arguments of the entry point.
    pub(super) fn inputs(&mut self, function: &'a naga::Function) -> Result<Vec<Val>> {
        let mut arguments = Vec::new();
        let head = head(function);
        for argument in &function.arguments {
            arguments.push(self.items(argument.binding.as_ref(), argument.ty, head)?);
        }
        let (mut varyings, mut per_vertex) = (Vec::new(), Vec::new());
        for item in arguments.iter().flatten() {
            match corners(item) {
                Some(location) => {
                    varyings.extend(self.halves(item, location)?);
                    per_vertex.push(per_vertex_input(item, location));
                }
                None => varyings.extend(self.varying(item)?),
            }
        }
        varyings.sort_by_key(|varying| (varying.location, varying.second));
        per_vertex.sort_by_key(|varying: &Varying| varying.location);
        let interface = &mut self.b.function().interface;
        (interface.inputs, interface.per_vertex) = (varyings, per_vertex);
        let mut values = Vec::new();
        for items in &arguments {
            let mut words = Vec::new();
            for item in items {
                words.extend(self.input(item)?);
            }
            values.push(Val::Words(words.into()));
        }
        Ok(values)
    }

    /// The inputs that are halves of what each vertex has at a location.
    fn halves(&self, item: &Item, location: u32) -> Result<[Varying; 2]> {
        if location >= VERTEX_LOCATIONS {
            let feature = format!("location {location} of each vertex");
            return self.unsupported(feature, item.span);
        }
        Ok([0, 1].map(|half| Varying {
            location: HALVES + 2 * location + half,
            second: false,
            components: item.ty.words() as u32 / CORNERS,
            scalar: Scalar::Float,
            interpolation: Interpolation::Perspective,
            origin: origin(item.span),
        }))
    }

    pub(super) fn varying(&mut self, item: &Item) -> Result<Option<Varying>> {
        let Binding::Location {
            location,
            interpolation,
            sampling,
            blend_src,
            per_primitive,
        } = item.binding
        else {
            return Ok(None);
        };
        if per_primitive {
            return self.unsupported("a varying per primitive", item.span);
        }
        let scalar = scalar_of(item.ty.kind());
        use naga::{Interpolation as I, Sampling as S};
        let interpolation = match (interpolation, sampling) {
            _ if scalar != Scalar::Float => Interpolation::Flat,
            (Some(I::PerVertex), _) => {
                return self.unsupported("a varying per vertex", item.span);
            }
            (Some(I::Flat), _) => Interpolation::Flat,
            (Some(I::Linear), Some(S::Centroid)) => Interpolation::LinearCentroid,
            (Some(I::Linear), Some(S::Sample)) => Interpolation::LinearSample,
            (Some(I::Linear), _) => Interpolation::Linear,
            (_, Some(S::Centroid)) => Interpolation::PerspectiveCentroid,
            (_, Some(S::Sample)) => Interpolation::PerspectiveSample,
            _ => Interpolation::Perspective,
        };
        Ok(Some(Varying {
            location,
            second: blend_src == Some(1),
            components: item.ty.words() as u32,
            scalar,
            interpolation,
            origin: origin(item.span),
        }))
    }

    fn input(&mut self, item: &Item) -> Result<Vec<Value>> {
        let words = item.ty.words() as usize;
        let inputs = &self.b.function().interface.inputs;
        let place = |location| inputs.iter().position(|v| v.location == location);
        if let Some(location) = corners(item) {
            let halves = [0, 1].map(|half| place(HALVES + 2 * location + half));
            let halves = halves.map(|found| found.unwrap_or(0) as u32);
            let part = (0, words / CORNERS as usize);
            let vertices = 0..CORNERS;
            let words = vertices.flat_map(|vertex| self.corner_words(vertex, halves, part));
            return Ok(words.collect());
        }
        let builtin = match item.binding {
            Binding::Location { location, .. } => {
                let input = place(location).unwrap_or(0) as u32;
                let types = vec![Type::Word; words];
                let words = self
                    .b
                    .inst(Op::Input { input, first: 0 }, Vec::new(), &types);
                return Ok(self.fit_words(&item.ty, words));
            }
            Binding::BuiltIn(builtin) => builtin,
        };
        let stage = self.b.function().stage;
        let of = |this: &mut Self, builtin, ty| this.b.single(Op::Builtin(builtin), Vec::new(), ty);
        let word = |this: &mut Self, builtin| vec![of(this, builtin, Type::Word)];
        Ok(match (builtin, stage) {
            (BuiltIn::Position { .. }, Stage::Fragment) => (0..4)
                .map(|at| of(self, Builtin::FragCoord(at), Type::Word))
                .collect(),
            (BuiltIn::FrontFacing, _) => vec![of(self, Builtin::FrontFacing, Type::Bool)],
            (BuiltIn::VertexIndex, _) => word(self, Builtin::VertexIndex),
            (BuiltIn::InstanceIndex, _) => word(self, Builtin::InstanceIndex),
            (BuiltIn::DrawIndex, _) => word(self, Builtin::DrawIndex),
            (BuiltIn::PrimitiveIndex, Stage::Fragment) => word(self, Builtin::PrimitiveIndex),
            (BuiltIn::Barycentric { perspective }, Stage::Fragment) => {
                let first = 3 * u8::from(!perspective);
                (first..first + 3)
                    .map(|at| of(self, Builtin::Barycentric(at), Type::Word))
                    .collect()
            }
            (BuiltIn::SampleIndex, _) => word(self, Builtin::SampleIndex),
            (BuiltIn::SampleMask, Stage::Fragment) => word(self, Builtin::SampleMask),
            (BuiltIn::PointCoord, _) => (0..2)
                .map(|at| of(self, Builtin::PointCoord(at), Type::Word))
                .collect(),
            (BuiltIn::GlobalInvocationId, Stage::Compute) => {
                (0..3).map(|axis| self.global_id(axis)).collect()
            }
            (BuiltIn::LocalInvocationId, Stage::Compute) => {
                (0..3).map(|axis| self.local_id(axis)).collect()
            }
            (BuiltIn::LocalInvocationIndex, Stage::Compute) => vec![self.local_index()],
            (BuiltIn::WorkGroupId, Stage::Compute) => {
                (0..3).map(|axis| self.workgroup_id(axis)).collect()
            }
            (BuiltIn::NumWorkGroups, Stage::Compute) => {
                (0..3).map(|axis| self.workgroup_count(axis)).collect()
            }
            (BuiltIn::WorkGroupSize, Stage::Compute) => {
                let size = self.b.function().interface.workgroup.size;
                size.map(|size| self.b.word(size)).to_vec()
            }
            (BuiltIn::SubgroupSize, _) => vec![self.subgroup_input(item, Builtin::SubgroupSize)?],
            (BuiltIn::SubgroupInvocationId, _) => {
                vec![self.subgroup_input(item, Builtin::SubgroupInvocation)?]
            }
            (BuiltIn::SubgroupId, Stage::Compute) => {
                vec![self.subgroup_input(item, Builtin::SubgroupId)?]
            }
            (BuiltIn::NumSubgroups, Stage::Compute) => {
                vec![self.subgroup_input(item, Builtin::SubgroupCount)?]
            }
            // One view is drawn at a time.
            (BuiltIn::ViewIndex, _) => vec![self.b.word(0)],
            (other, _) => {
                let name = separated(&format!("{other:?}"), '_');
                return self.unsupported(format!("the built-in input `{name}`"), item.span);
            }
        })
    }

    /// What a chip without subgroups lacks stands where it is declared.
    fn subgroup_input(&mut self, item: &Item, builtin: Builtin) -> Result<Value> {
        let outer = self.b.set_origin(origin(item.span));
        let word = self.subgroup_word(builtin);
        self.b.set_origin(outer);
        word
    }

    /// The parts of the result of the entry point.
    pub(super) fn results(&mut self, function: &'a naga::Function) -> Result<Vec<Item>> {
        match &function.result {
            Some(result) => self.items(result.binding.as_ref(), result.ty, head(function)),
            None => Ok(Vec::new()),
        }
    }

    /// Writes the result of the entry point.
    pub(super) fn outputs(&mut self, items: Vec<Item>, words: &[Value]) -> Result<()> {
        let mut varyings = Vec::new();
        for item in &items {
            varyings.extend(self.varying(item)?);
        }
        varyings.sort_by_key(|varying| (varying.location, varying.second));
        self.b.function().interface.outputs = varyings;
        let mut rest = words;
        for item in items {
            let (now, later) = rest.split_at(item.ty.words() as usize);
            rest = later;
            self.output(&item, now)?;
        }
        Ok(())
    }

    fn output(&mut self, item: &Item, words: &[Value]) -> Result<()> {
        let stage = self.b.function().stage;
        let builtin = match item.binding {
            Binding::Location {
                location,
                blend_src,
                ..
            } => {
                let second = blend_src == Some(1);
                let outputs = &self.b.function().interface.outputs;
                let found = outputs
                    .iter()
                    .position(|v| (v.location, v.second) == (location, second));
                let output = found.unwrap_or(0) as u32;
                self.b
                    .effect(Op::Output { output, first: 0 }, words.to_vec());
                return Ok(());
            }
            Binding::BuiltIn(builtin) => builtin,
        };
        let output = match (builtin, stage) {
            (BuiltIn::Position { .. }, Stage::Vertex) => {
                self.b
                    .effect(Op::OutputBuiltin(OutputBuiltin::Position), words.to_vec());
                return Ok(());
            }
            (BuiltIn::ClipDistances, Stage::Vertex) => {
                for (at, &word) in words.iter().enumerate().take(8) {
                    let output = OutputBuiltin::ClipDistance(at as u8);
                    self.b.effect(Op::OutputBuiltin(output), vec![word]);
                }
                return Ok(());
            }
            (BuiltIn::PointSize, Stage::Vertex) => OutputBuiltin::PointSize,
            (BuiltIn::FragDepth, Stage::Fragment) => OutputBuiltin::FragDepth,
            (BuiltIn::SampleMask, Stage::Fragment) => OutputBuiltin::SampleMask,
            (other, _) => {
                let name = separated(&format!("{other:?}"), '_');
                return self.unsupported(format!("the built-in output `{name}`"), item.span);
            }
        };
        self.b.effect(Op::OutputBuiltin(output), words.to_vec());
        Ok(())
    }

    /// Lists the resources that an entry point uses, in the order of their slots.
    pub(super) fn resources(&mut self, info: &FunctionInfo) -> Result<()> {
        let mut used: Vec<(Slot, Handle<GlobalVariable>)> = Vec::new();
        for (handle, variable) in self.module.global_variables.iter() {
            if info[handle].is_empty() {
                continue;
            }
            match (variable.space, &variable.binding) {
                (AddressSpace::Immediate, _) => self.push_constants(handle)?,
                (_, Some(binding)) => {
                    let (group, binding) = (binding.group, binding.binding);
                    used.push((Slot { group, binding }, handle));
                }
                (AddressSpace::Private | AddressSpace::WorkGroup, _) => {}
                (space, _) => {
                    let span = self.module.global_variables.get_span(handle);
                    let space = names::space(space);
                    return self
                        .unsupported(format!("a variable in the {space} address space"), span);
                }
            }
        }
        used.sort();
        for (slot, handle) in used {
            let resource = self.describe(slot, handle, info[handle])?;
            let resources = &mut self.b.function().interface.resources;
            resources.push(resource);
            let access = Access {
                resource: resources.len() as u32 - 1,
                element: None,
            };
            let span = self.module.global_variables.get_span(handle);
            let ty = self
                .types
                .handle(self.module.global_variables[handle].ty, span)?;
            let value = match &*ty {
                Ty::Bindings(..) | Ty::Opaque => Val::Resource(Bound {
                    access,
                    global: handle,
                    ty,
                }),
                _ => Val::Pointer(Pointer::new(Root::Buffer(access), ty)),
            };
            self.globals.insert(handle, value);
        }
        Ok(())
    }

    fn push_constants(&mut self, handle: Handle<GlobalVariable>) -> Result<()> {
        let variable = &self.module.global_variables[handle];
        let span = self.module.global_variables.get_span(handle);
        let ty = self.types.handle(variable.ty, span)?;
        let bytes = self.size_bytes(variable.ty);
        let interface = &mut self.b.function().interface;
        interface.push_constant_bytes = interface.push_constant_bytes.max(bytes);
        let place = Val::Pointer(Pointer::new(Root::Push, ty));
        self.globals.insert(handle, place);
        Ok(())
    }

    /// Bytes of a type; of a run-time array, with one element.
    fn size_bytes(&self, ty: Handle<naga::Type>) -> u32 {
        self.module.types[ty].inner.size(self.module.to_ctx())
    }

    fn describe(
        &mut self,
        slot: Slot,
        handle: Handle<GlobalVariable>,
        usage: GlobalUse,
    ) -> Result<Resource> {
        let variable = &self.module.global_variables[handle];
        let span = self.module.global_variables.get_span(handle);
        let mut ty = variable.ty;
        let mut count = 1;
        if let naga::TypeInner::BindingArray { base, size } = self.module.types[ty].inner {
            ty = base;
            count = match size {
                naga::ArraySize::Constant(count) => count.get(),
                _ => {
                    return self.unsupported("a binding array without a length", span);
                }
            };
        }
        let kind = match (&self.module.types[ty].inner, variable.space) {
            (&naga::TypeInner::Sampler { comparison }, _) => ResourceKind::Sampler { comparison },
            (
                &naga::TypeInner::Image {
                    dim,
                    arrayed,
                    class,
                },
                _,
            ) => self.describe_image(shape(dim, arrayed, class), class, usage, span)?,
            (_, AddressSpace::Uniform) => ResourceKind::Uniform {
                min_bytes: self.size_bytes(ty),
            },
            (_, AddressSpace::Storage { access }) => ResourceKind::Storage {
                min_bytes: self.size_bytes(ty),
                read_only: !access.contains(StorageAccess::STORE),
            },
            (_, space) => {
                return self.unsupported(
                    format!("a resource in the {} address space", names::space(space)),
                    span,
                );
            }
        };
        Ok(Resource {
            slot,
            name: variable.name.clone().unwrap_or_default(),
            kind,
            count,
        })
    }

    fn describe_image(
        &mut self,
        shape: crate::ir::Shape,
        class: naga::ImageClass,
        _usage: GlobalUse,
        span: Span,
    ) -> Result<ResourceKind> {
        use naga::ImageClass as C;
        Ok(match class {
            C::Sampled { kind, .. } => ResourceKind::Texture {
                shape,
                scalar: match kind {
                    naga::ScalarKind::Sint => Scalar::Sint,
                    naga::ScalarKind::Uint => Scalar::Uint,
                    _ => Scalar::Float,
                },
                depth: false,
                attachment: false,
            },
            C::Depth { .. } => ResourceKind::Texture {
                shape,
                scalar: Scalar::Float,
                depth: true,
                attachment: false,
            },
            C::Storage { format, access } => {
                let Some(format) = texel_format(format) else {
                    return self.unsupported(
                        format!(
                            "the storage format {}",
                            separated(&format!("{format:?}"), ' ')
                        ),
                        span,
                    );
                };
                ResourceKind::StorageTexture {
                    shape,
                    format: TexelFormat::Declared(format),
                    read: access.intersects(StorageAccess::LOAD | StorageAccess::ATOMIC),
                    write: access.intersects(StorageAccess::STORE | StorageAccess::ATOMIC),
                }
            }
            C::External => return self.unsupported("an external texture", span),
        })
    }

    /// Notes the lengths of arrays that are overrides; where one has no value, that is said where the array is used.
    pub(super) fn array_lengths(&mut self) {
        for (_, ty) in self.module.types.iter() {
            let naga::TypeInner::Array {
                size: naga::ArraySize::Pending(length),
                ..
            } = ty.inner
            else {
                continue;
            };
            let found = self.array_length_of(length);
            self.types.set_length(length, found);
        }
    }

    fn array_length_of(&mut self, length: Handle<naga::Override>) -> Result<u32> {
        let words = self.override_value(length)?;
        let span = self.module.overrides.get_span(length);
        match words.first().and_then(|word| self.b.known_word(*word)) {
            // Lengths are i32 or u32.
            Some(length) if (1..=i32::MAX as u32).contains(&length) => Ok(length),
            found => Err(ShaderError::Invalid {
                message: format!(
                    "an array has at least one element, not {}",
                    found.unwrap_or(0) as i32
                ),
                at: self.checked.locate(span),
            }),
        }
    }

    /// Notes the size of the workgroups of a compute shader.
    pub(super) fn workgroup(&mut self, point: &'a naga::EntryPoint) -> Result<()> {
        if point.stage != naga::ShaderStage::Compute {
            return Ok(());
        }
        let mut size = point.workgroup_size;
        let overrides = point.workgroup_size_overrides.unwrap_or_default();
        for (size, expression) in size.iter_mut().zip(overrides) {
            let Some(expression) = expression else {
                continue;
            };
            let mut frame = self.constant_frame();
            let value = self.scalar(&mut frame, expression)?;
            *size = self.b.known_word(value).unwrap_or(0);
        }
        self.b.set_origin(origin(head(&point.function)));
        self.workgroup_size(size)
    }

    /// Makes the variables of the workgroup that an entry point uses, all zero.
    pub(super) fn workgroup_variables(&mut self, info: &FunctionInfo) -> Result<()> {
        for (handle, variable) in self.module.global_variables.iter() {
            if variable.space != AddressSpace::WorkGroup || info[handle].is_empty() {
                continue;
            }
            let span = self.module.global_variables.get_span(handle);
            let ty = self.types.handle(variable.ty, span)?;
            self.b.set_origin(origin(span));
            let place = self.shared_variable(ty)?;
            self.globals.insert(handle, Val::Pointer(place));
        }
        self.clear_shared();
        Ok(())
    }

    /// Makes the private variables that an entry point uses.
    pub(super) fn private_variables(&mut self, info: &FunctionInfo) -> Result<()> {
        for (handle, variable) in self.module.global_variables.iter() {
            if variable.space != AddressSpace::Private || info[handle].is_empty() {
                continue;
            }
            let span = self.module.global_variables.get_span(handle);
            let ty = self.types.handle(variable.ty, span)?;
            let mut initial = None;
            if let Some(init) = variable.init {
                let mut frame = self.constant_frame();
                initial = Some(self.words(&mut frame, init)?);
            }
            let indexed = self.indexed.global(handle);
            let name = variable.name.as_deref();
            let place = self.variable(name, ty, indexed, initial)?;
            self.globals.insert(handle, Val::Pointer(place));
        }
        Ok(())
    }
}

/// The text up to the body of a function, which naga keeps no span of.
pub(super) fn head(function: &naga::Function) -> Span {
    let first = function
        .body
        .span_iter()
        .find_map(|(_, span)| span.to_range());
    first.map_or(Span::UNDEFINED, |range| Span::new(0, range.start as u32))
}

fn texel_format(format: naga::StorageFormat) -> Option<wgpu_types::TextureFormat> {
    use naga::StorageFormat as S;
    use wgpu_types::TextureFormat as T;
    Some(match format {
        S::R8Unorm => T::R8Unorm,
        S::R8Snorm => T::R8Snorm,
        S::R8Uint => T::R8Uint,
        S::R8Sint => T::R8Sint,
        S::R16Uint => T::R16Uint,
        S::R16Sint => T::R16Sint,
        S::R16Float => T::R16Float,
        S::Rg8Unorm => T::Rg8Unorm,
        S::Rg8Snorm => T::Rg8Snorm,
        S::Rg8Uint => T::Rg8Uint,
        S::Rg8Sint => T::Rg8Sint,
        S::R32Uint => T::R32Uint,
        S::R32Sint => T::R32Sint,
        S::R32Float => T::R32Float,
        S::Rg16Uint => T::Rg16Uint,
        S::Rg16Sint => T::Rg16Sint,
        S::Rg16Float => T::Rg16Float,
        S::Rgba8Unorm => T::Rgba8Unorm,
        S::Rgba8Snorm => T::Rgba8Snorm,
        S::Rgba8Uint => T::Rgba8Uint,
        S::Rgba8Sint => T::Rgba8Sint,
        S::Bgra8Unorm => T::Bgra8Unorm,
        S::Rgb10a2Uint => T::Rgb10a2Uint,
        S::Rgb10a2Unorm => T::Rgb10a2Unorm,
        S::Rg11b10Ufloat => T::Rg11b10Ufloat,
        S::Rg32Uint => T::Rg32Uint,
        S::Rg32Sint => T::Rg32Sint,
        S::Rg32Float => T::Rg32Float,
        S::Rgba16Uint => T::Rgba16Uint,
        S::Rgba16Sint => T::Rgba16Sint,
        S::Rgba16Float => T::Rgba16Float,
        S::Rgba32Uint => T::Rgba32Uint,
        S::Rgba32Sint => T::Rgba32Sint,
        S::Rgba32Float => T::Rgba32Float,
        S::R16Unorm => T::R16Unorm,
        S::R16Snorm => T::R16Snorm,
        S::Rg16Unorm => T::Rg16Unorm,
        S::Rg16Snorm => T::Rg16Snorm,
        S::Rgba16Unorm => T::Rgba16Unorm,
        S::Rgba16Snorm => T::Rgba16Snorm,
        S::R64Uint => return None,
    })
}
