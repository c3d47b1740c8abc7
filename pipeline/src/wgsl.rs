//! Shader text or words in, a checked module out.
//!
//! This is the last place that sees source text; it maps naga's spans to [`Location`]s for itself and for `lower`.
//! WGSL, GLSL and SPIR-V are accepted. The clip space of every language is taken to be WebGPU's (y up, z in 0..w); a
//! Vulkan shader's y axis is turned by the viewport (a negative height), not here.

use std::collections::BTreeMap;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use crate::error::{At, Location, ShaderError};
use crate::front::{limits, messages, module, subgroups};
use crate::guard::{self, Panicked};
use crate::ir::{Known, Scalar, Slot, Stage, Text};
use crate::lower::geometry;
use crate::spirv;

/// What a shader is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// WGSL.
    Wgsl,
    /// GLSL 440 core or later, as Vulkan uses it; the text is one entry point `main` of a stage.
    Glsl(Stage),
    /// SPIR-V words.
    Spirv,
}

/// A shader as its author gives it.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// WGSL text.
    Wgsl(&'a str),
    /// GLSL text of one stage.
    Glsl {
        /// Text.
        text: &'a str,
        /// Stage.
        stage: Stage,
    },
    /// SPIR-V words.
    Spirv(&'a [u32]),
    /// A naga module that was validated with [`capabilities`].
    Naga {
        /// The module.
        module: &'a naga::Module,
        /// What validation found out.
        info: &'a ModuleInfo,
        /// The WGSL or GLSL text that spans refer to, if there is one.
        text: Option<&'a str>,
    },
}

impl Source<'_> {
    /// The language; none for a ready module.
    pub fn language(&self) -> Option<Language> {
        match *self {
            Source::Wgsl(_) => Some(Language::Wgsl),
            Source::Glsl { stage, .. } => Some(Language::Glsl(stage)),
            Source::Spirv(_) => Some(Language::Spirv),
            Source::Naga { .. } => None,
        }
    }
}

/// A module that was found valid, with the text it came from.
#[derive(Debug, Clone)]
pub struct CheckedModule(pub(crate) Checked);

/// Whose form a module is in.
#[derive(Debug, Clone)]
pub(crate) enum Checked {
    Naga(Box<NagaModule>),
    Spirv(Box<spirv::Module>),
}

/// A module that naga found valid.
#[derive(Debug, Clone)]
pub(crate) struct NagaModule {
    pub(crate) module: naga::Module,
    pub(crate) info: ModuleInfo,
    pub(crate) text: Text,
}

impl CheckedModule {
    /// Every entry point, with its stage where it is one that can be compiled; in WGSL also plain functions that are
    /// geometry stages.
    pub fn entry_points(&self) -> impl Iterator<Item = (&str, Option<Stage>)> {
        let points: Vec<_> = match &self.0 {
            Checked::Spirv(module) => module.entry_points().collect(),
            Checked::Naga(checked) => {
                let points = checked.module.entry_points.iter();
                let named = points.map(|point| (point.name.as_str(), stage_from(point.stage)));
                let plain = geometry::stages(&checked.module);
                let plain = plain.map(|stage| (stage.name, Some(Stage::Geometry)));
                named.chain(plain).collect()
            }
        };
        points.into_iter()
    }

    /// The same module for a layout; none where the module leaves nothing to it.
    pub fn laid_out(&self, layout: &BTreeMap<Slot, spirv::LaidOut>) -> Option<CheckedModule> {
        match &self.0 {
            Checked::Spirv(module) => {
                let module = Box::new(module.laid_out(layout)?);
                Some(CheckedModule(Checked::Spirv(module)))
            }
            Checked::Naga(_) => None,
        }
    }

    /// Constants that a pipeline may give values: overrides, or specialisation constants with a `SpecId`.
    pub fn constants(&self) -> Vec<spirv::SpecConstant> {
        match &self.0 {
            Checked::Spirv(module) => module.spec_constants(),
            Checked::Naga(checked) => checked.overrides(),
        }
    }
}

impl NagaModule {
    fn overrides(&self) -> Vec<spirv::SpecConstant> {
        use naga::{Expression, Literal, ScalarKind, TypeInner};
        let declared = self.module.overrides.iter();
        let constants = declared.map(|(_, item)| spirv::SpecConstant {
            id: item.id.map(u32::from),
            name: item.name.clone().unwrap_or_default(),
            scalar: match &self.module.types[item.ty].inner {
                TypeInner::Scalar(scalar) => match scalar.kind {
                    ScalarKind::Sint => Some(Scalar::Sint),
                    ScalarKind::Uint => Some(Scalar::Uint),
                    ScalarKind::Float => Some(Scalar::Float),
                    _ => None,
                },
                _ => None,
            },
            default: item.init.and_then(|init| {
                Some(match self.module.global_expressions[init] {
                    Expression::Literal(Literal::Bool(bit)) => Known::Bool(bit),
                    Expression::Literal(Literal::F32(value)) => Known::Word(value.to_bits()),
                    Expression::Literal(Literal::I32(value)) => Known::Word(value as u32),
                    Expression::Literal(Literal::U32(value)) => Known::Word(value),
                    _ => return None,
                })
            }),
        });
        constants.collect()
    }

    pub(crate) fn locate(&self, span: naga::Span) -> At {
        let text = self.text.0.as_deref();
        At(text.and_then(|text| Location::new(text, span.to_range()?)))
    }
}

/// What shaders may use as far as validation is concerned. `lower` refuses what no device has.
pub fn capabilities() -> Capabilities {
    Capabilities::all()
}

/// What errors about GLSL say besides: which GLSL this is, and what to do with other GLSL.
const DIALECT: &str = "GLSL is read in naga's dialect; compile other GLSL to SPIR-V";

/// Parses and validates a shader.
pub fn parse(source: Source<'_>) -> Result<CheckedModule, ShaderError> {
    let language = match source {
        Source::Wgsl(_) => "WGSL",
        Source::Glsl { .. } => "GLSL",
        Source::Spirv(_) => "SPIR-V",
        Source::Naga { .. } => "naga",
    };
    guard::run(|| check(source)).unwrap_or_else(|Panicked(reason)| {
        let reason = match source {
            Source::Glsl { .. } => format!("{reason} ({DIALECT})"),
            _ => reason,
        };
        Err(ShaderError::FrontEnd { language, reason })
    })
}

fn check(source: Source<'_>) -> Result<CheckedModule, ShaderError> {
    let (module, text) = match source {
        Source::Wgsl(text) => (parse_wgsl(text)?, Some(text)),
        Source::Glsl { text, stage } => (parse_glsl(text, stage)?, Some(text)),
        Source::Spirv(words) => {
            let module = Box::new(spirv::read(words)?);
            return Ok(CheckedModule(Checked::Spirv(module)));
        }
        Source::Naga { module, info, text } => {
            module::check(module, text)?;
            return Ok(checked(module.clone(), info.clone(), text));
        }
    };
    module::check(&module, text)?;
    let info = Validator::new(ValidationFlags::all(), capabilities())
        .subgroup_stages(naga::valid::ShaderStages::all())
        .subgroup_operations(naga::valid::SubgroupOperationSet::all())
        .validate(&module)
        .map_err(|error| {
            // The shortest span is the most precise one; the others are of what is around it.
            let mut spans: Vec<_> = error.spans().map(|(span, _)| *span).collect();
            spans.sort_by_key(|span| span.to_range().map_or(usize::MAX, |range| range.len()));
            let at = text.map_or_else(At::default, |text| place(text, spans.into_iter()));
            let message = messages::validation(&error, &module, text);
            ShaderError::Invalid { message, at }
        })?;
    Ok(checked(module, info, text))
}

fn checked(module: naga::Module, info: ModuleInfo, text: Option<&str>) -> CheckedModule {
    CheckedModule(Checked::Naga(Box::new(NagaModule {
        module,
        info,
        text: Text(text.map(Into::into)),
    })))
}

/// The stage, where the compiler knows it.
pub(crate) fn stage_from(stage: naga::ShaderStage) -> Option<Stage> {
    match stage {
        naga::ShaderStage::Vertex => Some(Stage::Vertex),
        naga::ShaderStage::Fragment => Some(Stage::Fragment),
        naga::ShaderStage::Compute => Some(Stage::Compute),
        _ => None,
    }
}

fn parse_wgsl(text: &str) -> Result<naga::Module, ShaderError> {
    limits::wgsl(text)?;
    let options = naga::front::wgsl::Options {
        parse_doc_comments: false,
        capabilities: capabilities(),
    };
    naga::front::wgsl::Frontend::new_with_options(options)
        .parse(&subgroups::known_to_naga(text))
        .map_err(|error| {
            let at = place(text, error.labels().map(|(span, _)| span));
            let message = error.message().to_owned();
            if let Some((feature, _)) = message.split_once(" is not yet supported") {
                let feature = feature.to_owned();
                return ShaderError::Unsupported { feature, at };
            }
            // The parser proper reports what it expected and what it found; everything later speaks of names and types.
            if message.starts_with("expected ") || message.starts_with("unexpected ") {
                ShaderError::Syntax { message, at }
            } else {
                ShaderError::Invalid { message, at }
            }
        })
}

fn parse_glsl(text: &str, stage: Stage) -> Result<naga::Module, ShaderError> {
    let stage = match stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        Stage::Fragment => naga::ShaderStage::Fragment,
        Stage::Compute => naga::ShaderStage::Compute,
        Stage::Geometry => {
            return Err(ShaderError::Unsupported {
                feature: "a GLSL geometry shader".to_owned(),
                at: At::default(),
            });
        }
    };
    limits::glsl(text)?;
    naga::front::glsl::Frontend::default()
        .parse(&naga::front::glsl::Options::from(stage), text)
        .map_err(|errors| {
            use naga::front::glsl::ErrorKind as Kind;
            let Some(error) = errors.errors.into_iter().next() else {
                return ShaderError::Syntax {
                    message: format!("the text cannot be parsed ({DIALECT})"),
                    at: At::default(),
                };
            };
            let at = place(text, std::iter::once(error.meta));
            let message = format!("{} ({DIALECT})", messages::glsl(&error, text));
            match error.kind {
                Kind::EndOfFile | Kind::InvalidToken(..) | Kind::PreprocessorError(_) => {
                    ShaderError::Syntax { message, at }
                }
                Kind::NotImplemented(_) => ShaderError::Unsupported {
                    feature: message,
                    at,
                },
                _ => ShaderError::Invalid { message, at },
            }
        })
}

/// The first of some spans that lies in the text.
fn place(text: &str, spans: impl Iterator<Item = naga::Span>) -> At {
    At(spans
        .filter_map(|span| Location::new(text, span.to_range()?))
        .next())
}
