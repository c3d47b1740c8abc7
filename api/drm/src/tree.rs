//! The node and its device, as a program sees them in the file system.
//!
//! Nothing of it lies on a disk: a file is a file without a name that holds its text, a folder a list of names.

use crate::card::Card;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The render node.
    Node,
    /// A file with this text.
    Text(String),
    /// A link to another place.
    Link(&'static str),
    /// A folder with these names.
    Folder(Vec<&'static str>),
}

/// Major and minor number of the render node.
pub(crate) const NUMBERS: (u32, u32) = (226, 128);
/// The render node.
pub(crate) const NODE: &str = "/dev/dri/renderD128";
/// Where the device sits, as the kernel writes PCI addresses.
pub(crate) const BUS: &str = "0000:01:00.0";

const NODES: &str = "/dev/dri";
const NUMBERED: &str = "/sys/dev/char/226:128";
const DEVICE: &str = "/sys/devices/pci0000:00/0000:01:00.0";
const RENDER: &str = "/sys/devices/pci0000:00/0000:01:00.0/drm/renderD128";
const BUS_LINK: &str = "/sys/bus/pci";

/// What the card's tree has at a path; none where the machine's own tree is to be asked. A last part that is a link stays
/// one; [`resolve`] follows it.
pub(crate) fn find(card: &Card, path: &str) -> Option<Entry> {
    let path = plain(path)?;
    match path.as_str() {
        NODE => return Some(Entry::Node),
        NODES => return Some(Entry::Folder(vec!["renderD128"])),
        NUMBERED => return Some(Entry::Link(RENDER)),
        DEVICE => {
            let names = [
                "vendor",
                "device",
                "revision",
                "subsystem_vendor",
                "subsystem_device",
                "subsystem",
                "uevent",
                "drm",
                "config",
            ];
            return Some(Entry::Folder(names.into()));
        }
        RENDER => return Some(Entry::Folder(vec!["dev", "device", "uevent"])),
        _ => {}
    }
    if let Some(inside) = path.strip_prefix(NUMBERED) {
        return find(card, &format!("{RENDER}{inside}"));
    }
    if let Some(name) = path.strip_prefix(RENDER) {
        let (major, minor) = NUMBERS;
        return match name {
            "/dev" => Some(Entry::Text(format!("{major}:{minor}\n"))),
            "/device" => Some(Entry::Link(DEVICE)),
            "/uevent" => Some(Entry::Text(format!(
                "MAJOR={major}\nMINOR={minor}\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"
            ))),
            _ => find(card, &format!("{DEVICE}{}", name.strip_prefix("/device")?)),
        };
    }
    let hex = |value: u16| Some(Entry::Text(format!("{value:#06x}\n")));
    match path.strip_prefix(DEVICE)? {
        "/vendor" => hex(card.vendor()),
        "/device" => hex(card.pci),
        "/subsystem_vendor" => hex(card.vendor()),
        "/subsystem_device" => hex(0x0b00),
        "/revision" => Some(Entry::Text("0x00\n".to_owned())),
        "/subsystem" => Some(Entry::Link(BUS_LINK)),
        "/drm" => Some(Entry::Folder(vec!["renderD128"])),
        "/uevent" => Some(Entry::Text(format!(
            "DRIVER={}\nPCI_CLASS=30000\nPCI_ID={:04X}:{:04X}\nPCI_SUBSYS_ID={:04X}:0B00\nPCI_SLOT_NAME={BUS}\n",
            card.interface.name(),
            card.vendor(),
            card.pci,
            card.vendor(),
        ))),
        _ => None,
    }
}

/// A path of the tree without links, and what is there.
pub(crate) fn resolve(card: &Card, path: &str) -> Option<(String, Entry)> {
    let mut path = plain(path)?;
    // No chain in the tree is longer.
    for _ in 0..4 {
        match find(card, &path)? {
            Entry::Link(BUS_LINK) => return Some((BUS_LINK.to_owned(), Entry::Folder(Vec::new()))),
            Entry::Link(to) => path = to.to_owned(),
            entry => return Some((through(&path), entry)),
        }
    }
    None
}

/// A path with the links in its middle followed.
fn through(path: &str) -> String {
    let path = match path.strip_prefix(NUMBERED) {
        Some(inside) => format!("{RENDER}{inside}"),
        None => path.to_owned(),
    };
    match path
        .strip_prefix(RENDER)
        .and_then(|p| p.strip_prefix("/device"))
    {
        Some(inside) => format!("{DEVICE}{inside}"),
        None => path,
    }
}

/// An absolute path without empty parts, `.` and `..`; none if it is not absolute.
fn plain(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.strip_prefix('/')?.split('/') {
        match part {
            "" | "." => {}
            // `device/..` of the node's folder is not asked for by any driver.
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::card::Interface;

    fn card() -> Card {
        Card::named("southern-islands", Some(Interface::Amdgpu)).unwrap()
    }

    #[test]
    fn drivers_find_the_device() {
        let card = card();
        let text = |path: &str| match find(&card, path) {
            Some(Entry::Text(text)) => text,
            other => panic!("{path}: {other:?}"),
        };
        assert_eq!(text("/sys/dev/char/226:128/device/vendor"), "0x1002\n");
        assert_eq!(text("/sys/dev/char/226:128/device/device"), "0x6798\n");
        let events = text("/sys/dev/char/226:128/device/uevent");
        assert!(events.contains("PCI_SLOT_NAME=0000:01:00.0\n"));
        assert!(events.contains("DRIVER=amdgpu\n"));
        assert_eq!(
            find(&card, "/sys/dev/char/226:128/device/subsystem"),
            Some(Entry::Link("/sys/bus/pci"))
        );
        let drm = "/sys/dev/char/226:128/device/drm";
        assert_eq!(find(&card, drm), Some(Entry::Folder(vec!["renderD128"])));
        assert_eq!(find(&card, "//dev/./dri/renderD128"), Some(Entry::Node));
        assert_eq!(
            resolve(&card, "/sys/dev/char/226:128/device").unwrap().0,
            DEVICE
        );
    }

    #[test]
    fn other_places_are_the_machines() {
        let card = card();
        for path in [
            "/dev/null",
            "relative/dev/dri",
            "/sys/dev/char/1:3",
            "/dev/dri/card7",
            "",
        ] {
            assert_eq!(find(&card, path), None, "{path}");
        }
    }
}
