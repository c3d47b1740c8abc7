//! The driver's own doors, for tools: parse, lower, compile, assemble. Programs that only draw need none of them.

pub use pipeline::codegen::{Binary, CompileError, Options, Stats};
pub use pipeline::format::texture_formats;
pub use pipeline::ir::{Function, print};
pub use pipeline::isa;
pub use pipeline::lower::Overrides;
pub use pipeline::names::Name;
pub use pipeline::passes::lowered;
pub use pipeline::targets::{TARGETS, Target};
pub use pipeline::wgsl::{CheckedModule, Source, parse};
