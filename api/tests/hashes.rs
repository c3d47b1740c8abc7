//! Every scene on every device has the hash in `golden/hashes.txt`, on every host. `UPDATE_GOLDEN=1` writes the file.

#![allow(clippy::unwrap_used)]

#[test]
fn pictures_are_those_of_every_host() {
    let found = scenes::hashes::lines().unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/hashes.txt");
        std::fs::write(path, found.join("\n") + "\n").unwrap();
        return;
    }
    let expected: Vec<&str> = include_str!("golden/hashes.txt").lines().collect();
    assert_eq!(found, expected);
}
