//! What waves share beyond memory: ordered counts and global wave sync, as one wave sees them.

use super::{lanes, one, run_text};

#[test]
fn semaphores() {
    // Resource 3: M0[21:16] = 1 and offset 2. Two are given, then three come at once, and five are taken.
    let text = "
        s_mov_b32 m0, 0x10000
        v_mov_b32 v0, 1
        ds_gws_init v0 offset:2 gds
        ds_gws_sema_v offset:2 gds
        v_mov_b32 v0, 3
        ds_gws_sema_br v0 offset:2 gds
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_p offset:2 gds
        s_mov_b32 s0, 1";
    let out = run_text(&format!("{text}\ns_endpgm"), &[]).unwrap();
    assert_eq!(out.registers["s0"], one(1));
    let error = run_text(
        &format!("{text}\nds_gws_sema_p offset:2 gds\ns_endpgm"),
        &[],
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("ds_gws_sema_p 3 waits for a semaphore that no other wave can release"),
        "{error}"
    );
    assert!(error.to_string().contains("(word 0xd8720002)"), "{error}");
}

#[test]
fn barriers() {
    let barrier = |waves: u32| {
        let text = format!("v_mov_b32 v0, {waves}\nds_gws_barrier v0 gds\ns_endpgm");
        run_text(&text, &[])
    };
    barrier(1).unwrap();
    let error = barrier(2).unwrap_err().to_string();
    assert!(
        error.contains("ds_gws_barrier 0 waits for 2 waves"),
        "{error}"
    );
}

#[test]
fn ordered_counts_add_in_the_order_of_lanes() {
    // GDS at 0x100, 64 bytes; dword 8 / 4 of it.
    let text = "
        s_mov_b32 m0, 0x1000040
        v_mbcnt_lo_u32_b32 v0, -1, 0
        v_mbcnt_hi_u32_b32 v0, -1, v0
        ds_ordered_count v1, v0 offset:8 gds
        ds_ordered_count v2, v0 offset:8 gds
        v_mov_b32 v3, 0x108
        s_mov_b32 m0, 0xffff
        ds_read_b32 v4, v3 gds
        s_endpgm";
    let out = run_text(text, &[]).unwrap();
    let before = |lane: u32| lane * lane.saturating_sub(1) / 2;
    let first: Vec<u32> = (0..64).map(before).collect();
    assert_eq!(lanes(&out, "v1"), first);
    let second: Vec<u32> = (0..64).map(|lane| 2016 + before(lane)).collect();
    assert_eq!(lanes(&out, "v2"), second);
    assert_eq!(lanes(&out, "v4"), [2 * 2016; 64]);
    // OFFSET1[5:4] = 1 exchanges.
    let text = "
        s_mov_b32 m0, 0x40
        v_mov_b32 v0, 7
        ds_ordered_count v1, v0 offset:4096 gds
        ds_ordered_count v2, v0 offset:4096 gds
        s_endpgm";
    let out = run_text(text, &[]).unwrap();
    assert_eq!(lanes(&out, "v1")[..2], [0, 7]);
    assert_eq!(lanes(&out, "v2")[..2], [7, 7]);
}

/// An element counts as a whole: a word of which M0's limit leaves a part reads zero and is not written.
#[test]
fn words_across_the_limit_of_m0_do_not_exist() {
    let text = "
        v_mov_b32 v0, 4
        v_mov_b32 v1, 0x11
        v_mov_b32 v2, 0x22
        s_mov_b32 m0, 8
        ds_write_b32 v0, v1
        ds_read_b32 v3, v0
        s_mov_b32 m0, 7
        ds_write_b32 v0, v2
        ds_read_b32 v4, v0
        s_mov_b32 m0, 8
        ds_read_b32 v5, v0
        v_mov_b32 v0, 0
        ds_read_b64 v[6:7], v0
        s_mov_b32 m0, 7
        ds_read_b64 v[8:9], v0
        s_endpgm";
    let out = run_text(text, &[]).unwrap();
    let first = |name: &str| lanes(&out, name)[0];
    assert_eq!([first("v3"), first("v5"), first("v7")], [0x11; 3]);
    let nothing =
        ["v4", "v8", "v9"].map(|name| out.registers.get(name).is_none_or(|_| first(name) == 0));
    assert_eq!(nothing, [true; 3]);
}
