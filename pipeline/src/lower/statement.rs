//! Statements, and functions inlined at their calls.

use naga::{Block, Handle, Span, Statement, SwitchCase, SwitchValue};

use super::flow::{Branching, Breakable, Flow, LoopEdges};
use super::types::Kind;
use super::{CALL_DEPTH, Expr, Frame, Lowerer, Result, Slot, Val, origin};
use crate::error::ShaderError;
use crate::ir::{AtomicOp, LaneOp, Op, Value};

/// A statement and where it stands.
type Item<'a> = (&'a Statement, Span);
type Flowed = Result<Flow>;

/// Switches with more cases than this become a row of ifs instead of nested ones.
const NESTED_CASES: usize = 16;

fn items(block: &Block) -> Vec<Item<'_>> {
    block
        .span_iter()
        .map(|(statement, span)| (statement, *span))
        .collect()
}

/// Whether every way through a block returns, or breaks out of the switch that it is directly in.
fn escapes(block: &Block, in_switch: bool) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Return { .. } => true,
        Statement::Break => in_switch,
        Statement::Block(block) => escapes(block, in_switch),
        Statement::If { accept, reject, .. } => {
            escapes(accept, in_switch) && escapes(reject, in_switch)
        }
        _ => false,
    })
}

/// An `if` and what comes behind it.
struct If<'a> {
    condition: Value,
    accept: &'a Block,
    reject: &'a Block,
}

impl<'a> Lowerer<'a> {
    /// Inlines a function. The result's leaves; none when it never returns.
    pub(super) fn call(
        &mut self,
        function: &'a naga::Function,
        info: &'a naga::valid::FunctionInfo,
        arguments: Vec<Val>,
        handle: Option<Handle<naga::Function>>,
        span: Span,
    ) -> Result<Option<Vec<Value>>> {
        self.check_size()?;
        if self.depth == CALL_DEPTH {
            return Err(ShaderError::TooLarge {
                what: "calls inside calls",
                needed: CALL_DEPTH as u64 + 1,
                limit: CALL_DEPTH as u64,
                at: self.checked.locate(span),
            });
        }
        self.depth += 1;
        let mark = self.env.len();
        let returned = self.flag();
        let result = self.env.len();
        let mut words = 0;
        if let Some(returns) = &function.result {
            let ty = self.types.handle(returns.ty, span)?;
            let zeros = self.zeros(&ty)?;
            words = zeros.len();
            self.slots(Slot::Variable, &zeros);
        }
        let mut frame = Frame {
            expressions: &function.expressions,
            info: Some(info),
            arguments,
            values: vec![None; function.expressions.len()],
            locals: Vec::new(),
            result,
            returned,
        };
        for (variable, local) in function.local_variables.iter() {
            let span = function.local_variables.get_span(variable);
            let ty = self.types.handle(local.ty, span)?;
            let initial = match local.init {
                Some(init) => Some(self.words(&mut frame, init)?),
                None => None,
            };
            let indexed = self.indexed.local(handle, variable);
            self.b.set_origin(origin(span));
            let place = self.variable(local.name.as_deref(), ty, indexed, initial)?;
            frame.locals.push(Val::Pointer(place));
        }
        let breakables = std::mem::take(&mut self.breakables);
        let flow = self.sequence(&mut frame, &items(&function.body))?;
        self.breakables = breakables;
        self.depth -= 1;
        if flow.left {
            return Ok(None);
        }
        let values = self.env[result..result + words].to_vec();
        self.drop_slots(mark);
        Ok(Some(values))
    }

    fn block(&mut self, f: &mut Frame<'a>, block: &'a Block) -> Flowed {
        self.sequence(f, &items(block))
    }

    /// Statements one after the other.
    fn sequence(&mut self, f: &mut Frame<'a>, list: &[Item<'a>]) -> Flowed {
        let mut total = Flow::default();
        for (at, &(statement, span)) in list.iter().enumerate() {
            let rest = &list[at + 1..];
            self.b.set_origin(origin(span));
            let mut flow = match statement {
                Statement::If {
                    condition,
                    accept,
                    reject,
                } => {
                    let condition = self.scalar(f, *condition)?;
                    let branch = If {
                        condition,
                        accept,
                        reject,
                    };
                    let in_switch = matches!(self.breakables.last(), Some(Breakable::Switch(_)));
                    let sides = [accept, reject].map(|side| escapes(side, in_switch));
                    // When one side never comes back, what follows belongs to the other side.
                    if sides[0] != sides[1] {
                        let mut flow = self.branch(f, &branch, sides, rest)?;
                        flow.add_pending(&total.pending);
                        return Ok(flow);
                    }
                    self.branch(f, &branch, [true, true], &[])?
                }
                _ => self.statement(f, statement, span)?,
            };
            flow.add_pending(&total.pending);
            if flow.ends() || rest.is_empty() {
                return Ok(flow);
            }
            let raised = self.any_flag(&flow.pending);
            if self.b.known_bool(raised) != Some(false) {
                let after = self.either(
                    raised,
                    |_| Ok(Flow::default()),
                    |this| this.sequence(f, rest),
                )?;
                flow.left = after.left;
                flow.add_pending(&after.pending);
                return Ok(flow);
            }
            total = flow;
        }
        Ok(total)
    }

    /// Both sides of an `if`; `rest` follows the sides that do not escape.
    fn branch(
        &mut self,
        f: &mut Frame<'a>,
        branch: &If<'a>,
        escapes: [bool; 2],
        rest: &[Item<'a>],
    ) -> Flowed {
        let [yes, no] = [0, 1].map(|side| {
            let block = if side == 0 {
                branch.accept
            } else {
                branch.reject
            };
            let mut list = items(block);
            if !escapes[side] {
                list.extend_from_slice(rest);
            }
            list
        });
        // Both closures need the frame, one after the other.
        let frame = std::cell::RefCell::new(f);
        self.either(
            branch.condition,
            |this| this.sequence(&mut frame.borrow_mut(), &yes),
            |this| this.sequence(&mut frame.borrow_mut(), &no),
        )
    }

    fn statement(&mut self, f: &mut Frame<'a>, statement: &'a Statement, span: Span) -> Flowed {
        self.check_size()?;
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let value = self.evaluate(f, handle)?;
                    f.values[handle.index()] = Some(value);
                }
            }
            Statement::Block(block) => return self.block(f, block),
            Statement::If { .. } => return self.sequence(f, &[(statement, span)]),
            Statement::Switch { selector, cases } => {
                let selector = self.scalar(f, *selector)?;
                return self.switch(f, selector, cases);
            }
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => return self.looping(f, body, continuing, *break_if),
            Statement::Break => return Ok(self.break_out()),
            Statement::Continue => {
                let target = self.innermost().continuing;
                let edge = self.jump_edge(target);
                self.innermost().continues.push(edge);
                return Ok(Flow::left());
            }
            Statement::Return { value } => {
                if let Some(value) = value {
                    let words = self.words(f, *value)?;
                    self.env[f.result..f.result + words.len()].copy_from_slice(&words);
                }
                self.raise(f.returned);
                return Ok(Flow::escaped(f.returned));
            }
            Statement::Kill => {
                let yes = self.b.bit(true);
                self.b.effect(Op::Discard, vec![yes]);
            }
            Statement::MemoryBarrier(_) => self.fence(),
            Statement::ControlBarrier(barrier) => {
                // The lanes of a wave go on as one.
                match *barrier == naga::Barrier::SUB_GROUP {
                    true => self.fence(),
                    false => self.barrier()?,
                }
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let place = self.place(f, *pointer)?;
                self.barrier()?;
                let words = self.load(&place)?;
                self.barrier()?;
                f.values[result.index()] = Some(Val::Words(words));
            }
            Statement::Store { pointer, value } => {
                let place = self.place(f, *pointer)?;
                let words = self.words(f, *value)?;
                match self.shared_atomic(f, *pointer, &place) {
                    true => drop(self.writer.atomic(&place, AtomicOp::Exchange, [words[0]])?),
                    false => self.store(&place, &words)?,
                }
            }
            Statement::ImageStore {
                image,
                coordinate,
                array_index,
                value,
            } => self.image_store(f, *image, *coordinate, *array_index, *value)?,
            Statement::Atomic {
                pointer,
                fun,
                value,
                result,
            } => self.atomic(f, *pointer, fun, *value, *result)?,
            Statement::ImageAtomic {
                image,
                coordinate,
                array_index,
                fun,
                value,
            } => self.image_atomic(f, *image, *coordinate, *array_index, fun, *value)?,
            Statement::Call {
                function,
                arguments,
                result,
            } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(f, *argument)?);
                }
                if self.emits(*function, &values, span)? {
                    return Ok(Flow::default());
                }
                let callee = &self.module.functions[*function];
                let info = &self.info[*function];
                let Some(words) = self.call(callee, info, values, Some(*function), span)? else {
                    return Ok(Flow::left());
                };
                if let Some(result) = result {
                    f.values[result.index()] = Some(Val::Words(words.into()));
                }
            }
            Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) => {
                return self.unsupported("ray tracing", span);
            }
            Statement::SubgroupBallot { result, predicate } => {
                let which = match predicate {
                    Some(predicate) => self.scalar(f, *predicate)?,
                    None => self.b.bit(true),
                };
                let words = self.ballot(which)?;
                f.values[result.index()] = Some(Val::Words(words.into()));
            }
            Statement::SubgroupGather {
                mode,
                argument,
                result,
            } => {
                let words = self.gather(f, *mode, *argument)?;
                f.values[result.index()] = Some(Val::Words(words.into()));
            }
            Statement::SubgroupCollectiveOperation {
                op,
                collective_op,
                argument,
                result,
            } => {
                let words = self.collective(f, (*op, *collective_op), *argument)?;
                let words = self.fit(f, *argument, words)?;
                f.values[result.index()] = Some(Val::Words(words.into()));
            }
            Statement::CooperativeStore { .. } => {
                return self.unsupported("a cooperative matrix", span);
            }
        }
        Ok(Flow::default())
    }

    fn innermost(&mut self) -> &mut LoopEdges {
        self.loops
            .last_mut()
            .expect("naga found break and continue to be inside a loop")
    }

    fn break_out(&mut self) -> Flow {
        if let Some(Breakable::Switch(flag)) = self.breakables.last() {
            let flag = *flag;
            self.raise(flag);
            return Flow::escaped(flag);
        }
        let target = self.innermost().merge;
        let edge = self.jump_edge(target);
        self.innermost().breaks.push(edge);
        Flow::left()
    }

    fn looping(
        &mut self,
        f: &mut Frame<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Expr>,
    ) -> Flowed {
        let head = self.open_loop(&[])?;
        let (merge, continue_block) = (head.merge, head.continuing);
        self.loops.push(LoopEdges {
            merge,
            continuing: continue_block,
            breaks: Vec::new(),
            continues: Vec::new(),
            pending: Vec::new(),
        });
        self.breakables.push(Breakable::Loop);
        let flow = self.block(f, body)?;
        self.leave_body(&flow)?;

        let continues = std::mem::take(&mut self.innermost().continues);
        let reachable = !continues.is_empty();
        self.meet(continue_block, continues, head.mark);
        if reachable {
            self.block(f, continuing)?;
            let leave = match break_if {
                Some(condition) => self.scalar(f, condition)?,
                None => self.b.bit(false),
            };
            let back = match self.b.known_bool(leave) {
                Some(true) => {
                    let edge = self.jump_edge(merge);
                    self.innermost().breaks.push(edge);
                    None
                }
                Some(false) => Some(self.b.jump(head.header)),
                None => {
                    let [out, back] = self.b.branch(leave, merge, head.header, merge);
                    let edge = self.edge(out);
                    self.innermost().breaks.push(edge);
                    Some(back)
                }
            };
            if let Some(back) = back {
                self.close_loop(&head, back);
            }
        }
        self.breakables.pop();
        let Some(edges) = self.loops.pop() else {
            return Ok(Flow::left());
        };
        self.leave();
        let left = edges.breaks.is_empty();
        self.meet(merge, edges.breaks, head.mark);
        Ok(Flow {
            left,
            escaped: false,
            pending: edges.pending,
        })
    }

    /// From the end of a loop's body to `continuing`, or out of the loop where a flag is set.
    fn leave_body(&mut self, flow: &Flow) -> Result<()> {
        if flow.left {
            return Ok(());
        }
        let raised = self.any_flag(&flow.pending);
        let flags = flow.pending.clone();
        let out = |this: &mut Self| {
            let target = this.innermost().merge;
            let edge = this.jump_edge(target);
            this.innermost().breaks.push(edge);
            for flag in flags {
                let pending = &mut this.innermost().pending;
                if !pending.contains(&flag) {
                    pending.push(flag);
                }
            }
            Ok(Flow::left())
        };
        let after = if flow.escaped {
            out(self)?
        } else {
            self.either(raised, out, |_| Ok::<_, ShaderError>(Flow::default()))?
        };
        if !after.left {
            let target = self.innermost().continuing;
            let edge = self.jump_edge(target);
            self.innermost().continues.push(edge);
        }
        Ok(())
    }

    fn switch(&mut self, f: &mut Frame<'a>, selector: Value, cases: &'a [SwitchCase]) -> Flowed {
        let mark = self.env.len();
        let flag = self.flag();
        self.breakables.push(Breakable::Switch(flag));
        let groups = self.groups(selector, cases);
        let falls = groups
            .iter()
            .any(|group| group.case.fall_through && !group.case.body.is_empty());
        let flow = if falls || groups.len() > NESTED_CASES {
            self.row_of_cases(f, &groups)
        } else {
            let (default, valued): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.default);
            let ordered: Vec<_> = valued.into_iter().chain(default).collect();
            self.nested_cases(f, &ordered)
        };
        self.breakables.pop();
        let mut flow = flow?;
        if flow.left {
            return Ok(flow);
        }
        let broke = flow.pending.contains(&flag);
        flow.pending.retain(|pending| *pending != flag);
        flow.escaped &= !broke;
        self.drop_slots(mark);
        Ok(flow)
    }

    /// Cases that share a body, and whether the selector chooses it.
    fn groups(&mut self, selector: Value, cases: &'a [SwitchCase]) -> Vec<Group<'a>> {
        let mut any = self.b.bit(false);
        let mut groups = Vec::new();
        let mut chosen = self.b.bit(false);
        let mut default = false;
        for case in cases {
            match case.value {
                SwitchValue::Default => default = true,
                SwitchValue::I32(_) | SwitchValue::U32(_) => {
                    let value = match case.value {
                        SwitchValue::I32(value) => value as u32,
                        SwitchValue::U32(value) => value,
                        SwitchValue::Default => 0,
                    };
                    let value = self.b.word(value);
                    let hit = self.b.alu(LaneOp::IEq, &[selector, value]);
                    chosen = self.b.or(chosen, hit);
                    any = self.b.or(any, hit);
                }
            }
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            groups.push(Group {
                case,
                chosen,
                default,
            });
            chosen = self.b.bit(false);
            default = false;
        }
        let none = self.b.not(any);
        for group in groups.iter_mut().filter(|group| group.default) {
            group.chosen = self.b.or(group.chosen, none);
        }
        groups
    }

    fn nested_cases(&mut self, f: &mut Frame<'a>, groups: &[Group<'a>]) -> Flowed {
        let Some((first, rest)) = groups.split_first() else {
            return Ok(Flow::default());
        };
        if first.default {
            return self.block(f, &first.case.body);
        }
        let frame = std::cell::RefCell::new(f);
        self.either(
            first.chosen,
            |this| this.block(&mut frame.borrow_mut(), &first.case.body),
            |this| this.nested_cases(&mut frame.borrow_mut(), rest),
        )
    }

    /// Cases one after the other, each guarded; a case that falls through opens the next one's guard.
    fn row_of_cases(&mut self, f: &mut Frame<'a>, groups: &[Group<'a>]) -> Flowed {
        let fell = self.flag();
        let mut total = Flow::default();
        for group in groups {
            let fell_through = self.env[fell];
            let open = self.b.or(group.chosen, fell_through);
            let raised = self.any_flag(&total.pending);
            let running = self.b.not(raised);
            let open = self.b.and(open, running);
            let flow = self.either(
                open,
                |this| {
                    this.env[fell] = this.b.bit(group.case.fall_through);
                    this.block(f, &group.case.body)
                },
                |_| Ok(Flow::default()),
            )?;
            // A side that ends leaves the other one, unless the case is known to be taken.
            total.add_pending(&flow.pending);
            if flow.left {
                return Ok(flow);
            }
        }
        Ok(total)
    }

    fn atomic(
        &mut self,
        f: &mut Frame<'a>,
        pointer: Expr,
        fun: &naga::AtomicFunction,
        value: Expr,
        result: Option<Expr>,
    ) -> Result<()> {
        let span = f.expressions.get_span(pointer);
        let place = self.place(f, pointer)?;
        let (op, compare) = self.atomic_op(f, fun, place.ty.kind(), span)?;
        let value = self.scalar(f, value)?;
        let old = self
            .writer
            .atomic(&place, op, [value].into_iter().chain(compare))?;
        if let Some(result) = result {
            let mut words = vec![old];
            if let Some(compare) = compare {
                words.push(self.b.alu(LaneOp::IEq, &[old, compare]));
            }
            f.values[result.index()] = Some(Val::Words(words.into()));
        }
        Ok(())
    }

    /// The operation, and the comparator where it has one.
    pub(super) fn atomic_op(
        &mut self,
        f: &mut Frame<'a>,
        fun: &naga::AtomicFunction,
        kind: Kind,
        span: Span,
    ) -> Result<(AtomicOp, Option<Value>)> {
        use naga::AtomicFunction as Fun;
        if kind == Kind::F32 && !matches!(fun, Fun::Exchange { compare: None }) {
            return self.unsupported("an atomic operation on f32", span);
        }
        let signed = kind == Kind::I32;
        Ok(match fun {
            Fun::Add => (AtomicOp::Add, None),
            Fun::Subtract => (AtomicOp::Sub, None),
            Fun::And => (AtomicOp::And, None),
            Fun::InclusiveOr => (AtomicOp::Or, None),
            Fun::ExclusiveOr => (AtomicOp::Xor, None),
            Fun::Min if signed => (AtomicOp::IMin, None),
            Fun::Min => (AtomicOp::UMin, None),
            Fun::Max if signed => (AtomicOp::IMax, None),
            Fun::Max => (AtomicOp::UMax, None),
            Fun::Exchange { compare: None } => (AtomicOp::Exchange, None),
            Fun::Exchange {
                compare: Some(compare),
            } => (AtomicOp::CompareExchange, Some(self.scalar(f, *compare)?)),
        })
    }
}

/// A body of a switch.
struct Group<'a> {
    case: &'a SwitchCase,
    chosen: Value,
    default: bool,
}
