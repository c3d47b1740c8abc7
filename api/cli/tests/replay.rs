//! `girih render --dump` and `girih replay`: the same picture, on every device, and what is refused.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::*;

/// A device of another name, and where its captures are.
const OTHER: &str = "r600";

/// Lines of a frame that every device of a kind has: a draw, clipping and half of a width of 64.
fn lines_of(device: &str) -> [&'static str; 3] {
    match device {
        "r5xx" => [
            "    VAP_VF_CNTL = ",
            "    VAP_CLIP_CNTL = ",
            "    VAP_VPORT_XSCALE = 42000000: VPORT_XSCALE 32.0",
        ],
        "rogue" => [
            "    TOPOLOGY = ",
            "    PPP_CTRL = ",
            "    VIEWPORT[1] = 42000000: 32.0",
        ],
        _ => [
            "    VGT_DRAW_INITIATOR = ",
            "    PA_CL_CLIP_CNTL = ",
            "    PA_CL_VPORT_XSCALE_0 = 42000000: 32.0",
        ],
    }
}

#[test]
fn replayed_pictures_are_the_rendered_ones() {
    for device in devices() {
        for scene in ["triangle", "edges"] {
            let (drawn, folder) = (file("drawn.png"), file(&format!("{scene}.{device}")));
            let replayed = file("replayed.png");
            let render = [
                "render",
                scene,
                "--device",
                device,
                "--size",
                "80x60",
                "--frames",
                "2",
                "-o",
                &drawn,
                "--dump",
                &folder,
                "--memory",
                "32M",
                "--threads",
                "1",
            ];
            ok(&render, "");
            let replay = ["replay", "--device", device, &folder, "-o", &replayed];
            assert_eq!(ok(&replay, ""), format!("wrote {replayed}\n"));
            assert!(std::fs::read(&drawn).unwrap() == std::fs::read(&replayed).unwrap());

            let text = ok(&["dump", "--device", device, &folder], "");
            assert!(text.starts_with("stream of "), "{text}");
            assert!(text.contains(lines_of(device)[0]), "{text}");
        }
    }
    // The device is named where it is another.
    let folder = file(&format!("triangle.{OTHER}"));
    let replay = ["replay", "--device", DEVICE, &folder, "-o", &file("no.png")];
    let said = error(&replay, "");
    let expected = "the capture is of r600, and is to be executed by southern-islands";
    assert!(said.contains(expected), "{said}");
    let said = error(&["dump", "--device", DEVICE, &folder], "");
    assert!(said.contains(expected), "{said}");
}

/// Captures of Mesa's drivers: `girih run --dump` of the scene `depth` in `api/drm/tests/scenes`.
#[test]
fn captures_of_other_drivers_are_executed() {
    let packets = [
        ("southern-islands", "DRAW_INDEX_AUTO", "CB_COLOR0_INFO = "),
        ("r600", "DRAW_INDEX_AUTO", "CB_COLOR0_INFO = "),
        ("r5xx", "3D_DRAW_IMMD_2", "RB3D_COLORPITCH"),
    ];
    for (device, draw, register) in packets {
        let folder = format!("api/cli/tests/captures/{device}");
        let replayed = file(&format!("driver.{device}.png"));
        ok(
            &["replay", "--device", device, &folder, "-o", &replayed],
            "",
        );
        let golden = format!("{}/tests/captures/{device}.png", env!("CARGO_MANIFEST_DIR"));
        let [golden, replayed] = [golden, replayed].map(|path| std::fs::read(path).unwrap());
        assert!(golden == replayed, "{device}");
        let text = ok(&["dump", "--device", device, &folder], "");
        assert!(text.contains(draw) && text.contains(register), "{text}");
    }
}

#[test]
fn frames_of_scenes_are_printed() {
    for device in devices() {
        let dump = [
            "dump", "--device", device, "cube", "--size", "64x48", "--memory", "32M",
        ];
        let text = ok(&dump, "");
        for line in lines_of(device) {
            assert!(
                text.lines().any(|found| found.starts_with(line)),
                "{line}: {text}"
            );
        }
        assert!(!text.contains("unknown"), "{text}");
    }
}

#[test]
fn what_is_no_capture_is_said() {
    let said = error(&["replay", "assets", "-o", &file("no.png")], "");
    assert!(said.contains("assets/capture.json: No such file"), "{said}");
    let said = error(&["replay", "assets", "-o", "picture.jpg"], "");
    assert!(said.contains("to a name in .png"), "{said}");
    let said = error(&["dump", "nothing-of-this-name"], "");
    assert!(
        said.contains("nothing-of-this-name: No such file"),
        "{said}"
    );
}
