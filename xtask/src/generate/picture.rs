//! The picture of `barelink explain` in the README: what the real command prints in
//! color, as an SVG.

use std::path::Path;
use std::process::Command;

use anstyle_svg::{Term, WIN10_CONSOLE};
use anyhow::{Context as _, bail};

/// What is explained. No line of the answer is long, so that the picture can be read.
const TEXT: &str = "at http://my_host.example, or www.example.com/x;";

/// The picture. It is dark, and looks the same on light and dark pages.
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
    let svg = Term::new().palette(WIN10_CONSOLE).min_width_px(0).render_svg(&terminal);
    Ok(svg.lines().map(|line| format!("{}\n", line.trim_end())).collect())
}
