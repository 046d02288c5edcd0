//! Finds the peers that are written in C, and notes what was compiled with what.
//!
//! A peer is there if a program that calls it can be compiled and linked. It is
//! then linked as the distribution ships it, and `md4c` or `cmark_gfm` is set;
//! without it the benchmark is built all the same and says how to install it.

use std::path::Path;
use std::process::Command;

struct Library {
    cfg: &'static str,
    /// Link order: a library comes before those that it needs.
    links: &'static [&'static str],
    probe: &'static str,
    /// The name by which `pkg-config` knows its version.
    package: &'static str,
}

const LIBRARIES: &[Library] = &[
    Library {
        cfg: "md4c",
        links: &["md4c-html", "md4c"],
        probe: "#include <md4c-html.h>\nint main(void) { return md_html(0, 0, 0, 0, 0, 0); }\n",
        package: "md4c-html",
    },
    Library {
        cfg: "cmark_gfm",
        links: &["cmark-gfm-extensions", "cmark-gfm"],
        probe: "#include <cmark-gfm.h>\n#include <cmark-gfm-core-extensions.h>\n\
                int main(void) { cmark_gfm_core_extensions_ensure_registered();\n\
                return cmark_version(); }\n",
        package: "libcmark-gfm",
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // These exist only while the packages are installed.
    println!("cargo::rerun-if-changed=/usr/include/md4c-html.h");
    println!("cargo::rerun-if-changed=/usr/include/cmark-gfm-core-extensions.h");
    let out_dir = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for library in LIBRARIES {
        println!("cargo::rustc-check-cfg=cfg({})", library.cfg);
        if !can_link(library, Path::new(&out_dir)) {
            continue;
        }
        println!("cargo::rustc-cfg={}", library.cfg);
        for link in library.links {
            println!("cargo::rustc-link-lib=dylib={link}");
        }
        let version = printed("pkg-config", &["--modversion", library.package]);
        let name = library.cfg.to_uppercase();
        println!("cargo::rustc-env=BENCH_{name}={}", version.unwrap_or("of the system".into()));
    }
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    let version = printed(&rustc, &["--version"]).unwrap_or("unknown".into());
    println!("cargo::rustc-env=BENCH_RUSTC={version}");
}

fn can_link(library: &Library, folder: &Path) -> bool {
    let source = folder.join(format!("{}.c", library.cfg));
    if std::fs::write(&source, library.probe).is_err() {
        return false;
    }
    let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    compiler.arg("-o").arg(folder.join(library.cfg)).arg(source);
    compiler.args(library.links.iter().map(|link| format!("-l{link}")));
    compiler.output().is_ok_and(|output| output.status.success())
}

fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
