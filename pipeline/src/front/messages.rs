//! What naga says is wrong with a shader, in words: parts of the text for expressions, names for types.
//!
//! naga's own messages number both, as `[12]` or `Some([3])`.

use std::error::Error;

use naga::common::wgsl::TypeContext;
use naga::proc::LayoutError;
use naga::valid::{
    CallError, ComposeError, EntryPointError, ExpressionError, FunctionError, GlobalVariableError,
    LocalVariableError, TypeError, ValidationError, VaryingError,
};
use naga::{Arena, Expression, Handle, Module, Type, TypeInner, WithSpan};

/// Longest part of the text that stands for an expression.
const QUOTED: usize = 60;

/// What validation found. The outermost message names the object, the innermost the rule.
pub(crate) fn validation(
    error: &WithSpan<ValidationError>,
    module: &Module,
    text: Option<&str>,
) -> String {
    let error = error.as_inner();
    let names = Names {
        module,
        text,
        expressions: expressions(error, module),
    };
    let mut message = names.say(error);
    let mut cause = error.source();
    while let Some(inner) = cause {
        message = format!("{message}: {}", names.say(inner));
        cause = inner.source();
    }
    message
}

/// What the GLSL front end met and what it wanted.
pub(crate) fn glsl(error: &naga::front::glsl::Error, text: &str) -> String {
    use naga::front::glsl::{ErrorKind, ExpectedToken};
    let quoted = |span: naga::Span| quote(text, span).unwrap_or_else(|| "this".to_owned());
    match &error.kind {
        ErrorKind::InvalidToken(_, wanted) => {
            let wanted = wanted.iter().map(|token| match token {
                ExpectedToken::Token(token) => separated(&format!("{token:?}"), ' '),
                other => other.to_string(),
            });
            let wanted: Vec<String> = wanted.collect();
            let found = quoted(error.meta);
            format!("expected {}, found {found}", wanted.join(", "))
        }
        ErrorKind::PreprocessorError(inner) => {
            let what = separated(&format!("{inner:?}"), ' ');
            format!("{what} in the preprocessor at {}", quoted(error.meta))
        }
        kind => kind.to_string(),
    }
}

/// The name of a variant in the form of its `Debug`, as words with something between them.
pub(crate) fn separated(debug: &str, between: char) -> String {
    let mut name = String::new();
    for c in debug.chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !name.is_empty() {
            name.push(between);
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// The expressions that a message may number.
fn expressions<'a>(error: &ValidationError, module: &'a Module) -> &'a Arena<Expression> {
    match error {
        ValidationError::Function { handle, .. } => &module.functions[*handle].expressions,
        ValidationError::EntryPoint { name, stage, .. } => {
            let mut points = module.entry_points.iter();
            let point = points.find(|point| point.name == *name && point.stage == *stage);
            point.map_or(&module.global_expressions, |p| &p.function.expressions)
        }
        _ => &module.global_expressions,
    }
}

/// A short part of the text on one line.
fn quote(text: &str, span: naga::Span) -> Option<String> {
    let part = text.get(span.to_range()?)?.trim();
    let short = !part.is_empty() && part.len() <= QUOTED && !part.contains('\n');
    short.then(|| format!("`{part}`"))
}

struct Names<'a> {
    module: &'a Module,
    text: Option<&'a str>,
    expressions: &'a Arena<Expression>,
}

impl Names<'_> {
    fn expression(&self, handle: Handle<Expression>) -> String {
        let known = handle.index() < self.expressions.len();
        let span = known.then(|| self.expressions.get_span(handle));
        let quoted = span.and_then(|span| quote(self.text?, span));
        quoted.unwrap_or_else(|| "an expression".to_owned())
    }

    fn ty(&self, handle: Handle<Type>) -> String {
        let mut name = String::new();
        let known = handle.index() < self.module.types.len();
        let written = known.then(|| self.module.to_ctx().write_type(handle, &mut name));
        match written {
            Some(Ok(())) if !name.is_empty() => format!("`{name}`"),
            _ => "a type".to_owned(),
        }
    }

    fn inner(&self, inner: &TypeInner) -> String {
        let mut name = String::new();
        let found = self.module.types.iter().find(|(_, ty)| ty.inner == *inner);
        match (inner, found) {
            (TypeInner::Struct { .. }, Some((handle, _))) => self.ty(handle),
            (TypeInner::Struct { .. }, None) => "a structure".to_owned(),
            _ => match self.module.to_ctx().write_type_inner(inner, &mut name) {
                Ok(()) => format!("`{name}`"),
                Err(_) => "a type".to_owned(),
            },
        }
    }

    /// One message of the chain.
    fn say(&self, error: &(dyn Error + 'static)) -> String {
        if let Some(ValidationError::Type { handle, .. }) = error.downcast_ref() {
            return format!("the type {} is invalid", self.ty(*handle));
        }
        if let Some(error) = error.downcast_ref::<EntryPointError>() {
            match error {
                EntryPointError::Function(inner) => return self.say(inner),
                EntryPointError::Result(inner) => return self.say(inner),
                EntryPointError::InvalidGlobalUsage(variable, _) => {
                    let name = self.numbered_variable(variable.index());
                    return format!("{name} is used as its address space does not allow");
                }
                _ => {}
            }
        }
        let known = None
            .or_else(|| self.function(error.downcast_ref()?))
            .or_else(|| self.expression_error(error.downcast_ref()?))
            .or_else(|| self.call(error.downcast_ref()?))
            .or_else(|| self.varying(error.downcast_ref()?));
        known.unwrap_or_else(|| self.without_numbers(error))
    }

    fn function(&self, error: &FunctionError) -> Option<String> {
        Some(match error {
            FunctionError::InvalidReturnType {
                expression,
                expected_ty,
            } => match (expression.map(|e| self.expression(e)), expected_ty) {
                (Some(value), Some(ty)) => {
                    let ty = self.ty(*ty);
                    format!("{value} is returned, but the function returns {ty}")
                }
                (Some(value), None) => {
                    format!("{value} is returned, but the function returns nothing")
                }
                (None, Some(ty)) => {
                    let ty = self.ty(*ty);
                    format!("nothing is returned, but the function returns {ty}")
                }
                (None, None) => "the `return` does not fit the function".to_owned(),
            },
            FunctionError::InvalidStoreTypes { pointer, value } => {
                let (pointer, value) = (self.expression(*pointer), self.expression(*value));
                format!("{value} cannot be stored to {pointer}, which has another type")
            }
            FunctionError::InvalidCall { function, .. } => {
                let known = function.index() < self.module.functions.len();
                let name = known.then(|| self.module.functions[*function].name.as_deref());
                let name = name.flatten().unwrap_or("a function");
                format!("the call to `{name}` is invalid")
            }
            _ => return None,
        })
    }

    fn expression_error(&self, error: &ExpressionError) -> Option<String> {
        Some(match error {
            ExpressionError::InvalidBinaryOperandTypes {
                op,
                lhs_expr,
                lhs_type,
                rhs_expr,
                rhs_type,
            } => {
                let op = separated(&format!("{op:?}"), ' ');
                let (left, right) = (self.expression(*lhs_expr), self.expression(*rhs_expr));
                let (left_type, right_type) = (self.inner(lhs_type), self.inner(rhs_type));
                format!("{op} does not take {left} of {left_type} and {right} of {right_type}")
            }
            ExpressionError::SelectValuesTypeMismatch { accept, reject } => {
                let (accept, reject) = (self.inner(accept), self.inner(reject));
                format!("a selection between {reject} and {accept} needs one type")
            }
            ExpressionError::SelectConditionNotABool { actual } => {
                let actual = self.inner(actual);
                format!("the condition of a selection is {actual}, not a boolean")
            }
            ExpressionError::ShiftAmountTooLarge { lhs_type, rhs_expr } => {
                let (amount, ty) = (self.expression(*rhs_expr), self.inner(lhs_type));
                format!("{amount} shifts by more than the bits of {ty}")
            }
            ExpressionError::InvalidZeroValue(ty) | ExpressionError::ExpectedImageType(ty) => {
                let message = without_handles(&error.to_string(), |_| self.ty(*ty));
                return Some(message);
            }
            _ => return None,
        })
    }

    fn call(&self, error: &CallError) -> Option<String> {
        let CallError::ArgumentType {
            index,
            required,
            seen_expression,
        } = error
        else {
            return None;
        };
        let (value, ty) = (self.expression(*seen_expression), self.ty(*required));
        Some(format!("argument {index}, {value}, is not of type {ty}"))
    }

    fn varying(&self, error: &VaryingError) -> Option<String> {
        Some(match error {
            VaryingError::InvalidBuiltInType(builtin, inner) => {
                let name = separated(&format!("{builtin:?}"), '_');
                let ty = self.inner(inner);
                format!("the built-in `{name}` cannot have the type {ty}")
            }
            _ => without_handles(&error.to_string(), |index| self.numbered_type(index)),
        })
    }

    fn numbered_type(&self, index: usize) -> String {
        let found = self.module.types.iter().nth(index);
        found.map_or_else(|| "a type".to_owned(), |(handle, _)| self.ty(handle))
    }

    fn numbered_expression(&self, index: usize) -> String {
        let found = self.expressions.iter().nth(index);
        found.map_or_else(
            || "an expression".to_owned(),
            |(handle, _)| self.expression(handle),
        )
    }

    /// naga's text with names for the numbers in it.
    fn without_numbers(&self, error: &(dyn Error + 'static)) -> String {
        let text = error.to_string();
        if error.is::<ValidationError>() {
            // Behind the number stands the name.
            return without_handles(&text, |_| String::new()).replace("  ", " ");
        }
        let numbers_types = error.is::<TypeError>()
            || error.is::<ComposeError>()
            || error.is::<LocalVariableError>()
            || error.is::<GlobalVariableError>()
            || error.is::<LayoutError>();
        let numbers_variables = error.is::<EntryPointError>();
        without_handles(&text, |index| {
            if numbers_types {
                self.numbered_type(index)
            } else if numbers_variables {
                self.numbered_variable(index)
            } else {
                self.numbered_expression(index)
            }
        })
    }

    fn numbered_variable(&self, index: usize) -> String {
        let found = self.module.global_variables.iter().nth(index);
        let name = found.and_then(|(_, variable)| variable.name.as_deref());
        name.map_or_else(|| "a variable".to_owned(), |name| format!("`{name}`"))
    }
}

/// Puts something in place of every `[12]` and `Some([12])`.
pub(crate) fn without_handles(text: &str, mut name: impl FnMut(usize) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let inside = &rest[at + 1..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        let number = inside[..digits].parse();
        let (Ok(number), Some(mut after)) = (number, inside[digits..].strip_prefix(']')) else {
            out.push_str(&rest[..=at]);
            rest = inside;
            continue;
        };
        let mut before = &rest[..at];
        if let (Some(b), Some(a)) = (before.strip_suffix("Some("), after.strip_prefix(')')) {
            (before, after) = (b, a);
        }
        out.push_str(before);
        out.push_str(&name(number));
        rest = after;
    }
    out + rest
}
