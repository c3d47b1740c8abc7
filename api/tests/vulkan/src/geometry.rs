//! Draws a scene of geometry shaders of `girih` through a Vulkan driver: the same meshes, GLSL for WGSL.
//!
//!     girih-vulkan-geometry SCENE WIDTH HEIGHT FRAME PICTURE
//!     girih-vulkan-geometry --scene SCENE --frames COUNT --json REPORT
//!
//! The second form times 1280x720 pixels, as a peer of `girih bench`.

// The same files as in `scenes`, which this program does not depend on: it would bring all of girih.
#[path = "../../../../examples/scenes/src/math.rs"]
#[allow(dead_code)]
mod math;
#[path = "../../../cli/src/measure.rs"]
mod measure;
#[path = "../../../../examples/scenes/src/mesh.rs"]
#[allow(dead_code)]
mod mesh;
#[path = "../../../../examples/scenes/src/geometry/shapes.rs"]
mod shapes;
mod vulkan;

use std::error::Error;
use std::ops::Range;

use ash::vk;
use mesh::{Mesh, sphere};

type Failure = Box<dyn Error>;
type Uniforms = [f32; shapes::UNIFORM_FLOATS];

macro_rules! words {
    ($name:literal) => {
        include_bytes!(concat!("../shaders/", $name, ".spv"))
    };
}

/// What is done with depth and stencil.
#[derive(Clone, Copy, PartialEq)]
enum Tests {
    /// What is nearer is drawn.
    Nearest,
    /// Sides of volumes behind what is seen are counted; nothing is drawn.
    Volume,
    /// What is seen, and in no volume, is drawn again.
    Lit,
}

/// A pipeline that draws a part of the mesh.
struct Step {
    vertex: &'static [u8],
    geometry: Option<&'static [u8]>,
    fragment: Option<&'static [u8]>,
    topology: vk::PrimitiveTopology,
    cull: vk::CullModeFlags,
    tests: Tests,
    indices: Range<u32>,
    /// It has turned.
    turns: bool,
    /// It goes to the faces of a cube, which later steps see.
    layered: bool,
}

/// A scene.
struct Drawing {
    mesh: Mesh,
    clear: [f32; 4],
    turns: f64,
    steps: Vec<Step>,
}

const TRIANGLES: vk::PrimitiveTopology = vk::PrimitiveTopology::TRIANGLE_LIST;
const POINTS: vk::PrimitiveTopology = vk::PrimitiveTopology::POINT_LIST;
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// All of a mesh through a geometry shader.
fn amplified(
    topology: vk::PrimitiveTopology,
    [vertex, geometry, fragment]: [&'static [u8]; 3],
    mesh: &Mesh,
) -> Step {
    Step {
        vertex,
        geometry: Some(geometry),
        fragment: Some(fragment),
        topology,
        cull: vk::CullModeFlags::NONE,
        tests: Tests::Nearest,
        indices: 0..mesh.indices.len() as u32,
        turns: true,
        layered: false,
    }
}

/// A part of a mesh as it is.
fn plain([vertex, fragment]: [&'static [u8]; 2], indices: Range<u32>) -> Step {
    Step {
        vertex,
        geometry: None,
        fragment: Some(fragment),
        topology: TRIANGLES,
        cull: vk::CullModeFlags::BACK,
        tests: Tests::Nearest,
        indices,
        turns: true,
        layered: false,
    }
}

/// A scene of one mesh.
fn model(name: &str, frame: u32) -> Option<Drawing> {
    let (corner, smooth) = (words!("corner.vert"), words!("smooth.frag"));
    let (mesh, steps) = match name {
        "exploded" => {
            let mesh = sphere(28, 16);
            let shaders: [&[u8]; 3] = [corner, words!("exploded.geom"), words!("flat.frag")];
            let steps = vec![amplified(TRIANGLES, shaders, &mesh)];
            (mesh, steps)
        }
        "normals" => {
            let mesh = sphere(24, 12);
            let solid: [&[u8]; 2] = [words!("solid.vert"), words!("normals.frag")];
            let lines: [&[u8]; 3] = [
                words!("turned.vert"),
                words!("normals.geom"),
                words!("normals_line.frag"),
            ];
            let all = 0..mesh.indices.len() as u32;
            let steps = vec![plain(solid, all), amplified(TRIANGLES, lines, &mesh)];
            (mesh, steps)
        }
        "wireframe" => {
            let mesh = sphere(20, 12);
            let shaders: [&[u8]; 3] = [
                words!("clipped.vert"),
                words!("wireframe.geom"),
                words!("wireframe.frag"),
            ];
            let steps = vec![amplified(TRIANGLES, shaders, &mesh)];
            (mesh, steps)
        }
        "billboards" => {
            let mesh = shapes::spiral();
            let fragment = words!("billboards.frag");
            let shaders: [&[u8]; 3] = [corner, words!("billboards.geom"), fragment];
            let steps = vec![amplified(POINTS, shaders, &mesh)];
            (mesh, steps)
        }
        "grass" => {
            let mesh = shapes::meadow();
            let steps = vec![amplified(
                POINTS,
                [corner, words!("grass.geom"), smooth],
                &mesh,
            )];
            (mesh, steps)
        }
        _ => return None,
    };
    Some(Drawing {
        mesh,
        clear: [0.02, 0.025, 0.04, 1.0],
        turns: shapes::turns_at(frame),
        steps,
    })
}

fn shadow_volumes(frame: u32) -> Drawing {
    let (mesh, [floor, objects, linked]) = shapes::floor_and_objects();
    let (vertex, through) = (words!("turned.vert"), words!("shadows_through.geom"));
    let (ambient, lit) = (words!("shadows_ambient.frag"), words!("shadows_lit.frag"));
    let solid = |fragment, indices| Step {
        geometry: Some(through),
        ..plain([vertex, fragment], indices)
    };
    let still = |fragment| Step {
        turns: false,
        ..solid(fragment, floor.clone())
    };
    let in_light = |step| Step {
        tests: Tests::Lit,
        ..step
    };
    let volumes = Step {
        fragment: None,
        tests: Tests::Volume,
        indices: linked,
        ..amplified(
            vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY,
            [vertex, words!("shadows.geom"), ambient],
            &mesh,
        )
    };
    let steps = vec![
        still(ambient),
        solid(ambient, objects.clone()),
        volumes,
        in_light(still(lit)),
        in_light(solid(lit, objects)),
    ];
    Drawing {
        mesh,
        clear: BLACK,
        turns: shapes::shadow_turns_at(frame),
        steps,
    }
}

fn reflections(frame: u32) -> Drawing {
    let (mesh, [room, ball]) = shapes::room_and_ball();
    let inside = words!("reflections_inside.frag");
    let faces: [&[u8]; 3] = [
        words!("reflections_faces.vert"),
        words!("reflections.geom"),
        inside,
    ];
    let mirror: [&[u8]; 2] = [
        words!("reflections_ball.vert"),
        words!("reflections_mirror.frag"),
    ];
    let steps = vec![
        Step {
            indices: room.clone(),
            layered: true,
            ..amplified(TRIANGLES, faces, &mesh)
        },
        plain([words!("reflections_plain.vert"), inside], room),
        plain(mirror, ball),
    ];
    Drawing {
        mesh,
        clear: BLACK,
        turns: shapes::mirror_turns_at(frame),
        steps,
    }
}

/// A scene, and its uniforms.
fn load(name: &str, size: [u32; 2], frame: u32) -> Result<(Drawing, [Uniforms; 2]), Failure> {
    let drawing = match name {
        "shadow-volumes" => shadow_volumes(frame),
        "reflections" => reflections(frame),
        name => model(name, frame).ok_or("there is no such scene")?,
    };
    let aspect = size[0] as f32 / size[1] as f32;
    let uniforms = [0.0, drawing.turns].map(|turns| shapes::uniforms(aspect, frame, turns));
    Ok((drawing, uniforms))
}

/// Times a scene, and what `girih bench` reads of it.
fn report(name: &str, frames: u32) -> Result<String, Failure> {
    const SIZE: [u32; 2] = [1280, 720];
    let (drawing, uniforms) = load(name, SIZE, 0)?;
    let times = vulkan::time(&drawing, &uniforms, SIZE, frames)?;
    let (ms, cores) = (times.ms, times.processor_ms / times.ms);
    Ok(format!(
        r#"{{"driver_info": "Vulkan", "scenes": [{{"ms": {ms}, "cores": {cores}}}]}}"#
    ))
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--scene", name, "--frames", frames, "--json", file] => {
            Ok(std::fs::write(file, report(name, frames.parse()?)?)?)
        }
        [name, width, height, frame, picture] => {
            let size = [width.parse()?, height.parse()?];
            let (drawing, uniforms) = load(name, size, frame.parse()?)?;
            Ok(std::fs::write(
                picture,
                vulkan::draw(&drawing, &uniforms, size)?,
            )?)
        }
        _ => Err("usage: girih-vulkan-geometry SCENE WIDTH HEIGHT FRAME PICTURE\n       girih-vulkan-geometry --scene SCENE --frames COUNT --json REPORT".into()),
    }
}
