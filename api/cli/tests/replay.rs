//! `girih render --dump` and `girih replay`: the same picture, on every device, and what is refused.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::*;

const DEVICES: [&str; 2] = ["southern-islands", "r600"];

#[test]
fn replayed_pictures_are_the_rendered_ones() {
    for device in DEVICES {
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
            assert!(text.contains("VGT_DRAW_INITIATOR = "), "{text}");
        }
    }
    // The device is named where it is another.
    let folder = file("triangle.r600");
    let replay = [
        "replay",
        "--device",
        DEVICES[0],
        &folder,
        "-o",
        &file("no.png"),
    ];
    let said = error(&replay, "");
    let expected = "the capture is of r600, and is to be executed by southern-islands";
    assert!(said.contains(expected), "{said}");
    let said = error(&["dump", "--device", DEVICES[0], &folder], "");
    assert!(said.contains(expected), "{said}");
}

#[test]
fn frames_of_scenes_are_printed() {
    for device in DEVICES {
        let dump = [
            "dump", "--device", device, "cube", "--size", "64x48", "--memory", "32M",
        ];
        let text = ok(&dump, "");
        for line in [
            "    PA_CL_CLIP_CNTL = ",
            "    PA_CL_VPORT_XSCALE_0 = 42000000: 32.0",
        ] {
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
