//! Shaders that are too much for a front end: each is refused by name, and none panics, prints or takes the stack.
#![allow(clippy::unwrap_used)]

use pipeline::ShaderError;
use pipeline::codegen::Options;
use pipeline::ir::Stage;
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{Source, parse};

fn compile(source: Source<'_>) -> Result<(), ShaderError> {
    let checked = parse(source)?;
    let function = lowered(&checked, None, None, &Overrides::new())?;
    for target in TARGETS
        .iter()
        .filter(|target| target.info.features.integers)
    {
        // The caller's stack is small; the compiler has its own.
        (target.compile)(&function, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    Ok(())
}

fn wgsl(body: &str) -> Result<(), ShaderError> {
    let text = format!("@fragment fn fs(@location(0) x: f32) -> @location(0) vec4f {{\n{body}\n}}");
    compile(Source::Wgsl(&text))
}

fn fragment(text: &str) -> Result<(), ShaderError> {
    let stage = Stage::Fragment;
    compile(Source::Glsl { text, stage })
}

fn glsl(body: &str) -> Result<(), ShaderError> {
    fragment(&format!(
        "#version 450\nlayout(location = 0) in float x;\nlayout(location = 0) out vec4 color;\n\
        float same(float y) {{ return y; }}\nvoid main() {{ float y = x;\n{body}\ncolor = vec4(y); }}"
    ))
}

/// What is refused, as the rule and a part of the message.
fn refused(result: Result<(), ShaderError>, rule: &str, message: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.rule(), rule, "{error}");
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn panics_of_the_front_end_are_told_as_such() {
    let head = "#version 450\nlayout(location = 0) out vec4 color;\n";
    for text in [
        "const mat2 a = mat2(1.0); const mat2 b = mat2(2.0*a[0], a[1]);\nvoid main() { color = b[0].xyxy; }",
        "const int p[2] = int[2](1, 2);\nlayout(location = p[3]) in vec4 x;\nvoid main() { color = x; }",
    ] {
        let error = fragment(&format!("{head}{text}")).unwrap_err();
        assert_eq!(error.rule(), "shader-front-end", "{error}");
        let message = error.to_string();
        assert!(message.starts_with("the GLSL front end gave up"), "{error}");
        assert!(
            message.contains("(naga-") && message.contains("SPIR-V"),
            "{error}"
        );
    }
}

#[test]
fn glsl_errors_name_the_dialect() {
    for text in [
        "#version 450\nvoid main() { x = ; }",
        "#version 330\nvoid main() {}",
    ] {
        let error = fragment(text).unwrap_err();
        let dialect = "GLSL is read in naga's dialect; compile other GLSL to SPIR-V";
        assert!(error.to_string().contains(dialect), "{error}");
    }
    let error = fragment("#version 450\nvoid main() { float x = 3 3; }").unwrap_err();
    assert!(error.to_string().contains("found `3`"), "{error}");
}

#[test]
fn rows_of_operators() {
    let sum = |terms: usize| "x".to_owned() + &" + x".repeat(terms - 1);
    assert_eq!(wgsl(&format!("return vec4f({});", sum(900))), Ok(()));
    assert_eq!(glsl(&format!("y = {};", sum(900))), Ok(()));
    let error = wgsl(&format!("return vec4f({});", sum(15_000))).unwrap_err();
    assert_eq!(error.rule(), "shader-too-large", "{error}");
    assert_eq!(error.location().map(|at| at.line), Some(2), "{error}");
    // Of so long a line a part is shown.
    let shown = error.to_string();
    assert!(shown.len() < 700 && shown.contains("…+ x + x"), "{shown}");
    refused(
        glsl(&format!("y = {};", sum(15_000))),
        "shader-too-large",
        "levels of nesting",
    );
    let long = |parts: &str| parts.repeat(15_000);
    refused(
        glsl(&format!("y = {}x;", long("- "))),
        "shader-too-large",
        "levels",
    );
    refused(
        glsl(&format!("y = {}x;", long("x > 1.0 ? 1.0 : "))),
        "shader-too-large",
        "levels",
    );
    refused(
        glsl(&format!("{}x;", long("y = "))),
        "shader-too-large",
        "levels",
    );
    refused(
        wgsl(&format!("return vec4f(x){};", long(".xyzw"))),
        "shader-too-large",
        "levels",
    );
}

#[test]
fn brackets_in_brackets() {
    let around = |open: &str, close: &str, levels: usize| {
        format!("{}x{}", open.repeat(levels), close.repeat(levels))
    };
    // What WGSL's own front end takes is less.
    assert_eq!(
        wgsl(&format!("return vec4f({});", around("(", ")", 150))),
        Ok(())
    );
    let deep = wgsl(&format!("return vec4f({});", around("(", ")", 5_000)));
    refused(deep, "shader-too-large", "levels of nesting");
    for (open, close) in [("(", ")"), ("float(", ")"), ("same(", ")")] {
        let text = |levels| format!("y = {};", around(open, close, levels));
        assert_eq!(glsl(&text(400)), Ok(()), "{open}");
        refused(glsl(&text(50_000)), "shader-too-large", "levels of nesting");
    }
    let unclosed = format!("y = {}", "(".repeat(50_000));
    refused(glsl(&unclosed), "shader-too-large", "levels of nesting");
}

#[test]
fn statements_in_statements() {
    let around = |open: &str, close: &str, levels: usize| {
        format!("{}y += 1.0;{}", open.repeat(levels), close.repeat(levels))
    };
    for (open, close, levels) in [
        ("{", "}", 400),
        ("if (x > 1.0) {", "}", 300),
        ("if (x > 1.0) ", "", 300),
        ("if (x > 1.0) y += 1.0; else ", "", 300),
        ("while (x > 1.0) {", "break; }", 30),
    ] {
        assert_eq!(glsl(&around(open, close, levels)), Ok(()), "{open}");
        let deep = glsl(&around(open, close, 20_000));
        refused(deep, "shader-too-large", "levels of nesting");
    }
    let ladder = |levels: usize| {
        let rung = "else if x > 2.0 { y += 1.0; }".repeat(levels);
        format!("var y = x; if x > 1.0 {{ y = 2.0; }} {rung} return vec4f(y);")
    };
    assert_eq!(wgsl(&ladder(300)), Ok(()));
    refused(
        wgsl(&ladder(5_000)),
        "shader-too-large",
        "levels of nesting",
    );
    // One behind the other is no nesting.
    let row = "if x > 1.0 { y += 1.0; }\n".repeat(2_000);
    assert_eq!(wgsl(&format!("var y = x; {row} return vec4f(y);")), Ok(()));
}

/// Early returns put all that follows into the other side of a branch.
#[test]
fn returns_nest_what_follows() {
    let returns = |count: usize| {
        let one = "if y > x { y = sin(y); return vec4f(y); }\ny += 1.0;\n";
        format!("var y = x;\n{}return vec4f(y);", one.repeat(count))
    };
    assert_eq!(wgsl(&returns(100)), Ok(()));
    let many = wgsl(&returns(2_000));
    refused(many, "shader-too-large", "branches inside each other");
    let text = format!(
        "@fragment fn fs(@location(0) x: f32) -> @location(0) vec4f {{\n{}\n}}",
        returns(300)
    );
    let checked = parse(Source::Wgsl(&text)).unwrap();
    let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
    for target in TARGETS
        .iter()
        .filter(|target| target.info.features.integers)
    {
        match (target.compile)(&function, &Options::default()) {
            Ok(binary) => assert!(!binary.words.is_empty()),
            Err(error) => {
                let deep = "more than 250 branches inside each other";
                assert!(error.to_string().contains(deep), "{error}");
            }
        }
    }
}

#[test]
fn types_in_types() {
    let mut text = "struct S0 { x: f32 }\n".to_owned();
    for i in 1..300 {
        text += &format!("struct S{i} {{ x: S{} }}\n", i - 1);
    }
    text += "var<private> s: S299;\n@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }";
    let error = compile(Source::Wgsl(&text)).unwrap_err();
    assert!(error.to_string().contains("levels of types"), "{error}");
    assert!(error.location().is_some(), "{error}");
    let dimensions = glsl(&format!(
        "float a{}; y = a{};",
        "[1]".repeat(300),
        "[0]".repeat(300)
    ));
    refused(dimensions, "shader-too-large", "levels of types");
}

#[test]
fn lengths_of_arrays() {
    let long = "elements in an array";
    for text in [
        "var a: array<f32, 200000000>; return vec4f(a[0]);",
        "return vec4f(f32(-array<f32, 1u << 30>()));",
    ] {
        refused(wgsl(text), "shader-too-large", long);
    }
    refused(
        glsl("float a[200000000]; y = a[0];"),
        "shader-too-large",
        long,
    );
    for head in [
        "layout(location = 1) in float a[200000000];",
        "const int n = 20000; layout(location = 1) out float a[n * n];",
        "struct S { float a[16777216]; }; layout(location = 1) in S a;",
        "float a[200000000];",
    ] {
        let text = format!("#version 450\n{head}\nvoid main() {{}}");
        let error = fragment(&text).unwrap_err();
        assert!(error.to_string().contains(long), "{error}");
        assert_eq!(error.location().map(|at| at.line), Some(2), "{error}");
    }
}

#[test]
fn sizes_of_texts() {
    let comment = "// nothing\n".repeat(200_000);
    refused(wgsl(&comment), "shader-too-large", "bytes of text");
    refused(wgsl(&"x;".repeat(200_000)), "shader-too-large", "tokens");
    let mut pairs = String::new();
    for i in 0..2_100 {
        pairs += &format!("var<private> v{i}: f32; fn g{i}() {{}}\n");
    }
    refused(
        compile(Source::Wgsl(&pairs)),
        "shader-too-large",
        "functions times",
    );
    let words = [
        &[0x0723_0203, 0x10300, 0, 8, 0][..],
        &vec![1 << 16; 1 << 20],
    ]
    .concat();
    refused(
        compile(Source::Spirv(&words)),
        "shader-too-large",
        "words of SPIR-V",
    );
}

#[test]
fn macros_that_double() {
    let mut text = "#version 450\n#define M0\n#define F0(x) x\n".to_owned();
    for i in 1..60 {
        text += &format!(
            "#define M{i} M{0} M{0}\n#define F{i}(x) F{0}(x) + F{0}(x)\n",
            i - 1
        );
    }
    let doubled = format!("{text}void main() {{ M59 }}");
    refused(
        fragment(&doubled),
        "shader-too-large",
        "tokens after its macros",
    );
    let called = format!("{text}void main() {{ float y = F59(1.0); }}");
    refused(
        fragment(&called),
        "shader-too-large",
        "tokens after its macros",
    );
    let nested = format!(
        "{text}#define D(x) x + x\nvoid main() {{ float y = {}1.0{}; }}",
        "D(".repeat(60),
        ")".repeat(60)
    );
    refused(
        fragment(&nested),
        "shader-too-large",
        "tokens after its macros",
    );
    let condition = format!("{text}#if {}1\n#endif\nvoid main() {{}}", "!".repeat(5_000));
    refused(fragment(&condition), "shader-too-large", "condition");
    // Names of macros for other macros, as people write them.
    let fine = "#version 450\n#define SQUARE(x) ((x) * (x))\n#define TWICE SQUARE\n#if defined(TWICE) && 1\n\
        layout(location = 0) out vec4 color;\n#endif\nvoid main() { color = vec4(TWICE(SQUARE(SQUARE(0.5)))); }";
    assert_eq!(fragment(fine), Ok(()));
}

/// What stands at a place where SPIR-V does not have it.
#[test]
fn misplaced_instructions_of_spirv() {
    let mut words = vec![0x0723_0203, 0x10300, 0, 8, 0];
    for _ in 0..20_000 {
        words.extend([3 << 16 | 247, 1, 0]);
    }
    refused(
        compile(Source::Spirv(&words)),
        "shader-spirv",
        "outside of a function",
    );
    let array = [43 | 4 << 16, 1, 2, 200_000_000, 28 | 4 << 16, 3, 1, 2];
    let words = [&[0x0723_0203, 0x10300, 0, 8, 0][..], &array].concat();
    refused(compile(Source::Spirv(&words)), "shader-spirv", "no type");
}
