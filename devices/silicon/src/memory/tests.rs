//! What memory does, from one thread and from several.

#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn bytes_are_copied_from_and_to_any_place() {
    let memory = Memory::new(8192);
    let bytes: Vec<u8> = (0..4096u32).map(|n| ((n * 31) >> 3) as u8).collect();
    let mut around = vec![0; 8192];
    for start in [0, 1, 3, 4, 60, 63, 64, 66] {
        for len in [0, 1, 3, 4, 5, 255, 256, 259, 300, 1024, 1027, 3000] {
            around.fill(0xab);
            memory.write(Addr(0), &around).unwrap();
            around[start as usize..][..len].copy_from_slice(&bytes[..len]);
            memory.write(Addr(start), &bytes[..len]).unwrap();
            for (n, expected) in around.iter().enumerate() {
                assert_eq!(memory.load_byte(n as u64), Some(*expected), "{start} {len}");
            }
            let mut out = vec![0; len];
            memory.read(Addr(start), &mut out).unwrap();
            assert_eq!(out, bytes[..len], "{start} {len}");
        }
    }
}

#[test]
fn gathers_inside_and_outside() {
    let memory = Memory::new(1024);
    for word in 0..256 {
        memory.store(4 * word, 1000 + word as u32).unwrap();
    }
    let mut out = [0; 64];
    let inside: [u32; 64] = std::array::from_fn(|i| 4 * (i as u32 * 7 % 64) + i as u32 % 4);
    memory.gather(256, &inside, &mut out);
    for (out, offset) in out.iter().zip(&inside) {
        assert_eq!(*out, 1000 + (256 + offset) / 4);
    }
    let some: [u32; 64] = std::array::from_fn(|i| 16 * i as u32);
    for base in [0, 256, 258, 2048, u64::MAX - 8] {
        memory.gather(base, &some, &mut out);
        for (out, offset) in out.iter().zip(&some) {
            let address = base.saturating_add(u64::from(*offset));
            assert_eq!(*out, memory.load(address).unwrap_or(0));
        }
    }
    let table: Vec<u32> = (0..40).map(|i| i * i).collect();
    for step in [0, 1] {
        let at: [u32; 64] = std::array::from_fn(|i| i as u32 % 32 + step * i as u32);
        look_up(&table, &at, &mut out);
        for (out, at) in out.iter().zip(&at) {
            assert_eq!(*out, if *at < 40 { at * at } else { 0 });
        }
    }
}

/// Runs under Miri: `cargo +nightly miri test -p girih-silicon --lib memory::tests`.
#[test]
fn rows_shared_by_threads() {
    let memory = Memory::new(4096);
    std::thread::scope(|scope| {
        for thread in 0..2u32 {
            let memory = memory.clone();
            scope.spawn(move || {
                for i in 0..8u32 {
                    // Both write row 0: every word is one of the values written.
                    memory.store_row(0, &[thread * 100 + i; 64]).unwrap();
                    let mut row = [0; 64];
                    memory.load_row(0, &mut row).unwrap();
                    assert!(row.iter().all(|w| w % 100 < 8 && w / 100 < 2));
                    // Each owns a row of its own.
                    let at = 256 * u64::from(thread + 1);
                    memory.store_row(at, &[i; 64]).unwrap();
                    memory.load_row(at, &mut row).unwrap();
                    assert_eq!(row, [i; 64]);
                    // Both count.
                    memory.fetch(1024, |n| n + 1).unwrap();
                    memory.fetch64(1028, |n| n + 0xffff_ffff).unwrap();
                    memory.store_byte(1040 + u64::from(thread), i as u8);
                }
            });
        }
    });
    assert_eq!(memory.load(1024), Some(16));
    assert_eq!(memory.fetch64(1028, |n| n), Some(16 * 0xffff_ffff));
    assert_eq!(memory.load(1040), Some(0x0707));
}

#[test]
fn blocks() {
    let memory = Memory::new(1024);
    let block: [u32; 32] = std::array::from_fn(|i| i as u32 * 0x0101_0101);
    memory.store_block(64, &block).unwrap();
    let mut back = [0; 32];
    memory.load_block(64, &mut back).unwrap();
    assert_eq!(back, block);
    assert_eq!(memory.load(64 + 4 * 5), Some(0x0505_0505));
    assert_eq!(memory.load(60), Some(0));
    assert_eq!(
        memory.load_row(32, &mut [0; 64]),
        Err(MemoryError::Misaligned {
            address: 32,
            align: 64
        })
    );
    let outside = Err(MemoryError::OutOfBounds {
        address: 832,
        len: 256,
        size: 1024,
    });
    assert_eq!(memory.load_row(832, &mut [0; 64]), outside);
    assert_eq!(memory.store_row(832, &[0; 64]), outside);
    assert!(memory.load_row(u64::MAX - 63, &mut [0; 64]).is_err());
}

#[test]
fn bytes_at_any_alignment() {
    let memory = Memory::new(64);
    for start in 0..8 {
        for len in 0..12 {
            memory.fill(Addr(0), 16, 0xaaaa_aaaa).unwrap();
            let bytes: Vec<u8> = (0..len as u8).map(|b| b + 1).collect();
            memory.write(Addr(start), &bytes).unwrap();
            let mut out = [0; 64];
            memory.read(Addr(0), &mut out).unwrap();
            let mut expected = [0xaa; 64];
            expected[start as usize..start as usize + len].copy_from_slice(&bytes);
            assert_eq!(out, expected);
            let mut part = vec![0; len];
            memory.read(Addr(start), &mut part).unwrap();
            assert_eq!(part, bytes);
        }
    }
    assert_eq!(memory.load_half(2), Some(0xaaaa));
    memory.store_half(2, 0x1234).unwrap();
    assert_eq!(memory.load(0).map(|w| w >> 16), Some(0x1234));
    assert_eq!(memory.load_byte(3), Some(0x12));
    assert_eq!(memory.store_byte(64, 0), None);
    assert_eq!(memory.fetch64(60, |n| n), None);
    assert!(memory.write(Addr(60), &[0; 5]).is_err());
    assert!(memory.read(Addr(u64::MAX), &mut [0; 5]).is_err());
    assert!(memory.fill(Addr(2), 1, 0).is_err());
    assert!(memory.fill(Addr(0), u64::MAX, 0).is_err());
}

/// The lowest byte of a word comes first on every host.
#[test]
fn words_are_bytes() {
    let memory = Memory::new(64);
    memory
        .write_words(Addr(8), &[0x0403_0201, 0x0807_0605])
        .unwrap();
    let mut bytes = [9; 12];
    memory.read(Addr(6), &mut bytes).unwrap();
    assert_eq!(bytes, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0]);
    memory.write(Addr(8), &[0x10, 0x20]).unwrap();
    assert_eq!(memory.load(8), Some(0x0403_2010));
    assert!(memory.write_words(Addr(2), &[1]).is_err());
    assert!(memory.write_words(Addr(60), &[1, 2]).is_err());
    assert_eq!(memory.load(60), Some(0));
}

/// Where a word's number takes more than 32 bits, hosts of 32 bits refuse it as well.
#[test]
fn far_addresses_are_outside() {
    let memory = Memory::new(1024);
    for address in [1 << 34, 1 << 40, u64::MAX - 255] {
        assert_eq!(memory.load(address), None);
        assert_eq!(memory.load_quad(address & !15, &mut [0; 4]), None);
        assert!(memory.load_row(address & !63, &mut [0; 64]).is_err());
    }
}

#[test]
fn fills_cover_their_words_and_no_others() {
    for (start, words) in [
        (0, 0),
        (4, 1),
        (60, 2),
        (4, 200),
        (64, 64),
        (128, 65),
        (12, 13),
    ] {
        let memory = Memory::new(1024);
        memory.fill(Addr(start), words, 7).unwrap();
        for at in (0..1024).step_by(4) {
            let inside = (start..start + 4 * words).contains(&at);
            assert_eq!(
                memory.load(at),
                Some(if inside { 7 } else { 0 }),
                "{at} of {start}, {words}"
            );
        }
    }
}

#[test]
fn words_are_read_from_any_place() {
    let memory = Memory::new(2048);
    for word in 0..512 {
        memory.store(4 * word, word as u32).unwrap();
    }
    for (start, len) in [(0, 512), (4, 200), (60, 1), (64, 64), (12, 13), (128, 500)] {
        let mut out = vec![u32::MAX; len];
        memory.load_words(start, &mut out);
        for (n, word) in (start / 4..).zip(out) {
            assert_eq!(word, if n < 512 { n as u32 } else { u32::MAX });
        }
    }
    let mut out = [7; 3];
    memory.load_words(u64::MAX - 3, &mut out);
    assert_eq!(out, [7; 3]);
    for (start, len) in [(0, 1), (2, 1), (2, 100), (4, 65), (2046, 3), (1022, 600)] {
        let mut out = vec![u32::MAX; len];
        memory.load_halves(start, &mut out);
        for (n, half) in (start / 2..).zip(out) {
            let word = if n < 1024 && n % 2 == 0 { n / 2 } else { 0 };
            assert_eq!(u64::from(half), word, "{n}");
        }
    }
}

/// Touching every page would take the memory of a small machine.
#[test]
fn large_memory_is_not_touched() {
    // Miri does touch it.
    let size = if cfg!(miri) { 1 << 16 } else { 1 << 32 };
    let memory = Memory::new(size);
    assert_eq!(memory.load(size - 4), Some(0));
    assert_eq!(memory.load(size), None);
}

/// Runs under Miri, too.
#[test]
fn words_may_lie_elsewhere() {
    let mut words: Vec<u32> = vec![0; 1024 + 16];
    let first = words.as_mut_ptr();
    let first = first.wrapping_add(first.align_offset(ROW_ALIGN as usize));
    let owner = Box::new(words);
    // SAFETY: the vector has 1024 words from there on, and lives in the memory.
    let memory = unsafe { Memory::reserved(NonNull::new(first).unwrap(), 4096, owner) };
    let again = memory.clone();
    drop(memory);
    again.store_row(256, &[7; ROW_WORDS]).unwrap();
    assert_eq!(again.load(508), Some(7));
    assert_eq!(again.load(512), Some(0));
    assert_eq!(again.load(4096), None);
}

/// Pairs of quads are as their words one by one, and others stay.
#[test]
fn quads_are_merged_word_by_word() {
    let words: [u32; ROW_WORDS] = std::array::from_fn(|n| 1000 + n as u32);
    // Quads side by side, and lines of two quads.
    for (apart, place) in [
        (2, &(|n: usize| 4 * n) as &dyn Fn(usize) -> usize),
        (4, &|n| 8 * (n / 2) + 2 * (n % 2)),
    ] {
        let offsets: [u32; 16] = std::array::from_fn(|n| 4 * place(15 - n) as u32);
        for mask in [0, u64::MAX, 1, 0x8000_00f0_1234_0001, 0xfedc_ba98_7654_3210] {
            let [memory, plain] = [(); 2].map(|()| {
                let memory = Memory::new(512);
                memory.fill(Addr(0), 128, 7).unwrap();
                memory
            });
            let done = memory.merge_quads((64, &offsets), apart, mask, &words);
            assert_eq!(done, Some(()));
            for lane in (0..ROW_WORDS).filter(|lane| mask >> lane & 1 != 0) {
                let word = [0, 1, apart, apart + 1][lane % 4];
                let at = 64 + u64::from(offsets[lane / 4]) + 4 * word as u64;
                plain.store(at, words[lane]).unwrap();
                let mut quad = [0; 4];
                memory
                    .load_pairs(64 + u64::from(offsets[lane / 4]), apart, &mut quad)
                    .unwrap();
                assert_eq!(quad[lane % 4], words[lane]);
            }
            for at in (0..512).step_by(4) {
                assert_eq!(memory.load(at), plain.load(at), "{apart} {mask:x} {at}");
            }
        }
    }
    let memory = Memory::new(64);
    let mut at = [0; 16];
    at[3] = 56;
    assert_eq!(memory.merge_quads((0, &at), 2, 0xf000, &words), None);
    at[3] = 4;
    assert_eq!(memory.merge_quads((0, &at), 2, 0xf000, &words), None);
    assert_eq!(memory.merge_quads((0, &at), 2, 0, &words), Some(()));
}
