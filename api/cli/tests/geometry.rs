//! Geometry stages on the command line: compiled, listed, and run on primitives of a file.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::*;

/// Emits the vertices of a line as a strip, and the first once more.
const SHADER: &str = "
    struct Vertex { @builtin(position) at: vec4f, @location(0) @interpolate(flat) n: u32 }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex { return Vertex(vec4f(0.0), i); }
    @fragment fn fragment(v: Vertex) -> @location(0) vec4f { return vec4f(f32(v.n)); }
    fn emit_vertex(v: Vertex) {}
    fn end_primitive() {}
    const gs_max_vertices = 3u;
    fn gs(line: array<Vertex, 2>) {
        for (var i = 0u; i < 2u; i++) { emit_vertex(Vertex(line[i].at, line[i].n + 100u)); }
        end_primitive();
        if line[0].n > 4u { emit_vertex(line[0]); }
    }";

#[test]
fn stages_are_compiled_and_run() {
    let shader = write("stage.wgsl", SHADER);
    for (device, registers, words, counted) in [
        (DEVICE, r#""s8": 4096"#, 5, "instructions: "),
        // Records are whole groups of four words.
        ("r600", "", 8, "instructions: "),
        // The driver puts constants into shared registers.
        ("rogue", r#""sh36": 100"#, 5, "main groups: "),
    ] {
        let compile = |emit| {
            let stage = ["--stage", "geometry", "--emit", emit];
            ok(
                &[&["compile", &shader, "--device", device], &stage[..]].concat(),
                "",
            )
        };
        let (text, hex) = (compile("asm"), compile("hex"));
        let tool = |name| [name, "--device", device, "--stage", "geometry", "-"];
        assert_eq!(ok(&tool("disasm"), &hex), text);
        assert_eq!(ok(&tool("asm"), &text), hex);
        assert!(compile("ssa").contains("emit"), "{}", compile("ssa"));
        assert!(compile("lanes").contains("tick"));
        assert!(compile("stats").contains(counted));
        let input = format!(
            r#"{{
                "registers": {{ {registers} }},
                "memory": [{{ "address": 4096, "hex": "{}" }}],
                "primitives": {{
                    "vertices": [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 1], [16, 17, 18, 19, 2]]],
                    "words": {words}, "most": 3, "descriptors": 4368
                }}
            }}"#,
            "00".repeat(512)
        );
        let input = write("primitives.json", &input);
        let run = [&tool("exec")[..], &["--input", &input]].concat();
        let output: serde_json::Value = serde_json::from_str(&ok(&run, &hex)).unwrap();
        let vertex = |list: [u32; 5]| {
            let mut all = list.to_vec();
            all.resize(words, 0);
            serde_json::json!(all)
        };
        let none = serde_json::Value::Null;
        let first = [
            vertex([1, 2, 3, 4, 105]),
            vertex([6, 7, 8, 9, 110]),
            none.clone(),
            vertex([1, 2, 3, 4, 5]),
        ];
        let second = [
            vertex([11, 12, 13, 14, 101]),
            vertex([16, 17, 18, 19, 102]),
            none,
        ];
        assert_eq!(
            output["emitted"],
            serde_json::json!([first.to_vec(), second.to_vec()])
        );
        let run = [
            &tool("exec")[..3],
            &["--stage", "vertex", "-", "--input", &input],
        ]
        .concat();
        let said = error(&run, &hex);
        assert!(said.contains("which the stage vertex has not"), "{said}");
    }
}
