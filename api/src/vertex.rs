//! Vertex attributes in one line.

/// An array of [`VertexAttribute`](crate::VertexAttribute)s that follow each other without gaps: location and format of
/// each.
///
/// ```
/// use girih::{VertexBufferLayout, VertexFormat, vertex_attributes};
///
/// // Position, normal, texture coordinate.
/// let attributes = vertex_attributes![0 => Float32x3, 1 => Float32x3, 2 => Float32x2];
/// let corners = VertexBufferLayout { stride: 32, attributes: &attributes, ..Default::default() };
/// assert_eq!(corners.attributes[2].offset, 24);
/// assert_eq!(corners.attributes[1].format, VertexFormat::Float32x3);
/// ```
#[macro_export]
macro_rules! vertex_attributes {
    ($($location:expr => $format:ident),* $(,)?) => {{
        const FORMATS: &[(u32, $crate::VertexFormat)] =
            &[$(($location, $crate::VertexFormat::$format)),*];
        const ATTRIBUTES: [$crate::VertexAttribute; FORMATS.len()] = {
            let mut attributes = [$crate::VertexAttribute {
                format: $crate::VertexFormat::Float32,
                offset: 0,
                shader_location: 0,
            }; FORMATS.len()];
            let (mut n, mut offset) = (0, 0);
            while n < FORMATS.len() {
                let (shader_location, format) = FORMATS[n];
                attributes[n] = $crate::VertexAttribute { format, offset, shader_location };
                offset += format.size();
                n += 1;
            }
            attributes
        };
        ATTRIBUTES
    }};
}
