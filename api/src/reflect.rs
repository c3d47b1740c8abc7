//! What shader modules say of themselves: inputs, outputs, bindings, push constants, specialisation constants.
//! [VULKAN Shader Interfaces]

use crate::binding::BindGroupLayoutEntry;
use crate::derive;
use crate::shader::{ShaderError, ShaderModule, Stage};
use pipeline::ir::{BUILTIN_LOCATIONS, Function, ImageOp, Known, Op, Varying};
pub use pipeline::ir::{Interpolation, Scalar};
use pipeline::passes::lowered;
use pipeline::state::GeometryOutput;

/// What an entry point takes and gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderInterface {
    /// Name of the entry point.
    pub entry: String,
    /// Its stage.
    pub stage: Stage,
    /// Inputs, in ascending order of their locations.
    pub inputs: Vec<ShaderVariable>,
    /// Outputs, likewise.
    pub outputs: Vec<ShaderVariable>,
    /// What it reads and writes in descriptor sets, in ascending order of set and binding.
    pub bindings: Vec<ShaderBinding>,
    /// Bytes of push constants that it reads, from the first on.
    pub push_constant_bytes: u32,
    /// Of a geometry shader: its primitives.
    pub geometry: Option<ShaderGeometry>,
}

/// The primitives that a geometry shader takes and makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderGeometry {
    /// Vertices of a primitive that it takes: 4 and 6 with neighbours.
    pub vertices: u32,
    /// Vertices that an invocation may emit.
    pub max_vertices: u32,
    /// What they make, and how many invocations there are for a primitive; none in WGSL, where the pipeline says it.
    pub declared: Option<(GeometryOutput, u32)>,
}

/// A vertex attribute, a varying or a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderVariable {
    /// `location`.
    pub location: u32,
    /// The second source of blending.
    pub second_source: bool,
    /// 1 to 4 words.
    pub components: u32,
    /// How the words are read.
    pub scalar: Scalar,
    /// How a fragment input comes from the vertices.
    pub interpolation: Interpolation,
    /// A fragment input that is an array of what each vertex of the primitive has; the components are those of one.
    pub per_vertex: bool,
}

/// A buffer, a texture, a sampler, or a texture with its sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderBinding {
    /// Descriptor set.
    pub set: u32,
    /// Name in the source.
    pub name: String,
    /// What a set layout has for it: number, type with the least size in bytes, and elements of an array.
    pub entry: BindGroupLayoutEntry,
}

/// A specialisation constant, or an override of WGSL.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderConstant {
    /// The key that gives it a value when a pipeline is made: its number, or its name where it has none.
    pub key: String,
    /// Name in the source.
    pub name: String,
    /// How a number is read; none of a bool.
    pub scalar: Option<Scalar>,
    /// The value where a pipeline gives none, if the module says it as a number: of a bool 0 or 1.
    pub default: Option<f64>,
}

impl ShaderModule {
    /// What an entry point takes and gives where its constants have these values. Without a name, it is the only one of the
    /// stage; without a stage, of any.
    ///
    /// Errors: those of a pipeline about one shader, as there is no such entry point, or a constant without a value.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// let shader = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
    ///     @group(1) @binding(2) var<uniform> tint: vec4f;
    ///     @fragment fn fs(@location(3) color: vec4f) -> @location(0) vec4f { return color * tint; }
    /// "))?;
    /// let interface = shader.interface(None, None, &[])?;
    /// assert_eq!(interface.inputs[0].location, 3);
    /// assert_eq!((interface.bindings[0].set, interface.bindings[0].entry.binding), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interface(
        &self,
        entry: Option<&str>,
        stage: Option<Stage>,
        constants: &[(&str, f64)],
    ) -> Result<ShaderInterface, ShaderError> {
        let constants = constants.iter();
        let constants = constants.map(|(key, value)| ((*key).to_owned(), *value));
        let function = lowered(&self.inner.module, entry, stage, &constants.collect())?;
        Ok(ShaderInterface::of(&function))
    }

    /// The constants that pipelines may give values, in the order of the module.
    pub fn constants(&self) -> Vec<ShaderConstant> {
        let constants = self.inner.module.constants().into_iter();
        constants
            .map(|constant| ShaderConstant {
                key: match constant.id {
                    Some(id) => id.to_string(),
                    None => constant.name.clone(),
                },
                name: constant.name,
                scalar: constant.scalar,
                default: constant
                    .default
                    .map(|known| match (known, constant.scalar) {
                        (Known::Bool(bit), _) => f64::from(u8::from(bit)),
                        (Known::Word(word), Some(Scalar::Float)) => f32::from_bits(word).into(),
                        (Known::Word(word), Some(Scalar::Sint)) => (word as i32).into(),
                        (Known::Word(word), _) => word.into(),
                    }),
            })
            .collect()
    }
}

impl ShaderInterface {
    fn of(function: &Function) -> ShaderInterface {
        let ops: Vec<&ImageOp> = function
            .insts()
            .filter_map(|inst| match &inst.op {
                Op::Image(op) => Some(op),
                _ => None,
            })
            .collect();
        let interface = &function.interface;
        let resources = (0..).zip(&interface.resources);
        let bindings = resources.map(|(number, resource)| ShaderBinding {
            set: resource.slot.group,
            name: resource.name.clone(),
            entry: derive::entry(&ops, function.stage, number, resource),
        });
        let mut bindings: Vec<ShaderBinding> = bindings.collect();
        bindings.sort_by_key(|binding| (binding.set, binding.entry.binding));
        // Variables that share a binding are one, as a texture and its sampler.
        bindings.dedup_by(|next, kept| {
            let same = (next.set, next.entry.binding) == (kept.set, kept.entry.binding);
            let joined = derive::both(kept.entry.ty, next.entry.ty).filter(|_| same);
            kept.entry.ty = joined.unwrap_or(kept.entry.ty);
            if joined.is_some() {
                kept.entry.count = kept.entry.count.max(next.entry.count);
            }
            joined.is_some()
        });
        let variables = |varyings: &[Varying], per_vertex: &[Varying]| -> Vec<ShaderVariable> {
            let variable = |varying: &Varying, per_vertex| ShaderVariable {
                location: varying.location,
                second_source: varying.second,
                components: varying.components,
                scalar: varying.scalar,
                interpolation: varying.interpolation,
                per_vertex,
            };
            // Built-ins have locations beyond those of users.
            let users = varyings.iter().filter(|v| v.location < BUILTIN_LOCATIONS);
            let users = users.map(|varying| variable(varying, false));
            let of_vertices = per_vertex.iter().map(|varying| variable(varying, true));
            let mut variables: Vec<_> = users.chain(of_vertices).collect();
            variables.sort_by_key(|variable| (variable.location, variable.second_source));
            // What is taken at several places of the pixel is one input.
            variables.dedup_by_key(|variable| (variable.location, variable.second_source));
            variables
        };
        ShaderInterface {
            entry: function.name.clone(),
            stage: function.stage,
            inputs: variables(&interface.inputs, &interface.per_vertex),
            outputs: variables(&interface.outputs, &[]),
            bindings,
            push_constant_bytes: interface.push_constant_bytes,
            geometry: interface.geometry.as_ref().map(|geometry| ShaderGeometry {
                vertices: geometry.vertices,
                max_vertices: geometry.max_vertices,
                declared: (geometry.declared).map(|made| (made.output, made.invocations)),
            }),
        }
    }
}
