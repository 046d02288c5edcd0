//! Resolves the symbolic links of a path below a folder, and refuses those that lead out of it.
//!
//! ```text
//! site/a.html → b.html            site/b.html
//! site/docs → guide               site/guide/...
//! site/a.html → ../notes.txt      refused, and so is a folder that leads out
//! site/a.html → (nothing)         refused: its target may be created later
//! ```
//!
//! Paths are resolved once, before anything is written. Files are then written to the resolved
//! path, which has no symbolic links; [`make_folder`] checks that again just before.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::report::reason;
use crate::visible;

/// Why a path cannot be written to.
#[derive(Debug)]
pub(crate) enum Astray {
    /// This symbolic link leads out of the folder.
    Out(PathBuf),
    /// This symbolic link leads to nothing.
    Nowhere(PathBuf),
    Io(io::Error),
}

/// Resolves `path` within `root`, which has no symbolic links. Components that do not exist yet are
/// kept unchanged.
pub(crate) fn resolve(root: &Path, path: &Path) -> Result<PathBuf, Astray> {
    let mut resolved = root.to_owned();
    let mut components = path.components();
    for component in components.by_ref() {
        let next = resolved.join(component);
        match fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => {
                resolved = match fs::canonicalize(&next) {
                    Ok(target) if target.starts_with(root) => target,
                    Ok(_) => return Err(Astray::Out(next)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        return Err(Astray::Nowhere(next));
                    }
                    Err(error) => return Err(Astray::Io(error)),
                };
            }
            Ok(_) => resolved = next,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                resolved = next;
                break;
            }
            Err(error) => return Err(Astray::Io(error)),
        }
    }
    resolved.push(components.as_path());
    // Pushing nothing would leave a separator at the end.
    Ok(resolved.components().collect())
}

/// Creates a resolved folder. Fails if its path has a symbolic link by now.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if fs::canonicalize(folder)? == folder {
        Ok(())
    } else {
        Err(io::Error::other("its folder has become a symbolic link"))
    }
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Out(link) => {
                write!(f, "{} is a symbolic link that leads out", visible::path(link))
            }
            Self::Nowhere(link) => {
                write!(f, "{} is a symbolic link to nothing", visible::path(link))
            }
            Self::Io(error) => f.write_str(&reason(error)),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_as_far_as_the_folder_goes() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap().join("site");
        fs::create_dir_all(root.join("guide/deep")).unwrap();
        fs::write(root.join("b.html"), "b").unwrap();
        fs::write(root.join("../notes.txt"), "n").unwrap();
        for (target, link) in [
            ("b.html", "a.html"),
            ("guide", "docs"),
            ("../site/guide", "there-and-back"),
            ("../notes.txt", "out.html"),
            ("..", "up"),
            ("nothing", "dangling"),
            ("round", "round"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        for (path, resolved) in [
            ("a.html", "b.html"),
            ("b.html", "b.html"),
            ("new.html", "new.html"),
            ("new/deep/a.html", "new/deep/a.html"),
            ("docs/x.html", "guide/x.html"),
            ("docs/new/x.html", "guide/new/x.html"),
            ("there-and-back/deep/x.html", "guide/deep/x.html"),
        ] {
            assert_eq!(resolve(&root, Path::new(path)).unwrap(), root.join(resolved), "{path}");
        }
        let astray = |path: &str| resolve(&root, Path::new(path)).unwrap_err();
        assert!(matches!(astray("out.html"), Astray::Out(link) if link.ends_with("out.html")));
        assert!(matches!(astray("up/x/y.html"), Astray::Out(link) if link.ends_with("up")));
        assert!(matches!(astray("dangling/y.html"), Astray::Nowhere(_)));
        assert!(matches!(astray("round"), Astray::Io(_)));
        assert!(matches!(astray("b.html/c.html"), Astray::Io(_)));
    }

    #[test]
    fn a_folder_that_became_a_link_is_not_made() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        make_folder(&root.join("a/b")).unwrap();
        fs::create_dir(root.join("elsewhere")).unwrap();
        symlink("elsewhere", root.join("link")).unwrap();
        assert!(make_folder(&root.join("link")).is_err());
        assert!(make_folder(&root.join("link/c")).is_err());
    }
}
