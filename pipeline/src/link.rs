//! Vertex outputs to fragment inputs, vertex attributes to vertex inputs, fragment outputs to colour targets.

mod builtins;

use wgpu_types as wgt;

use silicon::gpu::Limits;

use crate::error::{At, ShaderError};
use crate::ir::{
    BUILTIN_LOCATIONS, Function, Interface, Interpolation, Primitives, Scalar, Stage, Varying,
};
use crate::names::{Name, vector};
use crate::state::{GeometryOutput, GraphicsState};
use crate::stream::{self, StreamSource};

pub(crate) use builtins::{export_builtins, link_primitive_index};

/// One fragment input and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Number of the vertex shader's parameter export.
    pub parameter: u32,
    /// How it is interpolated.
    pub interpolation: Interpolation,
}

/// Shaders and state that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A shader reads what the one before does not write.
    #[error(
        "{} input @location({location}) is not written by the {} shader{at}",
        reader.name(),
        writer.name()
    )]
    MissingOutput {
        /// Location.
        location: u32,
        /// Stage that reads it.
        reader: Stage,
        /// Stage before.
        writer: Stage,
        /// Where it is declared.
        at: At,
    },
    /// A shader reads a clip or cull distance that the one before does not write.
    #[error(
        "the {} shader reads {kind} distance {number}, of which the {} shader writes {written}",
        reader.name(),
        writer.name()
    )]
    MissingDistance {
        /// Clip or cull.
        kind: &'static str,
        /// Number of the distance.
        number: u32,
        /// How many are written.
        written: u32,
        /// Stage that reads it.
        reader: Stage,
        /// Stage before.
        writer: Stage,
    },
    /// Type or size differ.
    #[error(
        "{} input @location({location}) is {}, but the {} shader writes {}{at}",
        reader.name(),
        vector(*wanted_scalar, *wanted),
        writer.name(),
        vector(*found_scalar, *found)
    )]
    TypeMismatch {
        /// Location.
        location: u32,
        /// Components read.
        wanted: u32,
        /// Their type.
        wanted_scalar: Scalar,
        /// Components written.
        found: u32,
        /// Their type.
        found_scalar: Scalar,
        /// Stage that reads them.
        reader: Stage,
        /// Stage before.
        writer: Stage,
        /// Where the input is declared.
        at: At,
    },
    /// The stages disagree about interpolation.
    #[error(
        "@location({location}) is interpolated as {} by the fragment shader and as {} by the {} shader{at}",
        fragment.name(),
        before.name(),
        writer.name()
    )]
    InterpolationMismatch {
        /// Location.
        location: u32,
        /// As the fragment shader says.
        fragment: Interpolation,
        /// As the shader before it says.
        before: Interpolation,
        /// Stage of that.
        writer: Stage,
        /// Where the fragment shader declares it.
        at: At,
    },
    /// Vertices do not choose a viewport in front of a geometry shader.
    #[error(
        "vertex output @location({location}) is to say the viewport, but primitives come from a geometry shader: let it emit `viewport_index`"
    )]
    ViewportBeforeGeometry {
        /// Location.
        location: u32,
    },
    /// The primitives of the pipeline are not those that the geometry shader takes.
    #[error(
        "the geometry shader takes primitives of {vertices} vertices, which a {} has not",
        topology.name()
    )]
    PrimitiveVertices {
        /// Vertices, with neighbours.
        vertices: u32,
        /// Topology of the pipeline.
        topology: wgt::PrimitiveTopology,
    },
    /// The geometry shader says itself what it emits, and it is not what the pipeline says.
    #[error("the geometry shader emits {}, but the pipeline says {}", declared.name(), found.name())]
    GeometryOutput {
        /// As the shader says.
        declared: GeometryOutput,
        /// As the pipeline says.
        found: GeometryOutput,
    },
    /// The geometry shader says itself how often it runs for a primitive, and it is not what the pipeline says.
    #[error(
        "the geometry shader declares {declared} invocations for each primitive, but the pipeline says {found}"
    )]
    GeometryInvocations {
        /// As the shader says.
        declared: u32,
        /// As the pipeline says.
        found: u32,
    },
    /// More varyings than the chip has.
    #[error("{count} varyings, but the device has {limit}")]
    TooManyVaryings {
        /// Varyings of a shader; one that is taken at several places of the pixel counts for each.
        count: u32,
        /// Limit of the device.
        limit: u32,
    },
    /// The device has no stream output.
    #[error("the shader has stream output, which the device has not")]
    NoStreamOutput,
    /// What goes to a buffer does not fit a vertex there.
    #[error(
        "{components} components at byte {offset} of stream buffer {buffer} do not fit vertices of {stride} bytes"
    )]
    StreamedPlace {
        /// The buffer.
        buffer: u32,
        /// Bytes behind the start of the vertex.
        offset: u32,
        /// Components.
        components: u32,
        /// Bytes from a vertex to the next: a multiple of 4 up to [`MAX_STREAM_STRIDE`](stream::MAX_STREAM_STRIDE).
        stride: u32,
    },
    /// What goes to a buffer is not written.
    #[error(
        "stream output takes components {first} to {} of {}, which has {found}", first + components - 1, streamed(*output)
    )]
    StreamedOutput {
        /// What is taken.
        output: StreamSource,
        /// First component.
        first: u32,
        /// Components.
        components: u32,
        /// Components that there are.
        found: u32,
    },
    /// The output that is to be the number of the viewport is not there.
    #[error("the vertex shader has no output @location({location}) to say the viewport")]
    NoViewport {
        /// Location.
        location: u32,
    },
    /// The output that is to be the number of the viewport is no single integer.
    #[error(
        "vertex output @location({location}) is {}; the number of a viewport is one integer",
        vector(*scalar, *components)
    )]
    ViewportType {
        /// Location.
        location: u32,
        /// Type of the output.
        scalar: Scalar,
        /// Its components.
        components: u32,
    },
    /// The vertex shader reads an attribute that no buffer has.
    #[error("vertex input @location({location}) is in no vertex buffer of the pipeline")]
    MissingAttribute {
        /// Location.
        location: u32,
    },
    /// The attribute's format is read as another type.
    #[error(
        "vertex input @location({location}) is read as {}, but its format {} gives {}",
        wanted.name(),
        format.name(),
        found.name()
    )]
    AttributeType {
        /// Location.
        location: u32,
        /// As the shader reads it.
        wanted: Scalar,
        /// Format of the buffer.
        format: wgt::VertexFormat,
        /// As the format is.
        found: Scalar,
    },
    /// A colour target that nothing writes.
    #[error(
        "color target {target} has a write mask, but the fragment shader has no output @location({target})"
    )]
    MissingColor {
        /// Number of the target.
        target: u32,
    },
    /// The colour's type is not that of the target.
    #[error(
        "fragment output @location({target}) is {}, but color target {target} has format {}",
        found.name(),
        format.name()
    )]
    ColorType {
        /// Number of the target.
        target: u32,
        /// As the shader writes it.
        found: Scalar,
        /// Format of the target.
        format: wgt::TextureFormat,
    },
}

/// An output in words.
fn streamed(source: StreamSource) -> String {
    match source {
        StreamSource::Position => "the position".to_owned(),
        StreamSource::PointSize => "the point size".to_owned(),
        StreamSource::Distance(n) => format!("clip distance {n}"),
        StreamSource::Location(location) => format!("@location({location})"),
    }
}

/// What a vertex format reads as.
pub fn vertex_scalar(format: wgt::VertexFormat) -> Scalar {
    use wgt::VertexFormat as F;
    match format {
        F::Uint8 | F::Uint8x2 | F::Uint8x4 | F::Uint16 | F::Uint16x2 | F::Uint16x4 => Scalar::Uint,
        F::Uint32 | F::Uint32x2 | F::Uint32x3 | F::Uint32x4 => Scalar::Uint,
        F::Sint8 | F::Sint8x2 | F::Sint8x4 | F::Sint16 | F::Sint16x2 | F::Sint16x4 => Scalar::Sint,
        F::Sint32 | F::Sint32x2 | F::Sint32x3 | F::Sint32x4 => Scalar::Sint,
        _ => Scalar::Float,
    }
}

/// What a colour format is written as; none for depth and stencil.
pub fn color_scalar(format: wgt::TextureFormat) -> Option<Scalar> {
    match format.sample_type(None, None)? {
        wgt::TextureSampleType::Float { .. } => Some(Scalar::Float),
        wgt::TextureSampleType::Sint => Some(Scalar::Sint),
        wgt::TextureSampleType::Uint => Some(Scalar::Uint),
        wgt::TextureSampleType::Depth => None,
    }
}

/// Refuses inputs and outputs at locations that the device does not have.
pub fn check_locations(function: &Function, limits: &Limits) -> Result<(), ShaderError> {
    let (inputs, outputs) = match function.stage {
        Stage::Vertex => (
            ("the vertex input", limits.vertex_attributes, false),
            ("the vertex output", limits.varyings, true),
        ),
        Stage::Geometry => (
            ("the geometry input", limits.varyings, true),
            ("the geometry output", limits.varyings, true),
        ),
        _ => (
            ("the fragment input", limits.varyings, true),
            ("the fragment output", limits.color_attachments, false),
        ),
    };
    let interface = &function.interface;
    for ((what, limit, between), varyings) in
        [(inputs, &interface.inputs), (outputs, &interface.outputs)]
    {
        let is_builtin = |v: &Varying| between && v.location >= BUILTIN_LOCATIONS;
        let beyond = |v: &&Varying| v.location >= limit && !is_builtin(v);
        if let Some(varying) = varyings.iter().find(beyond) {
            return Err(ShaderError::Location {
                what,
                location: varying.location,
                limit,
                at: function.text.locate(varying.origin),
            });
        }
    }
    Ok(())
}

/// Joins the stages. The n-th result belongs to the n-th fragment input.
pub fn link(
    vertex: &Function,
    geometry: Option<&Function>,
    fragment: Option<&Function>,
    state: &GraphicsState,
    varyings: u32,
) -> Result<Vec<Link>, LinkError> {
    attributes(&vertex.interface, state)?;
    let before = geometry.unwrap_or(vertex);
    for function in [vertex, before] {
        let count = function.interface.outputs.len() as u32;
        if count > varyings {
            return Err(LinkError::TooManyVaryings {
                count,
                limit: varyings,
            });
        }
    }
    if let Some(geometry) = geometry {
        primitives(geometry, state)?;
        declarations(geometry, state)?;
        for input in &geometry.interface.inputs {
            source(input, geometry, vertex)?;
        }
    }
    if let Some(layout) = &state.stream {
        stream::check(layout, before)?;
    }
    let Some(fragment) = fragment else {
        return Ok(Vec::new());
    };
    colors(&fragment.interface, state)?;
    let count = fragment.interface.inputs.len() as u32;
    if count > varyings {
        return Err(LinkError::TooManyVaryings {
            count,
            limit: varyings,
        });
    }
    let mut links = Vec::with_capacity(fragment.interface.inputs.len());
    for input in &fragment.interface.inputs {
        let (parameter, output) = source(input, fragment, before)?;
        if (output.interpolation == Interpolation::Flat)
            != (input.interpolation == Interpolation::Flat)
        {
            return Err(LinkError::InterpolationMismatch {
                location: input.location,
                fragment: input.interpolation,
                before: output.interpolation,
                writer: before.stage,
                at: fragment.text.locate(input.origin),
            });
        }
        links.push(Link {
            parameter: parameter as u32,
            interpolation: input.interpolation,
        });
    }
    Ok(links)
}

/// The output of a stage that an input of the next comes from, and its place.
fn source<'a>(
    input: &Varying,
    reader: &Function,
    writer: &'a Function,
) -> Result<(usize, &'a Varying), LinkError> {
    let location = input.location;
    let mut outputs = writer.interface.outputs.iter().enumerate();
    let (place, output) = outputs
        .find(|(_, output)| output.location == location)
        .ok_or_else(|| LinkError::MissingOutput {
            location,
            reader: reader.stage,
            writer: writer.stage,
            at: reader.text.locate(input.origin),
        })?;
    if output.scalar != input.scalar || output.components < input.components {
        return Err(LinkError::TypeMismatch {
            location,
            wanted: input.components,
            wanted_scalar: input.scalar,
            found: output.components,
            found_scalar: output.scalar,
            reader: reader.stage,
            writer: writer.stage,
            at: reader.text.locate(input.origin),
        });
    }
    Ok((place, output))
}

/// Whether a geometry shader takes the primitives of a pipeline, with their neighbours or without.
fn primitives(geometry: &Function, state: &GraphicsState) -> Result<(), LinkError> {
    use wgt::PrimitiveTopology as Topology;
    let vertices = geometry
        .interface
        .geometry
        .as_ref()
        .map_or(0, |g| g.vertices);
    let topology = state.primitive.topology;
    let fits = match topology {
        Topology::PointList => vertices == 1,
        Topology::LineList | Topology::LineStrip => matches!(vertices, 2 | 4),
        Topology::TriangleList | Topology::TriangleStrip => matches!(vertices, 3 | 6),
    };
    match fits {
        true => Ok(()),
        false => Err(LinkError::PrimitiveVertices { vertices, topology }),
    }
}

/// Whether the pipeline runs a geometry shader as it says itself.
fn declarations(geometry: &Function, state: &GraphicsState) -> Result<(), LinkError> {
    let interface = geometry.interface.geometry.as_ref();
    let declared = interface.and_then(|geometry| geometry.declared);
    let (Some(declared), Some(found)) = (declared, state.geometry) else {
        return Ok(());
    };
    let Primitives {
        output,
        invocations,
    } = declared;
    if output != found.output {
        return Err(LinkError::GeometryOutput {
            declared: output,
            found: found.output,
        });
    }
    if invocations != found.invocations {
        return Err(LinkError::GeometryInvocations {
            declared: invocations,
            found: found.invocations,
        });
    }
    Ok(())
}

fn attributes(vertex: &Interface, state: &GraphicsState) -> Result<(), LinkError> {
    for input in &vertex.inputs {
        let location = input.location;
        let format = state
            .vertex_buffers
            .iter()
            .flat_map(|buffer| &buffer.attributes)
            .find(|attribute| attribute.shader_location == location)
            .ok_or(LinkError::MissingAttribute { location })?
            .format;
        let found = vertex_scalar(format);
        if found != input.scalar {
            return Err(LinkError::AttributeType {
                location,
                wanted: input.scalar,
                format,
                found,
            });
        }
    }
    Ok(())
}

fn colors(fragment: &Interface, state: &GraphicsState) -> Result<(), LinkError> {
    for (target, color) in state.targets.iter().enumerate() {
        let Some(color) = color else { continue };
        let target = target as u32;
        let output = fragment
            .outputs
            .iter()
            .find(|output| output.location == target && !output.second);
        match output {
            None if color.write_mask.is_empty() => {}
            None => return Err(LinkError::MissingColor { target }),
            Some(output) if color_scalar(color.format) != Some(output.scalar) => {
                return Err(LinkError::ColorType {
                    target,
                    found: output.scalar,
                    format: color.format,
                });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
