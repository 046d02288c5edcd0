//! The picture of `barelink explain` in the README: the colored output of the real command as SVG.

use std::path::Path;
use std::process::Command;

use anstyle::RgbColor;
use anstyle_svg::{Term, WIN10_CONSOLE};
use anyhow::{Context as _, bail};

/// The text that is explained. No line of the output is long, so that the picture is legible.
const TEXT: &str = "at http://my_host.example, or www.example.com/x;";

/// Dark, but not as dark as a dark page.
const BACKGROUND: RgbColor = RgbColor(30, 34, 42);
const FOREGROUND: RgbColor = RgbColor(215, 218, 224);

/// Room for the longest line in a wide font.
const WIDTH: usize = 790;

/// The picture. It looks the same on light and dark pages.
pub(super) fn svg(root: &Path) -> anyhow::Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "barelink-cli", "--"])
        .args(["explain", "--color", "always", "--text", TEXT])
        .current_dir(root)
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        bail!("`barelink explain` failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let printed = String::from_utf8(output.stdout)?;
    let terminal = format!("$ barelink explain --text '{TEXT}'\n{}", printed.trim_end());
    let term = Term::new().palette(WIN10_CONSOLE).min_width_px(WIDTH);
    let term = term.bg_color(BACKGROUND.into()).fg_color(FOREGROUND.into());
    let svg = term.render_svg(&terminal);
    let lines: Vec<&str> = svg.lines().map(str::trim_end).collect();
    Ok(lines.join("\n") + "\n")
}
