//! `cargo xtask tidy`: the rules of the house that a compiler does not check.
//!
//! Every `.rs` file of the repository, but for those below a `generated`
//! folder:
//!
//! - has at most [`FILE_LINES_MAX`] lines, and functions of at most
//!   [`FUNCTION_LINES_MAX`], from `fn` to the closing brace;
//! - begins with `//!`, what it is for;
//! - leaves nothing for later: no unfinished or debugging macro, no note to do
//!   it some day, no ignored test;
//! - keeps `unsafe` where the scan kernels are;
//! - has no function that takes a bare `bool`: what `f(true)` means can only be told by a name.
//!   In an implementation of a trait the signature is given, so it is not looked at;
//! - shows a path in one way, in the command: `visible.rs` makes it fit for a terminal;
//! - imports only modules that are below its own: see [`layers`].
//!
//! And the [`tour`] in ARCHITECTURE.md finds what it names.
//!
//! Code is read as tokens, so words in strings and comments do not count; notes are searched for in
//! the whole text.

mod layers;
mod tour;

use std::path::Path;

use anyhow::Context as _;
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// The maximum number of lines of a file, including tests.
const FILE_LINES_MAX: usize = 600;

/// The maximum number of lines of a function.
const FUNCTION_LINES_MAX: usize = 120;

/// Where `unsafe` may stand: `find.rs` and the folder of its kernels.
const UNSAFE_HOME: &str = "crates/text/src/find";

/// Where else it may stand: counting allocators and peers in C, neither of which is shipped, and
/// the C interfaces of bindings.
const UNSAFE_GUESTS: &[&str] = &[
    "benches/src/foreign/",
    "bindings/python/src/ffi",
    "crates/autolink/tests/allocation.rs",
    "fuzz/counted/src/memory.rs",
];

/// Where the name of a file must not be shown as it is, and the one file that does.
const SHOWN_HOME: (&str, &str) = ("crates/cli/src/", "crates/cli/src/visible.rs");

/// Macros that mark unfinished code.
const UNFINISHED_MACROS: &[&str] = &["todo", "unimplemented", "dbg"];

/// Words that mark unfinished code in comments, concatenated here so that they do not match
/// themselves.
const UNFINISHED_NOTES: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// Folders without sources of this project.
const SKIPPED_FOLDERS: &[&str] = &["target", "node_modules", "generated"];

/// Checks every file below the root of the workspace.
///
/// # Errors
/// The problems, each with file and line, in the order of the files.
pub(crate) fn run(root: &Path) -> Result<(), Vec<String>> {
    let mut problems = Vec::new();
    let mut paths = Vec::new();
    if let Err(error) = push_sources(root, "", &mut paths) {
        problems.push(format!("{error:#}"));
    }
    paths.sort();
    if paths.is_empty() {
        problems.push(format!("no source below {}", root.display()));
    }
    for path in paths {
        match std::fs::read_to_string(root.join(&path)) {
            Ok(text) => check_file(&path, &text, &mut problems),
            Err(error) => problems.push(format!("{path}: {error}")),
        }
    }
    tour::check(root, &mut problems);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Collects the paths of the sources below a folder, relative to the root,
/// with slashes.
fn push_sources(root: &Path, folder: &str, paths: &mut Vec<String>) -> anyhow::Result<()> {
    let listed = std::fs::read_dir(root.join(folder));
    for entry in listed.with_context(|| format!("cannot list {folder}"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        // Links are not followed: they would lead out, or around in circles.
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                push_sources(root, &path, paths)?;
            }
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn check_file(path: &str, text: &str, problems: &mut Vec<String>) {
    let mut report = Report { path, problems };
    let n_lines = text.lines().count();
    if n_lines > FILE_LINES_MAX {
        report.push(FILE_LINES_MAX + 1, &format!("{n_lines} lines; {FILE_LINES_MAX} are the most"));
    }
    if !text.starts_with("//!") {
        report.push(1, "does not begin with `//!`, what it is for");
    }
    for (line_idx, line) in text.lines().enumerate() {
        if let Some(note) = UNFINISHED_NOTES.iter().find(|note| holds_word(line, note)) {
            report.push(line_idx + 1, &format!("`{note}`: do it, or open an issue"));
        }
    }
    match syn::parse_file(text) {
        Ok(file) => {
            Functions { report: &mut report }.visit_file(&file);
            layers::check(&file, &mut report);
        }
        Err(error) => report.push(error.span().start().line, &error.to_string()),
    }
    if let Ok(tokens) = text.parse::<TokenStream>() {
        check_tokens(tokens, &mut report);
    }
}

/// Collects the problems of one file.
struct Report<'a> {
    path: &'a str,
    problems: &'a mut Vec<String>,
}

impl Report<'_> {
    fn push(&mut self, line: usize, message: &str) {
        self.problems.push(format!("{}:{line}: {message}", self.path));
    }
}

/// Whether a line contains a word as a whole word.
fn holds_word(line: &str, word: &str) -> bool {
    let is_inside_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        !line[..start].ends_with(is_inside_word)
            && !line[start + word.len()..].starts_with(is_inside_word)
    })
}

/// Checks the length of every function with a body, and the parameters of functions.
struct Functions<'a, 'b> {
    report: &'a mut Report<'b>,
}

impl Functions<'_, '_> {
    fn check(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let start = signature.fn_token.span().start().line;
        let n_lines = body.brace_token.span.close().end().line + 1 - start;
        if n_lines > FUNCTION_LINES_MAX {
            let name = &signature.ident;
            let message =
                format!("`{name}` has {n_lines} lines; {FUNCTION_LINES_MAX} are the most");
            self.report.push(start, &message);
        }
    }
}

impl Functions<'_, '_> {
    fn check_parameters(&mut self, signature: &syn::Signature) {
        for parameter in &signature.inputs {
            if let syn::FnArg::Typed(parameter) = parameter
                && let syn::Type::Path(path) = &*parameter.ty
                && path.path.is_ident("bool")
            {
                let (line, name) = (parameter.span().start().line, &signature.ident);
                let message = format!("`{name}` takes a bare `bool`: make it an enum");
                self.report.push(line, &message);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_, '_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if item.trait_.is_none() {
            for inner in &item.items {
                if let syn::ImplItem::Fn(function) = inner {
                    self.check_parameters(&function.sig);
                }
            }
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.check_parameters(&item.sig);
        self.check(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.check(&item.sig, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.check_parameters(&item.sig);
        if let Some(body) = &item.default {
            self.check(&item.sig, body);
        }
        syn::visit::visit_trait_item_fn(self, item);
    }
}

/// Checks a run of tokens and the groups in it, those of macros included.
fn check_tokens(tokens: TokenStream, report: &mut Report<'_>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_after_hash = false;
    while let Some(token) = tokens.next() {
        let was_after_hash = is_after_hash;
        is_after_hash = false;
        match token {
            TokenTree::Ident(ident) => check_word(&ident, tokens.peek(), report),
            // The `!` of `#![…]` belongs to the `#`.
            TokenTree::Punct(punct) => {
                is_after_hash =
                    punct.as_char() == '#' || (was_after_hash && punct.as_char() == '!');
            }
            TokenTree::Group(group) => {
                if was_after_hash && group.delimiter() == Delimiter::Bracket {
                    check_attribute(&group, report);
                }
                check_tokens(group.stream(), report);
            }
            TokenTree::Literal(_) => {}
        }
    }
}

/// Whether the token after a name makes a call of a macro of it.
fn is_macro_call(next: Option<&TokenTree>) -> bool {
    // In `a != b` the mark is joined to what follows it.
    matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == '!' && mark.spacing() == Spacing::Alone)
}

fn check_word(word: &Ident, next: Option<&TokenTree>, report: &mut Report<'_>) {
    let line = word.span().start().line;
    let at_home = report.path.starts_with(UNSAFE_HOME)
        || UNSAFE_GUESTS.iter().any(|guest| report.path.starts_with(guest));
    if word == "unsafe" && !at_home {
        report.push(line, &format!("`unsafe` outside {UNSAFE_HOME}"));
    }
    let is_shown_here = report.path.starts_with(SHOWN_HOME.0) && report.path != SHOWN_HOME.1;
    if word == "display" && is_shown_here {
        report.push(line, "`display`: the name of a file may hold anything; use `visible::path`");
    }
    if is_macro_call(next) && UNFINISHED_MACROS.iter().any(|name| word == name) {
        report.push(line, &format!("`{word}!` is not for finished code"));
    }
}

/// Finds `ignore` as an attribute, or as one that `cfg_attr` gives.
fn check_attribute(attribute: &Group, report: &mut Report<'_>) {
    let mut tokens = attribute.stream().into_iter();
    let Some(TokenTree::Ident(name)) = tokens.next() else { return };
    let is_ignored = name == "ignore"
        || name == "cfg_attr"
            && tokens.any(|token| match token {
                TokenTree::Group(arguments) => holds_ignore(arguments.stream()),
                _ => false,
            });
    if is_ignored {
        report.push(name.span().start().line, "an ignored test tests nothing");
    }
}

fn holds_ignore(arguments: TokenStream) -> bool {
    arguments.into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "ignore"))
}

#[cfg(test)]
mod tests {
    use super::{FILE_LINES_MAX, check_file, run};
    use std::path::Path;

    /// The problems of a file that has a valid module comment.
    pub(super) fn problems(path: &str, code: &str) -> Vec<String> {
        let mut problems = Vec::new();
        check_file(path, &format!("//! A file.\n{code}"), &mut problems);
        problems
    }

    fn assert_one(code: &str, expected: &str) {
        let found = problems("a.rs", code);
        assert_eq!(found.len(), 1, "{code:?}: {found:?}");
        assert!(found[0].starts_with(expected), "{found:?}");
    }

    /// A function with this number of lines, from `fn` to its brace.
    fn function(n_lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    g();\n".repeat(n_lines - 2))
    }

    #[test]
    fn this_workspace_is_tidy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        assert_eq!(run(root), Ok(()));
    }

    #[test]
    fn an_empty_folder_is_a_problem() {
        assert!(run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("no-such-folder")).is_err());
    }

    #[test]
    fn files_are_measured() {
        assert!(problems("a.rs", &"\n".repeat(FILE_LINES_MAX - 1)).is_empty());
        assert_one(&"\n".repeat(FILE_LINES_MAX), "a.rs:601: 601 lines");
    }

    #[test]
    fn functions_are_measured() {
        assert!(problems("a.rs", &function(120)).is_empty());
        assert_one(&function(121), "a.rs:2: `f` has 121 lines");
        let inner = function(121).replace("fn f()", "fn f(&self)");
        assert_one(&format!("impl A {{\n    {inner}}}"), "a.rs:3: `f` has 121 lines");
        assert_one(&format!("trait A {{\n    {inner}}}"), "a.rs:3: `f` has 121 lines");
        assert_one(&format!("mod a {{\n/// Doc.\n#[b]\n{}}}", function(121)), "a.rs:5: `f`");
    }

    #[test]
    fn braces_in_texts_do_not_count() {
        let code = function(121).replace("g();\n", "g(\"}\", '}'); // }\n");
        assert_one(&code, "a.rs:2: `f` has 121 lines");
    }

    #[test]
    fn files_say_what_they_are_for() {
        let mut found = Vec::new();
        check_file("a.rs", "// A file.\n", &mut found);
        assert_eq!(found, ["a.rs:1: does not begin with `//!`, what it is for"]);
    }

    #[test]
    fn nothing_is_left_for_later() {
        assert_one("fn f() {\n    todo!();\n}", "a.rs:3: `todo!`");
        assert_one("fn f() { vec![dbg!(1)] }", "a.rs:2: `dbg!`");
        assert_one("fn f() { unimplemented!(\"x\") }", "a.rs:2: `unimplemented!`");
        assert_one(concat!("// TO", "DO: later"), "a.rs:2: ");
        assert_one(concat!("const A: &str = \"FIX", "ME\";"), "a.rs:2: ");
        assert_one("#[test]\n#[ignore = \"slow\"]\nfn f() {}", "a.rs:3: an ignored test");
        assert_one("#[cfg_attr(miri, ignore)]\nfn f() {}", "a.rs:2: an ignored test");
    }

    #[test]
    fn words_that_only_look_so_are_fine() {
        let code = "/// Not `todo!()`.\nfn f(todo: u8, dbg: u8) -> bool {\n    \
                    // #[ignore] and unsafe are words here.\n    let ignore = [todo];\n    \
                    todo != dbg && f(\"unsafe #[ignore] dbg!()\") && MASTODON_FIXMENT\n}\n";
        assert_eq!(problems("a.rs", code), Vec::<String>::new());
    }

    #[test]
    fn unsafe_has_one_home() {
        let code = "fn f() {\n    unsafe { g() }\n}";
        assert_one(code, "a.rs:3: `unsafe` outside");
        assert_one("unsafe fn f() {}", "a.rs:2: `unsafe` outside");
        assert_one("#[unsafe(no_mangle)]\nfn f() {}", "a.rs:2: `unsafe` outside");
        assert!(problems("crates/text/src/find/x86.rs", code).is_empty());
        assert!(problems("crates/text/src/find.rs", code).is_empty());
        assert!(problems("benches/src/foreign/md4c.rs", code).is_empty());
    }

    #[test]
    fn names_of_files_are_shown_in_one_way() {
        let code = "fn f(path: &Path) {\n    g(path.display());\n}";
        let found = problems("crates/cli/src/walk.rs", code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/cli/src/walk.rs:3: `display`"), "{found:?}");
        assert!(problems("crates/cli/src/visible.rs", code).is_empty());
        assert!(problems("xtask/src/main.rs", code).is_empty());
    }

    #[test]
    fn no_function_takes_a_bare_bool() {
        assert_one("fn f(a: u8, b: bool) {}", "a.rs:2: `f` takes a bare `bool`");
        assert_one("fn f(\n    a: u8,\n    mut b: bool,\n) {}", "a.rs:4: `f` takes");
        assert_one("impl A { fn f(&self, b: bool) {} }", "a.rs:2: `f` takes a bare `bool`");
        assert_one("trait A { fn f(&self, b: bool); }", "a.rs:2: `f` takes a bare `bool`");
        for code in [
            "fn f(a: Option<bool>, b: &mut bool, c: impl Fn(bool) -> bool) -> bool { a }",
            "impl A for B { fn f(&self, b: bool) {} }",
            "struct A { b: bool }\nconst fn f<const B: bool>() {}",
        ] {
            assert_eq!(problems("a.rs", code), Vec::<String>::new());
        }
    }

    #[test]
    fn what_does_not_parse_is_a_problem() {
        assert_one("fn f() {}\nfn ) {}", "a.rs:");
    }
}
