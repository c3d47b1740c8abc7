//! `girih bench --matrix`: generated frames, one for each way that a frame may be made, on a device and beside it on a
//! Vulkan driver.
//!
//! The peer is `api/tests/vulkan`: it draws the same plans, by their names, and answers with its times.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use girih::{Device, PhysicalDevice, Stats, TextureFormat};
use scenes::image::RgbaImage;
use scenes::matrix::Drawing;
use scenes::matrix::cells::{cells, plan::Plan};
use scenes::png;

use crate::device::Power;
use crate::measure::{Times, measure};
use crate::{Failure, print};

/// How the matrix is drawn.
pub struct Matrix<'a> {
    /// Part of the names of the cells that are drawn.
    pub filter: &'a str,
    pub power: &'a Power,
    /// Least frames that are timed, after one that is not.
    pub frames: u32,
    /// Folder for the pictures of the cells.
    pub pictures: Option<&'a Path>,
    /// Program and driver file of the peer.
    pub peer: Option<(&'a Path, &'a Path)>,
}

/// One cell.
struct Row {
    name: String,
    times: Times,
    work: Stats,
    /// The peer's answer, or why it cannot draw the cell.
    peer: Option<Result<Answer, String>>,
}

/// What a peer says about one cell.
struct Answer {
    times: Times,
    /// Per cent of the picture's bytes that are more than 4 of 255 apart, where a byte is a channel.
    apart: Option<f64>,
}

impl Matrix<'_> {
    /// Draws every cell on a device, and prints them, the worst first.
    pub fn run(&self, gpu: &PhysicalDevice) -> Result<(), Failure> {
        let cells: Vec<Plan> = cells()
            .into_iter()
            .filter(|cell| cell.name.contains(self.filter))
            .collect();
        if cells.is_empty() {
            return Err(format!("no cell of the matrix has `{}` in its name", self.filter).into());
        }
        let device = gpu.create_device(&self.power.descriptor("matrix"))?;
        let mut peer = self
            .peer
            .map(|(program, driver)| Peer::start(program, driver, self))
            .transpose()?;
        let mut rows = Vec::new();
        let mut refused = Vec::new();
        for cell in &cells {
            match self.cell(&device, cell, peer.as_mut()) {
                Ok(row) => {
                    if let Some(Err(reason)) = &row.peer {
                        refused.push(format!("{}: the peer: {reason}\n", cell.name));
                    }
                    rows.push(row);
                }
                Err(failure) => refused.push(format!("{}: {failure}\n", cell.name)),
            }
        }
        rows.sort_by(|a, b| b.order().total_cmp(&a.order()));
        print(&heading(gpu.name(), self.peer.is_some()))?;
        for row in &rows {
            print(&row.text())?;
        }
        print(&summary(&rows))?;
        print(&refused.concat())
    }

    fn cell(&self, device: &Device, plan: &Plan, peer: Option<&mut Peer>) -> Result<Row, Failure> {
        let mut drawing = Drawing::new(device, plan)?;
        let before = device.stats();
        drawing.draw()?;
        let work = device.stats().since(before);
        let times = measure(self.frames, || drawing.draw())?;
        let ours = drawing.picture()?;
        if let Some(folder) = self.pictures {
            save(folder, plan, &ours)?;
        }
        let peer = peer.map(|peer| peer.draw(plan, &ours)).transpose()?;
        Ok(Row {
            name: plan.name.clone(),
            times,
            work,
            peer,
        })
    }
}

impl Row {
    fn answer(&self) -> Option<&Answer> {
        self.peer.as_ref()?.as_ref().ok()
    }

    /// Times beside the peer's: wall and processor.
    fn ratios(&self) -> Option<[f64; 2]> {
        let peer = &self.answer()?.times;
        Some([
            self.times.ms / peer.ms,
            self.times.processor_ms / peer.processor_ms,
        ])
    }

    /// The worst ratio first; without a peer, the longest time. What other programs on the machine do to one of both
    /// times they seldom do to the other.
    fn order(&self) -> f64 {
        self.ratios()
            .map_or(self.times.ms, |[wall, processor]| wall.min(processor))
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{:<64} {:9.3} {:9.3}",
            self.name, self.times.ms, self.times.processor_ms
        );
        if let (Some(peer), Some([wall, processor])) = (self.answer(), self.ratios()) {
            let apart = peer
                .apart
                .map_or("-".to_owned(), |apart| format!("{apart:.2}"));
            text += &format!(
                " {:9.3} {:9.3} {wall:6.2} {processor:6.2} {apart:>7}",
                peer.times.ms, peer.times.processor_ms
            );
        }
        let work = &self.work;
        let lanes = (work.vertex_lanes + work.fragment_lanes + work.compute_lanes) as f64
            / work.waves().max(1) as f64;
        let bytes = work.color_bytes_read
            + work.color_bytes_written
            + work.depth_bytes_read
            + work.depth_bytes_written;
        text + &format!(
            " {:8} {lanes:6.1} {:10} {:10} {bytes:10} {:6}\n",
            work.waves(),
            work.instructions,
            work.texels,
            work.bins
        )
    }
}

fn heading(device: &str, peer: bool) -> String {
    let mut text = format!("{device}\n{:<64} {:>9} {:>9}", "cell", "ms", "cpu ms");
    if peer {
        text += "   peer ms    cpu ms  ratio    cpu % apart";
    }
    text + &format!(
        " {:>8} {:>6} {:>10} {:>10} {:>10} {:>6}\n",
        "waves", "lanes", "instr.", "texels", "bytes", "bins"
    )
}

/// Median and number of large ratios, of wall and of processor time.
fn summary(rows: &[Row]) -> String {
    let all: Vec<[f64; 2]> = rows.iter().filter_map(Row::ratios).collect();
    let line = |n: usize, kind| {
        let mut ratios: Vec<f64> = all.iter().map(|ratio| ratio[n]).collect();
        ratios.sort_by(f64::total_cmp);
        let above = ratios.iter().filter(|&&ratio| ratio > 1.5).count();
        ratios
            .get(ratios.len() / 2)
            .map_or_else(String::new, |median| {
                format!(
                    "{} ratios of {kind} time: median {median:.2}, {above} above 1.5\n",
                    ratios.len()
                )
            })
    };
    line(0, "wall") + &line(1, "processor")
}

/// Whether the bytes of a picture are channels of eight bits, red first.
fn is_bytes(format: TextureFormat) -> bool {
    matches!(
        format,
        TextureFormat::Rgba8Unorm | TextureFormat::Rgba8UnormSrgb
    )
}

/// Writes a picture as NAME.png, where it can be one.
fn save(folder: &Path, plan: &Plan, bytes: &[u8]) -> Result<(), Failure> {
    let texture = &plan.textures[plan.picture];
    let [width, height, _] = texture.size;
    if let (true, Some(picture)) = (
        is_bytes(texture.format),
        RgbaImage::from_raw(width, height, bytes.to_vec()),
    ) {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        png::save(
            &picture,
            &folder.join(plan.name.replace('/', " - ") + ".png"),
        )?;
    }
    Ok(())
}

/// A running peer.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    picture: PathBuf,
}

impl Peer {
    fn start(program: &Path, driver: &Path, matrix: &Matrix<'_>) -> Result<Peer, Failure> {
        let picture = std::env::temp_dir().join(format!("girih-matrix-{}.bin", std::process::id()));
        let mut command = Command::new(program);
        command
            .arg("--matrix")
            .arg(matrix.frames.to_string())
            .arg(&picture);
        command.env("VK_DRIVER_FILES", driver);
        if let Some(threads) = matrix.power.threads {
            command.env("LP_NUM_THREADS", threads.to_string());
        }
        let located = |error: std::io::Error| format!("{}: {error}", program.display());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(located)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{} has no pipes", program.display()).into());
        };
        let mut peer = Peer {
            child,
            input,
            output: BufReader::new(output),
            picture,
        };
        // What it does to start would take a processor from the first cells.
        peer.line()?;
        Ok(peer)
    }

    /// A line that it says.
    fn line(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err("the peer has ended".into()),
            _ => Ok(line),
        }
    }

    /// One cell, or why the driver cannot draw it.
    fn draw(&mut self, plan: &Plan, ours: &[u8]) -> Result<Result<Answer, String>, Failure> {
        writeln!(self.input, "{}", plan.name)?;
        self.input.flush()?;
        let line = self.line()?;
        let mut numbers = line.split_whitespace().map(str::parse);
        let (Some(Ok(ms)), Some(Ok(processor_ms))) = (numbers.next(), numbers.next()) else {
            return Ok(Err(line.trim().to_owned()));
        };
        let theirs = std::fs::read(&self.picture)?;
        let apart = apart(plan.textures[plan.picture].format, ours, &theirs);
        Ok(Ok(Answer {
            times: Times { ms, processor_ms },
            apart,
        }))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends by itself when its input does; what it drew is no longer needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.picture);
    }
}

/// Per cent of the bytes that are more than 4 apart.
fn apart(format: TextureFormat, ours: &[u8], theirs: &[u8]) -> Option<f64> {
    if !is_bytes(format) || ours.len() != theirs.len() {
        return None;
    }
    let far = std::iter::zip(ours, theirs)
        .filter(|(a, b)| a.abs_diff(**b) > 4)
        .count();
    Some(far as f64 * 100.0 / ours.len().max(1) as f64)
}
