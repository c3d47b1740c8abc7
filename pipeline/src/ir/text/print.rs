//! Function to text.

use std::fmt::Write;

use crate::ir::{
    Access, Block, Function, Geometry, ImageKind, ImageOp, Inst, Op, Primitives, Resource,
    ResourceKind, Shape, SubgroupOp, Target, Terminator, TexelFormat, Type, Value, Varying,
    Workgroup,
};

/// The text of a function.
pub fn print(function: &Function) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_function(&mut out, function);
    out
}

type Written = std::fmt::Result;

fn write_function(out: &mut String, function: &Function) -> Written {
    writeln!(out, "{:?} {}", function.stage, word(&function.name))?;
    let interface = &function.interface;
    for (is, name) in [
        (interface.early_depth, "early_depth"),
        (interface.sample_shading, "sample_shading"),
        (interface.side_effects, "side_effects"),
    ] {
        if is {
            writeln!(out, "{name}")?;
        }
    }
    if interface.cull_distances != 0 {
        writeln!(out, "cull_distances {}", interface.cull_distances)?;
    }
    if interface.push_constant_bytes != 0 {
        writeln!(out, "push {}", interface.push_constant_bytes)?;
    }
    if interface.workgroup != Workgroup::default() {
        let Workgroup {
            size: [x, y, z],
            shared_bytes,
        } = interface.workgroup;
        writeln!(out, "workgroup {x} {y} {z} {shared_bytes}")?;
    }
    if let Some(geometry) = &interface.geometry {
        let Geometry {
            vertices,
            max_vertices,
            declared,
            builtins,
        } = geometry;
        write!(out, "geometry {vertices} {max_vertices}")?;
        if let Some(Primitives {
            output,
            invocations,
        }) = declared
        {
            write!(out, " makes {output:?} {invocations}")?;
        }
        for builtin in builtins {
            write!(out, " {builtin:?}")?;
        }
        writeln!(out)?;
    }
    for varying in &interface.inputs {
        write_varying(out, "input", varying)?;
    }
    for varying in &interface.per_vertex {
        write_varying(out, "per_vertex", varying)?;
    }
    for varying in &interface.outputs {
        write_varying(out, "output", varying)?;
    }
    for resource in &interface.resources {
        write_resource(out, resource)?;
    }
    for local in &function.locals {
        writeln!(out, "local {} {}", local.words, word(&local.name))?;
    }
    for (number, block) in function.blocks.iter().enumerate() {
        write_block(out, number, block, &function.types)?;
    }
    Ok(())
}

/// A name as one token.
fn word(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect()
}

fn write_varying(out: &mut String, kind: &str, varying: &Varying) -> Written {
    write!(
        out,
        "{kind} {} {} {:?} {:?}",
        varying.location, varying.components, varying.scalar, varying.interpolation
    )?;
    writeln!(out, "{}", if varying.second { " second" } else { "" })
}

fn write_resource(out: &mut String, resource: &Resource) -> Written {
    let slot = resource.slot;
    write!(
        out,
        "resource {} {} {} {} ",
        slot.group,
        slot.binding,
        resource.count,
        word(&resource.name)
    )?;
    match resource.kind {
        ResourceKind::Uniform { min_bytes } => writeln!(out, "uniform {min_bytes}"),
        ResourceKind::Storage {
            min_bytes,
            read_only,
        } => writeln!(out, "storage {min_bytes}{}", flag(read_only, "read_only")),
        ResourceKind::Texture {
            shape: of,
            scalar,
            depth,
            attachment,
        } => writeln!(
            out,
            "texture {} {scalar:?}{}{}",
            shape(of),
            flag(depth, "depth"),
            flag(attachment, "attachment")
        ),
        ResourceKind::StorageTexture {
            shape: of,
            format,
            read,
            write,
        } => writeln!(
            out,
            "storage_texture {} {}{}{}",
            shape(of),
            match format {
                TexelFormat::Declared(format) => format!("{format:?}"),
                TexelFormat::OfView(scalar) => format!("of_view {scalar:?}"),
            },
            flag(read, "read"),
            flag(write, "write")
        ),
        ResourceKind::Sampler { comparison } => {
            writeln!(out, "sampler{}", flag(comparison, "comparison"))
        }
    }
}

fn flag(set: bool, name: &str) -> String {
    if set {
        format!(" {name}")
    } else {
        String::new()
    }
}

fn shape(shape: Shape) -> String {
    let arrayed = if shape.arrayed { "+array" } else { "" };
    let multisampled = if shape.multisampled {
        "+multisampled"
    } else {
        ""
    };
    format!("{:?}{arrayed}{multisampled}", shape.dim)
}

fn write_block(out: &mut String, number: usize, block: &Block, types: &[Type]) -> Written {
    write!(out, "b{number}")?;
    if !block.params.is_empty() {
        let params: Vec<String> = block
            .params
            .iter()
            .map(|param| {
                let ty = match types[param.0 as usize] {
                    Type::Word => "word",
                    Type::Bool => "bool",
                };
                format!("{param:?}: {ty}")
            })
            .collect();
        write!(out, "({})", params.join(", "))?;
    }
    if let Some(looping) = block.looping {
        write!(
            out,
            " loop merge {:?} continuing {:?}",
            looping.merge, looping.continuing
        )?;
    }
    writeln!(out, ":")?;
    for inst in &block.insts {
        write_inst(out, inst)?;
    }
    match &block.end {
        Terminator::Jump(to) => writeln!(out, "  jump {}", target(to)),
        Terminator::Branch {
            condition,
            yes,
            no,
            merge,
        } => writeln!(
            out,
            "  branch {condition:?} {} else {} merge {merge:?}",
            target(yes),
            target(no)
        ),
        Terminator::Return => writeln!(out, "  return"),
        Terminator::Unreachable => writeln!(out, "  unreachable"),
    }
}

fn target(target: &Target) -> String {
    if target.args.is_empty() {
        format!("{:?}", target.block)
    } else {
        format!("{:?}({})", target.block, values(&target.args))
    }
}

fn values(values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    texts.join(", ")
}

fn write_inst(out: &mut String, inst: &Inst) -> Written {
    write!(out, "  ")?;
    if !inst.results.is_empty() {
        write!(out, "{} = ", values(&inst.results))?;
    }
    write_op(out, &inst.op)?;
    if !inst.args.is_empty() {
        write!(out, " {}", values(&inst.args))?;
    }
    writeln!(out)
}

fn access(access: Access) -> String {
    match access.element {
        Some(element) => format!("r{}[{element:?}]", access.resource),
        None => format!("r{}", access.resource),
    }
}

fn write_op(out: &mut String, op: &Op) -> Written {
    match op {
        Op::Const(value) => write!(out, "const {value:#x}"),
        Op::ConstBool(value) => write!(out, "bool {value}"),
        Op::Alu(op) => write!(out, "{}", op.name()),
        Op::Select => write!(out, "select"),
        Op::Bool(op) => write!(out, "logic {op:?}"),
        Op::BoolNot => write!(out, "logic_not"),
        Op::Input { input, first } => write!(out, "input {input} {first}"),
        Op::Builtin(builtin) => write!(out, "builtin {builtin:?}"),
        Op::Output { output, first } => write!(out, "output {output} {first}"),
        Op::OutputBuiltin(builtin) => write!(out, "output_builtin {builtin:?}"),
        Op::VertexInput {
            vertex,
            input,
            first,
        } => write!(out, "vertex_input {vertex} {input} {first}"),
        Op::VertexPosition(vertex) => write!(out, "vertex_position {vertex}"),
        Op::EmitVertex => write!(out, "emit_vertex"),
        Op::EndPrimitive => write!(out, "end_primitive"),
        Op::LoadBuffer(at) => write!(out, "load_buffer {}", access(*at)),
        Op::StoreBuffer(at) => write!(out, "store_buffer {}", access(*at)),
        Op::AtomicBuffer(at, op) => write!(out, "atomic_buffer {op:?} {}", access(*at)),
        Op::LoadShared => write!(out, "load_shared"),
        Op::StoreShared => write!(out, "store_shared"),
        Op::AtomicShared(op) => write!(out, "atomic_shared {op:?}"),
        Op::Barrier => write!(out, "barrier"),
        Op::Fence => write!(out, "fence"),
        Op::BufferBytes(at) => write!(out, "buffer_bytes {}", access(*at)),
        Op::LoadPush => write!(out, "load_push"),
        Op::LoadLocal(local) => write!(out, "load_local {local}"),
        Op::StoreLocal(local) => write!(out, "store_local {local}"),
        Op::Image(image) => write_image(out, image),
        Op::Derivative { axis, detail } => write!(out, "derivative {axis:?} {detail:?}"),
        Op::Subgroup(op) => match op {
            SubgroupOp::Ballot => write!(out, "subgroup_ballot"),
            SubgroupOp::First => write!(out, "subgroup_first"),
            SubgroupOp::Shuffle => write!(out, "subgroup_shuffle"),
            SubgroupOp::Quad([a, b, c, d]) => write!(out, "subgroup_quad {a} {b} {c} {d}"),
            SubgroupOp::Reduce(op) => write!(out, "subgroup_reduce {}", op.name()),
            SubgroupOp::Inclusive(op) => write!(out, "subgroup_inclusive {}", op.name()),
            SubgroupOp::Exclusive(op) => write!(out, "subgroup_exclusive {}", op.name()),
        },
        Op::Discard => write!(out, "discard"),
    }
}

fn write_image(out: &mut String, image: &ImageOp) -> Written {
    match &image.kind {
        ImageKind::Sample {
            lod,
            compare,
            least,
            offset,
        } => write!(
            out,
            "image_sample {lod:?}{}{}{}",
            flag(*compare, "compare"),
            flag(*least, "least"),
            offset_text(*offset)
        ),
        ImageKind::Gather {
            component,
            compare,
            offset,
        } => write!(
            out,
            "image_gather {component}{}{}",
            flag(*compare, "compare"),
            offset_text(*offset)
        ),
        ImageKind::Load { level } => write!(out, "image_load{}", flag(*level, "level")),
        ImageKind::Store => write!(out, "image_store"),
        ImageKind::Atomic(op) => write!(out, "image_atomic {op:?}"),
        ImageKind::Size { level } => write!(out, "image_size{}", flag(*level, "level")),
        ImageKind::Levels => write!(out, "image_levels"),
        ImageKind::Layers => write!(out, "image_layers"),
        ImageKind::Samples => write!(out, "image_samples"),
        ImageKind::QueryLod => write!(out, "image_query_lod"),
    }?;
    write!(out, " {} {}", shape(image.shape), access(image.texture))?;
    if let Some(sampler) = image.sampler {
        write!(out, " sampler {}", access(sampler))?;
    }
    Ok(())
}

fn offset_text(offset: [i8; 3]) -> String {
    if offset == [0; 3] {
        String::new()
    } else {
        format!(" offset {} {} {}", offset[0], offset[1], offset[2])
    }
}
