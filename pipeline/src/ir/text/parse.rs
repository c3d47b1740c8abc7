//! Text to function.

use super::Named;
use crate::ir::{
    Access, Block, BlockId, Function, Geometry, ImageKind, ImageOp, Inst, Interface, LaneOp, Local,
    Loop, Op, Origin, Primitives, Resource, ResourceKind, Shape, Slot, Stage, SubgroupOp, Target,
    Terminator, TexelFormat, Text, Type, Value, Varying, Workgroup, image_results, result_type,
};

/// Why text is no function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// A function from its text. The form is checked, the rules of SSA are not: see [`crate::ir::verify`].
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let mut function = None;
    for (number, line) in text.lines().enumerate() {
        let tokens = tokens(line);
        if tokens.is_empty() {
            continue;
        }
        let mut line = Line {
            tokens,
            at: 0,
            number: number as u32 + 1,
        };
        match &mut function {
            None => function = Some(header(&mut line)?),
            Some(function) => statement(&mut line, function)?,
        }
        if line.at != line.tokens.len() {
            return line.fail(format!("`{}` is left over", line.tokens[line.at]));
        }
    }
    function.ok_or(ParseError {
        line: 0,
        message: "the text is empty".to_owned(),
    })
}

/// Names, numbers and values; each bracket and sign stands alone.
fn tokens(line: &str) -> Vec<&str> {
    let line = line.split(';').next().unwrap_or("");
    let mut tokens = Vec::new();
    for part in line.split(|c: char| c.is_whitespace() || c == ',') {
        let mut rest = part;
        while let Some(at) = rest.find(['(', ')', '[', ']', ':', '=']) {
            tokens.extend([&rest[..at], &rest[at..at + 1]]);
            rest = &rest[at + 1..];
        }
        tokens.push(rest);
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

struct Line<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    number: u32,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Line<'a> {
    fn fail<T>(&self, message: String) -> Parsed<T> {
        Err(ParseError {
            line: self.number,
            message,
        })
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self, wanted: &str) -> Parsed<&'a str> {
        match self.peek() {
            Some(token) => {
                self.at += 1;
                Ok(token)
            }
            None => self.fail(format!("{wanted} is missing")),
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let is = self.peek() == Some(token);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        let found = self.peek().unwrap_or("the end of the line");
        self.fail(format!("`{token}` expected, `{found}` found"))
    }

    fn number<T: TryFrom<i64>>(&mut self) -> Parsed<T> {
        let token = self.next("a number")?;
        let value = match token.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => token.parse().ok(),
        };
        match value.and_then(|value| T::try_from(value).ok()) {
            Some(value) => Ok(value),
            None => self.fail(format!("`{token}` is no number that fits here")),
        }
    }

    fn named<T: Named>(&mut self) -> Parsed<T> {
        let mut token = self.next("a name")?.to_owned();
        // Names with a number in brackets came apart as tokens.
        if self.peek() == Some("(") && T::named(&token).is_none() {
            self.expect("(")?;
            token = format!("{token}({})", self.next("a number")?);
            self.expect(")")?;
        }
        match T::named(&token) {
            Some(value) => Ok(value),
            None => self.fail(format!("`{token}` is no {}", std::any::type_name::<T>())),
        }
    }

    fn prefixed(&mut self, prefix: char) -> Parsed<u32> {
        let token = self.next("an operand")?;
        match token
            .strip_prefix(prefix)
            .and_then(|rest| rest.parse().ok())
        {
            Some(number) => Ok(number),
            None => self.fail(format!(
                "`{token}` does not start with `{prefix}` and a number"
            )),
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        Ok(Value(self.prefixed('%')?))
    }

    fn values(&mut self) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        while self.peek().is_some_and(|token| token.starts_with('%')) {
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn block(&mut self) -> Parsed<BlockId> {
        Ok(BlockId(self.prefixed('b')?))
    }

    fn target(&mut self) -> Parsed<Target> {
        let block = self.block()?;
        let mut args = Vec::new();
        if self.eat("(") {
            args = self.values()?;
            self.expect(")")?;
        }
        Ok(Target { block, args })
    }

    fn access(&mut self) -> Parsed<Access> {
        let resource = self.prefixed('r')?;
        let mut element = None;
        if self.eat("[") {
            element = Some(self.value()?);
            self.expect("]")?;
        }
        Ok(Access { resource, element })
    }

    fn shape(&mut self) -> Parsed<Shape> {
        let token = self.next("a shape")?;
        let mut parts = token.split('+');
        let Some(dim) = parts.next().and_then(Named::named) else {
            return self.fail(format!("`{token}` is no shape"));
        };
        let mut shape = Shape {
            dim,
            arrayed: false,
            multisampled: false,
        };
        for part in parts {
            match part {
                "array" => shape.arrayed = true,
                "multisampled" => shape.multisampled = true,
                _ => return self.fail(format!("`{token}` is no shape")),
            }
        }
        Ok(shape)
    }
}

fn header(line: &mut Line) -> Parsed<Function> {
    let stage: Stage = line.named()?;
    Ok(Function {
        name: line.next("a name")?.to_owned(),
        stage,
        types: Vec::new(),
        blocks: Vec::new(),
        locals: Vec::new(),
        interface: Interface::default(),
        text: Text::default(),
    })
}

fn statement(line: &mut Line, function: &mut Function) -> Parsed<()> {
    if function.blocks.is_empty() && declaration(line, function)? {
        return Ok(());
    }
    let token = line.peek().unwrap_or("");
    let starts_block = token
        .strip_prefix('b')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    if starts_block {
        return block_header(line, function);
    }
    let Some(block) = function.blocks.last_mut() else {
        return line.fail(format!("`{token}` outside a block"));
    };
    if let Some(end) = terminator(line)? {
        block.end = end;
        return Ok(());
    }
    let inst = inst(line)?;
    let ty = results_type(&inst, &function.types);
    for &result in &inst.results {
        set_type(line, &mut function.types, result, ty)?;
    }
    block.insts.push(inst);
    Ok(())
}

/// Most values that a text may have: a mistyped number must not fill the memory.
const VALUES: u32 = 1 << 22;

fn set_type(line: &Line, types: &mut Vec<Type>, value: Value, ty: Type) -> Parsed<()> {
    if value.0 >= VALUES {
        return line.fail(format!("{value:?} is above the limit of {VALUES} values"));
    }
    if types.len() <= value.0 as usize {
        types.resize(value.0 as usize + 1, Type::Word);
    }
    types[value.0 as usize] = ty;
    Ok(())
}

fn declaration(line: &mut Line, function: &mut Function) -> Parsed<bool> {
    let interface = &mut function.interface;
    let Some(token) = line.peek() else {
        return Ok(false);
    };
    line.at += 1;
    match token {
        "early_depth" => interface.early_depth = true,
        "sample_shading" => interface.sample_shading = true,
        "side_effects" => interface.side_effects = true,
        "cull_distances" => interface.cull_distances = line.number()?,
        "push" => interface.push_constant_bytes = line.number()?,
        "workgroup" => {
            interface.workgroup = Workgroup {
                size: [line.number()?, line.number()?, line.number()?],
                shared_bytes: line.number()?,
            }
        }
        "geometry" => {
            let mut geometry = Geometry {
                vertices: line.number()?,
                max_vertices: line.number()?,
                declared: None,
                builtins: Vec::new(),
            };
            if line.eat("makes") {
                geometry.declared = Some(Primitives {
                    output: line.named()?,
                    invocations: line.number()?,
                });
            }
            while line.peek().is_some() {
                geometry.builtins.push(line.named()?);
            }
            interface.geometry = Some(geometry);
        }
        "input" => interface.inputs.push(varying(line)?),
        "per_vertex" => interface.per_vertex.push(varying(line)?),
        "output" => interface.outputs.push(varying(line)?),
        "resource" => interface.resources.push(resource(line)?),
        "local" => function.locals.push(Local {
            words: line.number()?,
            name: line.next("a name")?.to_owned(),
            origin: Origin::default(),
        }),
        _ => {
            line.at -= 1;
            return Ok(false);
        }
    }
    Ok(true)
}

fn varying(line: &mut Line) -> Parsed<Varying> {
    Ok(Varying {
        location: line.number()?,
        components: line.number()?,
        scalar: line.named()?,
        interpolation: line.named()?,
        second: line.eat("second"),
        origin: Origin::default(),
    })
}

fn resource(line: &mut Line) -> Parsed<Resource> {
    let slot = Slot {
        group: line.number()?,
        binding: line.number()?,
    };
    let count = line.number()?;
    let name = line.next("a name")?.to_owned();
    let kind = match line.next("a kind")? {
        "uniform" => ResourceKind::Uniform {
            min_bytes: line.number()?,
        },
        "storage" => ResourceKind::Storage {
            min_bytes: line.number()?,
            read_only: line.eat("read_only"),
        },
        "texture" => ResourceKind::Texture {
            shape: line.shape()?,
            scalar: line.named()?,
            depth: line.eat("depth"),
            attachment: line.eat("attachment"),
        },
        "storage_texture" => ResourceKind::StorageTexture {
            shape: line.shape()?,
            format: match line.eat("of_view") {
                true => TexelFormat::OfView(line.named()?),
                false => TexelFormat::Declared(line.named()?),
            },
            read: line.eat("read"),
            write: line.eat("write"),
        },
        "sampler" => ResourceKind::Sampler {
            comparison: line.eat("comparison"),
        },
        other => return line.fail(format!("`{other}` is no kind of resource")),
    };
    Ok(Resource {
        slot,
        name,
        kind,
        count,
    })
}

fn block_header(line: &mut Line, function: &mut Function) -> Parsed<()> {
    let id = line.block()?;
    if id.0 as usize != function.blocks.len() {
        return line.fail(format!("{id:?} follows b{}", function.blocks.len()));
    }
    let mut params = Vec::new();
    if line.eat("(") {
        while !line.eat(")") {
            let param = line.value()?;
            line.expect(":")?;
            let ty = match line.next("a type")? {
                "word" => Type::Word,
                "bool" => Type::Bool,
                other => return line.fail(format!("`{other}` is no type")),
            };
            set_type(line, &mut function.types, param, ty)?;
            params.push(param);
        }
    }
    let mut looping = None;
    if line.eat("loop") {
        line.expect("merge")?;
        let merge = line.block()?;
        line.expect("continuing")?;
        looping = Some(Loop {
            merge,
            continuing: line.block()?,
        });
    }
    line.expect(":")?;
    function.blocks.push(Block {
        params,
        insts: Vec::new(),
        end: Terminator::Unreachable,
        looping,
    });
    Ok(())
}

fn terminator(line: &mut Line) -> Parsed<Option<Terminator>> {
    let end = if line.eat("jump") {
        Terminator::Jump(line.target()?)
    } else if line.eat("branch") {
        let condition = line.value()?;
        let yes = line.target()?;
        line.expect("else")?;
        let no = line.target()?;
        line.expect("merge")?;
        let merge = line.block()?;
        Terminator::Branch {
            condition,
            yes,
            no,
            merge,
        }
    } else if line.eat("return") {
        Terminator::Return
    } else if line.eat("unreachable") {
        Terminator::Unreachable
    } else {
        return Ok(None);
    };
    Ok(Some(end))
}

fn inst(line: &mut Line) -> Parsed<Inst> {
    let results = line.values()?;
    if !results.is_empty() {
        line.expect("=")?;
    }
    let op = op(line)?;
    let args = line.values()?;
    let inst = Inst {
        op,
        args,
        results,
        origin: Origin::default(),
    };
    let fixed = match &inst.op {
        Op::Image(image) => Some(image_results(image)),
        _ => None,
    };
    match fixed {
        Some(count) if count != inst.results.len() => line.fail(format!(
            "{} results where the operation gives {count}",
            inst.results.len()
        )),
        _ => Ok(inst),
    }
}

fn op(line: &mut Line) -> Parsed<Op> {
    let name = line.next("an operation")?;
    if let Some(op) = LaneOp::from_name(name) {
        return Ok(Op::Alu(op));
    }
    Ok(match name {
        "const" => Op::Const(line.number()?),
        "bool" => Op::ConstBool(match line.next("true or false")? {
            "true" => true,
            "false" => false,
            other => return line.fail(format!("`{other}` is no bool")),
        }),
        "select" => Op::Select,
        "logic" => Op::Bool(line.named()?),
        "logic_not" => Op::BoolNot,
        "input" => Op::Input {
            input: line.number()?,
            first: line.number()?,
        },
        "builtin" => Op::Builtin(line.named()?),
        "output" => Op::Output {
            output: line.number()?,
            first: line.number()?,
        },
        "output_builtin" => Op::OutputBuiltin(line.named()?),
        "vertex_input" => Op::VertexInput {
            vertex: line.number()?,
            input: line.number()?,
            first: line.number()?,
        },
        "vertex_position" => Op::VertexPosition(line.number()?),
        "emit_vertex" => Op::EmitVertex,
        "end_primitive" => Op::EndPrimitive,
        "load_buffer" => Op::LoadBuffer(line.access()?),
        "store_buffer" => Op::StoreBuffer(line.access()?),
        "atomic_buffer" => {
            let op = line.named()?;
            Op::AtomicBuffer(line.access()?, op)
        }
        "load_shared" => Op::LoadShared,
        "store_shared" => Op::StoreShared,
        "atomic_shared" => Op::AtomicShared(line.named()?),
        "barrier" => Op::Barrier,
        "fence" => Op::Fence,
        "buffer_bytes" => Op::BufferBytes(line.access()?),
        "load_push" => Op::LoadPush,
        "load_local" => Op::LoadLocal(line.number()?),
        "store_local" => Op::StoreLocal(line.number()?),
        "derivative" => Op::Derivative {
            axis: line.named()?,
            detail: line.named()?,
        },
        "subgroup_ballot" => Op::Subgroup(SubgroupOp::Ballot),
        "subgroup_first" => Op::Subgroup(SubgroupOp::First),
        "subgroup_shuffle" => Op::Subgroup(SubgroupOp::Shuffle),
        "subgroup_quad" => Op::Subgroup(SubgroupOp::Quad([
            line.number()?,
            line.number()?,
            line.number()?,
            line.number()?,
        ])),
        "subgroup_reduce" => Op::Subgroup(SubgroupOp::Reduce(lane_op(line)?)),
        "subgroup_inclusive" => Op::Subgroup(SubgroupOp::Inclusive(lane_op(line)?)),
        "subgroup_exclusive" => Op::Subgroup(SubgroupOp::Exclusive(lane_op(line)?)),
        "discard" => Op::Discard,
        _ => match name.strip_prefix("image_") {
            Some(kind) => Op::Image(image(line, kind)?),
            None => return line.fail(format!("`{name}` is no operation")),
        },
    })
}

fn lane_op(line: &mut Line) -> Parsed<LaneOp> {
    let name = line.next("a lane operation")?;
    match LaneOp::from_name(name) {
        Some(op) => Ok(op),
        None => line.fail(format!("`{name}` is no lane operation")),
    }
}

fn image(line: &mut Line, kind: &str) -> Parsed<ImageOp> {
    let kind = match kind {
        "sample" => ImageKind::Sample {
            lod: line.named()?,
            compare: line.eat("compare"),
            least: line.eat("least"),
            offset: offset(line)?,
        },
        "gather" => ImageKind::Gather {
            component: line.number()?,
            compare: line.eat("compare"),
            offset: offset(line)?,
        },
        "load" => ImageKind::Load {
            level: line.eat("level"),
        },
        "store" => ImageKind::Store,
        "atomic" => ImageKind::Atomic(line.named()?),
        "size" => ImageKind::Size {
            level: line.eat("level"),
        },
        "levels" => ImageKind::Levels,
        "layers" => ImageKind::Layers,
        "samples" => ImageKind::Samples,
        "query_lod" => ImageKind::QueryLod,
        other => return line.fail(format!("`image_{other}` is no operation")),
    };
    let shape = line.shape()?;
    let texture = line.access()?;
    let mut sampler = None;
    if line.eat("sampler") {
        sampler = Some(line.access()?);
    }
    Ok(ImageOp {
        kind,
        texture,
        sampler,
        shape,
    })
}

fn offset(line: &mut Line) -> Parsed<[i8; 3]> {
    if line.eat("offset") {
        Ok([line.number()?, line.number()?, line.number()?])
    } else {
        Ok([0; 3])
    }
}

/// Type of the results; a selection's is that of its operands, which come before it in the text.
fn results_type(inst: &Inst, types: &[Type]) -> Type {
    match &inst.op {
        Op::ConstBool(_) | Op::Bool(_) | Op::BoolNot => Type::Bool,
        Op::Builtin(crate::ir::Builtin::FrontFacing) => Type::Bool,
        Op::Alu(op) => result_type(*op),
        Op::Select => inst
            .args
            .get(1)
            .and_then(|value| types.get(value.0 as usize))
            .copied()
            .unwrap_or(Type::Word),
        _ => Type::Word,
    }
}
