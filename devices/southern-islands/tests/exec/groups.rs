//! Raw execution as groups of waves.

use isa::{ExecInput, LaneValue, Tools};
use southern_islands::TOOLS;

/// Two groups of 65 threads turn their numbers round in local data share, from what each wave finds there first.
#[test]
fn groups_share_memory_and_meet() {
    let text = "
        s_mov_b32 m0, -1
        v_lshlrev_b32 v3, 2, v0
        ds_read_b32 v4, v3
        s_waitcnt lgkmcnt(0)
        v_add_i32 v4, vcc, v4, v0
        v_add_i32 v4, vcc, s3, v4
        s_barrier
        ds_write_b32 v3, v4
        s_waitcnt lgkmcnt(0)
        s_barrier
        v_sub_i32 v3, vcc, 0x100, v3
        ds_read_b32 v5, v3
        s_waitcnt lgkmcnt(0)
        s_endpgm";
    let words = TOOLS.assemble(Some("compute"), text).unwrap_or_default();
    let input = ExecInput {
        shared: Some("07000000".to_owned()),
        workgroup: Some([65, 1, 1]),
        groups: Some([2, 1, 1]),
        user: Some(3),
        ..ExecInput::default()
    };
    let output = TOOLS.exec("compute", &words.concat(), &input);
    let groups = output.map(|output| output.groups).unwrap_or_default();
    assert_eq!(groups.len(), 2);
    for (n, group) in (0..).zip(&groups) {
        assert_eq!((group.group, group.waves.len()), ([n, 0, 0], 2));
        assert!(group.shared.starts_with(&format!("{:02x}000000", 7 + n)));
        let Some(LaneValue::Lanes(first)) = group.waves[0].get("v5") else {
            panic!("v5 is a list");
        };
        let expected: Vec<u32> = (0..64).map(|lane| 64 - lane + n).collect();
        assert_eq!(*first, expected);
        let Some(LaneValue::Lanes(last)) = group.waves[1].get("v5") else {
            panic!("v5 is a list");
        };
        assert_eq!(last[..2], [7 + n, 0]);
    }
    let large = ExecInput {
        workgroup: Some([64, 17, 1]),
        ..ExecInput::default()
    };
    let error = TOOLS.exec("compute", &words.concat(), &large);
    assert!(error.is_err_and(|error| error.to_string().contains("1088 threads")));
}
