//! Which variables are indexed by what is known only at run time.

use std::collections::HashSet;

use naga::{Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Statement};

use super::Expr;

/// Where a chain of accesses starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Base {
    Local(Handle<LocalVariable>),
    Global(Handle<GlobalVariable>),
    Argument(u32),
}

/// Variables and arguments that a run-time index is applied to, here or in a function they are passed to.
#[derive(Default)]
pub(super) struct Indexed {
    functions: Vec<HashSet<Base>>,
    entries: Vec<HashSet<Base>>,
    globals: HashSet<Handle<GlobalVariable>>,
}

impl Indexed {
    pub(super) fn find(module: &Module) -> Indexed {
        let mut indexed = Indexed::default();
        // naga orders functions so that callees come before their callers.
        for (_, function) in module.functions.iter() {
            let found = indexed.scan(function);
            indexed.functions.push(found);
        }
        for point in &module.entry_points {
            let found = indexed.scan(&point.function);
            indexed.entries.push(found);
        }
        let all = indexed.functions.iter().chain(&indexed.entries).flatten();
        indexed.globals = all
            .filter_map(|base| match base {
                Base::Global(global) => Some(*global),
                _ => None,
            })
            .collect();
        indexed
    }

    /// Whether a variable of a function (of an entry point: `None`) is.
    pub(super) fn local(
        &self,
        function: Option<Handle<Function>>,
        variable: Handle<LocalVariable>,
    ) -> bool {
        let base = Base::Local(variable);
        match function {
            Some(function) => self.functions[function.index()].contains(&base),
            None => self.entries.iter().any(|found| found.contains(&base)),
        }
    }

    /// Whether a private variable is.
    pub(super) fn global(&self, variable: Handle<GlobalVariable>) -> bool {
        self.globals.contains(&variable)
    }

    fn scan(&self, function: &Function) -> HashSet<Base> {
        let mut found = HashSet::new();
        for (_, expression) in function.expressions.iter() {
            if let Expression::Access { base, .. } = expression {
                found.extend(base_of(function, *base));
            }
        }
        self.scan_calls(function, &function.body, &mut found);
        found
    }

    fn scan_calls(&self, caller: &Function, block: &naga::Block, found: &mut HashSet<Base>) {
        for statement in block.iter() {
            match statement {
                Statement::Block(block) => self.scan_calls(caller, block, found),
                Statement::If { accept, reject, .. } => {
                    self.scan_calls(caller, accept, found);
                    self.scan_calls(caller, reject, found);
                }
                Statement::Switch { cases, .. } => {
                    for case in cases {
                        self.scan_calls(caller, &case.body, found);
                    }
                }
                Statement::Loop {
                    body, continuing, ..
                } => {
                    self.scan_calls(caller, body, found);
                    self.scan_calls(caller, continuing, found);
                }
                Statement::Call {
                    function,
                    arguments,
                    ..
                } => {
                    let callee = self.functions.get(function.index());
                    for (at, &argument) in arguments.iter().enumerate() {
                        let base = Base::Argument(at as u32);
                        if callee.is_some_and(|found| found.contains(&base)) {
                            found.extend(base_of(caller, argument));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn base_of(function: &Function, mut handle: Expr) -> Option<Base> {
    loop {
        handle = match function.expressions[handle] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => base,
            Expression::LocalVariable(variable) => return Some(Base::Local(variable)),
            Expression::GlobalVariable(variable) => return Some(Base::Global(variable)),
            Expression::FunctionArgument(index) => return Some(Base::Argument(index)),
            _ => return None,
        };
    }
}
