//! The control flow of a function as a tree, and which values are the same in all lanes.
//!
//! A back end walks the tree and never looks for merges itself. Uniformity is conservative: a value called uniform has
//! one value in all lanes that run together whenever it is read.

use lanes::LaneOp;

use crate::ir::{
    Block, BlockId, Builtin, Function, ImageKind, Op, Stage, SubgroupOp, Target, Terminator, Value,
};

/// A piece of code.
#[derive(Clone, Debug)]
pub enum Node {
    /// The instructions of a block; what follows its end is the next node or the end of the list.
    Block(BlockId),
    /// What the branch at the end of a block leads to.
    Branch {
        /// The block that ends in the branch.
        block: BlockId,
        /// Where true.
        yes: Vec<Node>,
        /// Where false.
        no: Vec<Node>,
        /// Where the sides meet.
        merge: BlockId,
    },
    /// A loop.
    Loop(usize),
}

/// Where a jump leads, seen from its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// To the end of a list of nodes or the next node of it.
    Next,
    /// Out of the loop.
    Break(usize),
    /// To the continuing part of the loop.
    Continue(usize),
    /// To the header of the loop.
    Back(usize),
}

/// A loop of the tree.
#[derive(Clone, Debug)]
pub struct LoopNode {
    /// First block.
    pub header: BlockId,
    /// Where `break` goes.
    pub merge: BlockId,
    /// Where `continue` goes.
    pub continuing_block: BlockId,
    /// From the header to the continuing part.
    pub body: Vec<Node>,
    /// From the continuing block to the back edge; empty when that is the header's own block.
    pub continuing: Vec<Node>,
    /// The loop around this one.
    pub parent: Option<usize>,
    /// Lanes leave or continue one by one, so the loop runs under masks.
    pub masked: bool,
    /// A jump to the continuing part stands inside a branch whose lanes differ, so lanes wait there.
    pub waits: bool,
    /// Lanes that were discarded, here or before, may be among those that go round.
    pub discards: bool,
}

/// Tree and uniformity of a function.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The whole function.
    pub root: Vec<Node>,
    /// Loops, outer ones first.
    pub loops: Vec<LoopNode>,
    /// Innermost loop of every block.
    pub loop_of: Vec<Option<usize>>,
    /// Whether a value may differ between lanes.
    pub divergent: Vec<bool>,
    /// Block that defines each value.
    pub home: Vec<BlockId>,
    /// Number of uses of each value.
    pub uses: Vec<u32>,
    /// The value is used outside of a masked loop that defines it; the outermost such loop.
    pub escapes: Vec<Option<usize>>,
    /// Branches in force at a block inside its innermost loop.
    inside: Vec<Vec<BlockId>>,
}

struct Walk<'a> {
    function: &'a Function,
    loops: Vec<LoopNode>,
    loop_of: Vec<Option<usize>>,
    inside: Vec<Vec<BlockId>>,
    stops: Vec<BlockId>,
}

impl Structure {
    /// Analyses a function.
    pub fn new(function: &Function) -> Structure {
        let count = function.blocks.len();
        let mut walk = Walk {
            function,
            loops: Vec::new(),
            loop_of: vec![None; count],
            inside: vec![Vec::new(); count],
            stops: Vec::new(),
        };
        let root = walk.list(BlockId(0), None, &mut Vec::new());
        let values = function.types.len();
        let mut structure = Structure {
            root,
            loops: walk.loops,
            loop_of: walk.loop_of,
            divergent: vec![false; values],
            home: vec![BlockId(0); values],
            uses: vec![0; values],
            escapes: vec![None; values],
            inside: walk.inside,
        };
        for (b, block) in function.blocks.iter().enumerate() {
            let defined = block.insts.iter().flat_map(|inst| &inst.results);
            for value in block.params.iter().chain(defined) {
                structure.home[value.0 as usize] = BlockId(b as u32);
            }
            each_use(block, |value| structure.uses[value.0 as usize] += 1);
        }
        while structure.round(function) {}
        structure.find_escapes(function);
        let root = structure.root.clone();
        structure.find_discards(function, &root, &mut false);
        structure
    }

    /// Whether a value may differ between lanes.
    pub fn is_divergent(&self, value: Value) -> bool {
        self.divergent[value.0 as usize]
    }

    /// What a jump from a block to another is.
    pub fn edge(&self, from: BlockId, to: BlockId) -> Edge {
        let Some(l) = self.loop_of[from.0 as usize] else {
            return Edge::Next;
        };
        let node = &self.loops[l];
        if to == node.merge {
            Edge::Break(l)
        } else if to == node.header {
            Edge::Back(l)
        } else if to == node.continuing_block {
            Edge::Continue(l)
        } else {
            Edge::Next
        }
    }

    /// Whether a loop lies in another, or is it.
    fn within(&self, mut inner: Option<usize>, outer: usize) -> bool {
        while let Some(l) = inner {
            if l == outer {
                return true;
            }
            inner = self.loops[l].parent;
        }
        false
    }

    fn set(&mut self, value: Value) -> bool {
        !std::mem::replace(&mut self.divergent[value.0 as usize], true)
    }

    fn condition_diverges(&self, function: &Function, block: BlockId) -> bool {
        match &function.blocks[block.0 as usize].end {
            Terminator::Branch { condition, .. } => self.is_divergent(*condition),
            _ => false,
        }
    }

    /// One round of propagation; whether something changed.
    fn round(&mut self, function: &Function) -> bool {
        let mut changed = false;
        for (b, block) in function.blocks.iter().enumerate() {
            let id = BlockId(b as u32);
            for inst in &block.insts {
                let differs = match inst.op {
                    Op::Subgroup(op) if op.is_uniform() => false,
                    // The lane alone says whose value it is.
                    Op::Subgroup(SubgroupOp::Shuffle) => self.is_divergent(inst.args[1]),
                    _ => {
                        let own = source(function.stage, &inst.op);
                        own || inst.operands().any(|a| self.is_divergent(a))
                    }
                };
                if differs {
                    for &result in &inst.results {
                        changed |= self.set(result);
                    }
                }
            }
            let splits = self.condition_diverges(function, id);
            for target in block.end.targets() {
                let params = &function.blocks[target.block.0 as usize].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    if self.is_divergent(arg) {
                        changed |= self.set(param);
                    }
                }
                if let Edge::Break(l) | Edge::Continue(l) | Edge::Back(l) =
                    self.edge(id, target.block)
                {
                    let inside = splits
                        || self.inside[b]
                            .iter()
                            .any(|&at| self.condition_diverges(function, at));
                    let waits = inside && matches!(self.edge(id, target.block), Edge::Continue(_));
                    changed |= inside && !std::mem::replace(&mut self.loops[l].masked, true);
                    changed |= waits && !std::mem::replace(&mut self.loops[l].waits, true);
                }
            }
            if let (true, Terminator::Branch { merge, .. }) = (splits, &block.end) {
                for &param in &function.blocks[merge.0 as usize].params {
                    changed |= self.set(param);
                }
            }
        }
        for l in 0..self.loops.len() {
            if !self.loops[l].masked {
                continue;
            }
            let meets = [
                Some(self.loops[l].merge),
                self.loops[l]
                    .waits
                    .then_some(self.loops[l].continuing_block),
            ];
            for block in meets.into_iter().flatten() {
                for &param in &function.blocks[block.0 as usize].params {
                    changed |= self.set(param);
                }
            }
        }
        // A lane keeps the value of its last round while others go on.
        for (b, block) in function.blocks.iter().enumerate() {
            let here = self.loop_of[b];
            let mut outside = Vec::new();
            each_use(block, |value| {
                if self.left_masked_loop(value, here).is_some() {
                    outside.push(value);
                }
            });
            for value in outside {
                changed |= self.set(value);
            }
        }
        changed
    }

    /// The outermost masked loop that holds the value's definition but not the place of use.
    fn left_masked_loop(&self, value: Value, place: Option<usize>) -> Option<usize> {
        let mut found = None;
        let mut at = self.loop_of[self.home[value.0 as usize].0 as usize];
        while let Some(l) = at {
            if self.within(place, l) {
                break;
            }
            if self.loops[l].masked {
                found = Some(l);
            }
            at = self.loops[l].parent;
        }
        found
    }

    fn find_escapes(&mut self, function: &Function) {
        for (b, block) in function.blocks.iter().enumerate() {
            let here = self.loop_of[b];
            let mut found = Vec::new();
            each_use(block, |value| {
                if let Some(l) = self.left_masked_loop(value, here) {
                    found.push((value, l));
                }
            });
            for (value, l) in found {
                let slot = &mut self.escapes[value.0 as usize];
                // Loops are numbered from outside in.
                *slot = Some(slot.map_or(l, |old| old.min(l)));
            }
        }
    }

    /// Marks loops, in the order of the code: masks are given back where ways meet, so a lane that was discarded may be
    /// in any loop behind.
    fn find_discards(&mut self, function: &Function, nodes: &[Node], discarded: &mut bool) {
        for node in nodes {
            match node {
                Node::Block(id) => *discarded |= discards(function, *id),
                Node::Branch { yes, no, .. } => {
                    self.find_discards(function, yes, discarded);
                    self.find_discards(function, no, discarded);
                }
                Node::Loop(l) => {
                    let (body, continuing) = {
                        let node = &self.loops[*l];
                        (node.body.clone(), node.continuing.clone())
                    };
                    *discarded |= self.any_discard(function, &body);
                    *discarded |= self.any_discard(function, &continuing);
                    self.loops[*l].discards = *discarded;
                    self.find_discards(function, &body, discarded);
                    self.find_discards(function, &continuing, discarded);
                }
            }
        }
    }

    fn any_discard(&self, function: &Function, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Block(id) => discards(function, *id),
            Node::Branch { yes, no, .. } => {
                self.any_discard(function, yes) || self.any_discard(function, no)
            }
            Node::Loop(l) => {
                let node = &self.loops[*l];
                self.any_discard(function, &node.body)
                    || self.any_discard(function, &node.continuing)
            }
        })
    }
}

impl Walk<'_> {
    fn list(
        &mut self,
        start: BlockId,
        within: Option<usize>,
        branches: &mut Vec<BlockId>,
    ) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut at = start;
        let mut entering = false;
        loop {
            let block = &self.function.blocks[at.0 as usize];
            if let (Some(looping), false) = (block.looping, entering) {
                let l = self.loops.len();
                self.loops.push(LoopNode {
                    header: at,
                    merge: looping.merge,
                    continuing_block: looping.continuing,
                    body: Vec::new(),
                    continuing: Vec::new(),
                    parent: within,
                    masked: false,
                    waits: false,
                    discards: false,
                });
                let depth = self.stops.len();
                self.stops.extend([looping.merge, looping.continuing, at]);
                let body = self.loop_body(at, l);
                let continuing = if looping.continuing == at {
                    Vec::new()
                } else {
                    self.list(looping.continuing, Some(l), &mut Vec::new())
                };
                self.stops.truncate(depth);
                self.loops[l].body = body;
                self.loops[l].continuing = continuing;
                nodes.push(Node::Loop(l));
                if self.stops.contains(&looping.merge) {
                    return nodes;
                }
                at = looping.merge;
                continue;
            }
            entering = false;
            self.loop_of[at.0 as usize] = within;
            self.inside[at.0 as usize] = branches.clone();
            match self.step(at, within, branches, &mut nodes) {
                Some(next) => at = next,
                None => return nodes,
            }
        }
    }

    fn loop_body(&mut self, header: BlockId, l: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut branches = Vec::new();
        self.loop_of[header.0 as usize] = Some(l);
        if let Some(next) = self.step(header, Some(l), &mut branches, &mut nodes) {
            nodes.extend(self.list(next, Some(l), &mut branches));
        }
        nodes
    }

    /// Appends a block and its branch; gives the block to go on with.
    fn step(
        &mut self,
        at: BlockId,
        within: Option<usize>,
        branches: &mut Vec<BlockId>,
        nodes: &mut Vec<Node>,
    ) -> Option<BlockId> {
        let function = self.function;
        nodes.push(Node::Block(at));
        match &function.blocks[at.0 as usize].end {
            Terminator::Jump(target) => {
                (!self.stops.contains(&target.block)).then_some(target.block)
            }
            Terminator::Return | Terminator::Unreachable => None,
            Terminator::Branch { yes, no, merge, .. } => {
                let outer = self.stops.contains(merge);
                self.stops.push(*merge);
                branches.push(at);
                let mut side = |walk: &mut Self, target: &Target| {
                    if walk.stops.contains(&target.block) {
                        Vec::new()
                    } else {
                        walk.list(target.block, within, branches)
                    }
                };
                let yes = side(self, yes);
                let no = side(self, no);
                branches.pop();
                self.stops.pop();
                nodes.push(Node::Branch {
                    block: at,
                    yes,
                    no,
                    merge: *merge,
                });
                (!outer).then_some(*merge)
            }
        }
    }
}

fn discards(function: &Function, id: BlockId) -> bool {
    let insts = &function.blocks[id.0 as usize].insts;
    insts.iter().any(|inst| inst.op == Op::Discard)
}

/// Calls `f` for every operand in a block, with repetition.
fn each_use(block: &Block, mut f: impl FnMut(Value)) {
    for inst in &block.insts {
        inst.operands().for_each(&mut f);
    }
    block.end.operands().for_each(f);
}

/// Whether results differ between lanes although the operands do not.
fn source(stage: Stage, op: &Op) -> bool {
    match op {
        Op::Input { .. } | Op::LoadLocal(_) | Op::Derivative { .. } => true,
        Op::VertexInput { .. } | Op::VertexPosition(_) => true,
        Op::AtomicBuffer(..) | Op::AtomicShared(_) => true,
        Op::Builtin(builtin) => match builtin {
            Builtin::DrawIndex | Builtin::BaseVertex | Builtin::BaseInstance => {
                stage != Stage::Vertex
            }
            Builtin::WorkgroupId(_) | Builtin::WorkgroupCount(_) => false,
            Builtin::SubgroupSize | Builtin::SubgroupId | Builtin::SubgroupCount => false,
            _ => true,
        },
        Op::Image(image) => matches!(image.kind, ImageKind::Atomic(_)),
        Op::Subgroup(op) => !op.is_uniform(),
        _ => false,
    }
}

/// Whether the scalar unit has an instruction for an operation.
pub fn scalar_op(op: LaneOp) -> bool {
    use LaneOp::*;
    matches!(
        op,
        Mov | And
            | Or
            | Xor
            | Not
            | AndNot
            | OrNot
            | Shl
            | Shr
            | Sar
            | Bfm
            | BitCount
            | BitReverse
            | FirstHighU
            | FirstHighI
            | FirstLow
            | IAdd
            | ISub
            | IMul
            | IMin
            | IMax
            | UMin
            | UMax
            | IAbs
            | IEq
            | INe
            | ILt
            | ILe
            | IGt
            | IGe
            | ULt
            | ULe
            | UGt
            | UGe
    )
}
