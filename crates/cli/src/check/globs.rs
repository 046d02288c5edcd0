//! The globs of a configuration. They mean what they mean in `.gitignore`, in the folder of the
//! configuration:
//!
//! ```text
//! vendor       a file or a folder of that name, anywhere, with all that is in it
//! docs/old     with a `/` inside: from the folder of the configuration
//! /vendor      the same, of one name
//! ./vendor     the same
//! vendor/      a folder alone
//! docs/*.md    `*` and `?` stop at a `/`
//! docs/**/x    `**` does not
//! ```
//!
//! A glob that could match nothing is refused, and so is `!`: no glob can revoke another.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;

/// Globs that were read.
#[derive(Debug, Default)]
pub(crate) struct Globs {
    /// Those of files and folders.
    any: GlobSet,
    /// Those of folders alone.
    folders: GlobSet,
}

/// Why globs cannot be used: where the wrong one begins, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct BadGlob {
    pub(crate) at: usize,
    pub(crate) what: String,
}

/// What a glob is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Anything,
    Folders,
}

impl Globs {
    /// Those of a configuration in a folder, which is named from the root.
    pub(crate) fn new(globs: &[Spanned<String>], folder: &Path) -> Result<Self, BadGlob> {
        let (mut any, mut folders) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for glob in globs {
            let bad = |what| BadGlob { at: glob.span().start, what };
            let (glob, about) = parse(glob.get_ref(), folder).map_err(bad)?;
            match about {
                About::Anything => any.add(glob),
                About::Folders => folders.add(glob),
            };
        }
        let at = globs.first().map_or(0, |glob| glob.span().start);
        let bad = |error: globset::Error| BadGlob { at, what: error.to_string() };
        Ok(Self { any: any.build().map_err(bad)?, folders: folders.build().map_err(bad)? })
    }

    /// Whether one of them matches a file, by its path from the folder of the configuration, or a
    /// folder that the file is in.
    pub(crate) fn is_match(&self, path: &Path) -> bool {
        let is_there = |path: &&Path| !path.as_os_str().is_empty();
        let mut folders = path.ancestors().skip(1).take_while(is_there);
        self.any.is_match(path)
            || folders.any(|path| self.any.is_match(path) || self.folders.is_match(path))
    }
}

/// A glob as it is matched, from the folder of the configuration.
fn parse(written: &str, folder: &Path) -> Result<(Glob, About), String> {
    if let Some(name) = written.strip_prefix('!') {
        let what = "nothing that another glob names is taken back, so write globs without this";
        return Err(format!("`{written}`: {what}; a name that begins with `!` is `\\!{name}`"));
    }
    if leads_elsewhere(written, folder) {
        let what = "leads out of the folder of this file, from which globs are written";
        return Err(format!("`{written}` {what}"));
    }
    let inside = Path::new(written).strip_prefix(folder).ok().and_then(Path::to_str);
    let inside = inside.filter(|_| written.starts_with('/'));
    let mut rest = inside.unwrap_or(written).to_owned();
    if inside.is_some() {
        rest.insert(0, '/');
    }
    let about = if written.ends_with('/') { About::Folders } else { About::Anything };
    let mut is_anchored = false;
    while let Some(after) = rest.strip_prefix("./").or_else(|| rest.strip_prefix('/')) {
        rest = after.to_owned();
        is_anchored = true;
    }
    rest.truncate(rest.trim_end_matches('/').len());
    while rest.contains("//") {
        rest = rest.replace("//", "/");
    }
    if rest.trim().is_empty() || rest == "." {
        return Err(format!("`{written}` names nothing: write `**` for all files"));
    }
    let mut pattern = String::new();
    if !is_anchored && !rest.contains('/') && rest != "**" {
        pattern.push_str("**/");
    }
    let _ = write!(pattern, "{rest}");
    let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
    Ok((glob.map_err(|error| format!("`{written}`: {}", error.kind()))?, about))
}

/// Whether a glob can only mean something outside of the folder. One that begins with `/` is
/// relative to the folder. But if it starts with a folder that exists in the root of the file
/// system only, it is meant from there.
fn leads_elsewhere(written: &str, folder: &Path) -> bool {
    let path = Path::new(written);
    if path.components().any(|it| matches!(it, Component::ParentDir | Component::Prefix(_))) {
        return true;
    }
    let Some(below) = written.strip_prefix('/').filter(|_| !path.starts_with(folder)) else {
        return false;
    };
    let mut names = Path::new(below).components();
    let Some(first) = names.next() else { return false };
    names.next().is_some() && Path::new("/").join(first).is_dir() && !folder.join(first).exists()
}

/// The path from a folder to a file, both named from the root: with `..` if it is not below.
pub(crate) fn relative(folder: &Path, file: &Path) -> PathBuf {
    let n_same = folder.components().zip(file.components());
    let n_same = n_same.take_while(|(one, two)| one == two).count();
    let up = folder.components().skip(n_same).map(|_| Component::ParentDir);
    up.chain(file.components().skip(n_same)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(written: &str) -> Result<Globs, String> {
        let glob = Spanned::new(0..0, written.to_owned());
        Globs::new(&[glob], Path::new("/home/me/book")).map_err(|bad| bad.what)
    }

    #[test]
    fn globs_are_those_of_gitignore() {
        for (glob, matched, others) in [
            ("sub", &["sub", "sub/a.md", "x/sub/y/a.md"][..], &["subs/a.md", "a.md"][..]),
            ("sub/", &["sub/a.md", "x/sub/a.md"], &["sub", "x/sub"]),
            ("./sub", &["sub/a.md", "sub"], &["x/sub/a.md"]),
            ("/sub", &["sub/a.md", "sub"], &["x/sub/a.md"]),
            ("/sub/", &["sub/a.md"], &["sub", "x/sub/a.md"]),
            ("a/b", &["a/b", "a/b/c.md"], &["x/a/b"]),
            ("a///b//", &["a/b/c.md"], &["a/b"]),
            ("a/**", &["a/b.md", "a/b/c.md"], &["a", "b/a/c.md"]),
            ("**/a/b.md", &["a/b.md", "x/y/a/b.md"], &["a/x/b.md"]),
            ("*.mdx", &["a.mdx", "a/b.mdx", "../c/d.mdx"], &["a.md"]),
            ("a/*.md", &["a/b.md"], &["a/b/c.md", "x/a/b.md"]),
            ("a/*", &["a/b.md", "a/b/c.md"], &["b/a.md"]),
            ("{a,b}.md", &["a.md", "x/b.md"], &["c.md"]),
            ("**", &["a.md", "a/b.md"], &[]),
            ("\\!a.md", &["!a.md"], &["a.md"]),
            ("#a.md", &["#a.md"], &["a.md"]),
            ("docs", &["../docs/a.md"], &["../x/a.md"]),
            ("/docs", &["docs/a.md"], &["../docs/a.md"]),
            ("/home/me/book/sub", &["sub/a.md"], &["x/sub/a.md"]),
        ] {
            let globs = globs(glob).unwrap();
            for path in matched {
                assert!(globs.is_match(Path::new(path)), "{glob}: {path}");
            }
            for path in others {
                assert!(!globs.is_match(Path::new(path)), "{glob}: {path}");
            }
        }
    }

    #[test]
    fn what_matches_nothing_is_refused() {
        for (glob, what) in [
            ("", "names nothing"),
            (" ", "names nothing"),
            (".", "names nothing"),
            ("./", "names nothing"),
            ("/", "names nothing"),
            ("../x", "leads out of the folder"),
            ("a/../../x", "leads out of the folder"),
            ("!a.md", "is `\\!a.md`"),
            ("a{", "unclosed"),
            ("[a", "unclosed"),
        ] {
            let error = globs(glob).unwrap_err();
            assert!(error.starts_with(&format!("`{glob}`")) && error.contains(what), "{error}");
        }
        #[cfg(unix)]
        for glob in ["/dev/null", "/dev/**"] {
            assert!(globs(glob).unwrap_err().contains("leads out of the folder"), "{glob}");
        }
    }

    #[test]
    fn paths_lead_from_a_folder_to_a_file() {
        for (folder, file, expected) in
            [("/a/b", "/a/b/c.md", "c.md"), ("/a/b", "/a/c/d.md", "../c/d.md"), ("/", "/a", "a")]
        {
            assert_eq!(relative(Path::new(folder), Path::new(file)), Path::new(expected));
        }
    }
}
