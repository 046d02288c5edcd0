//! What is generated from the definitions: completions and man pages.

use crate::support::Scratch;

/// The flags of `barelink`, as `--help` lists them.
fn flags() -> Vec<String> {
    flags_of(&["--help"])
}

/// The flags of a command, as its help lists them.
fn flags_of(help: &[&str]) -> Vec<String> {
    let help = Scratch::new().run(help).ok();
    let flags: Vec<String> = help
        .lines()
        .filter(|line| line.starts_with("  -") || line.starts_with("      --"))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .map(|flag| flag.trim_end_matches(',').to_owned())
        .collect();
    assert!(flags.len() >= 9, "{flags:?}");
    flags
}

#[test]
fn completions_for_every_shell_know_every_flag() {
    let scratch = Scratch::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = scratch.run(&["completions", shell]).ok();
        let of_commands = [flags_of(&["links", "--help"]), flags_of(&["explain", "--help"])];
        for flag in flags().into_iter().chain(of_commands.concat()) {
            let name = if shell == "fish" { &flag[2..] } else { &flag };
            assert!(script.contains(name), "{shell}: no {flag}");
        }
    }
}

#[test]
fn the_man_page_describes_every_flag() {
    let page = Scratch::new().run(&["man"]).ok();
    for flag in flags() {
        // In roff a hyphen of the text is written `\-`.
        assert!(page.contains(&flag.replace('-', "\\-")), "no {flag} in\n{page}");
    }
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\""] {
        assert!(page.contains(&format!(".SH {heading}\n")), "no {heading} in\n{page}");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let scratch = Scratch::new();
    for command in ["html", "links", "explain", "completions", "man"] {
        let page = scratch.run(&["man", command]).ok();
        assert!(page.contains(&format!("barelink\\-{command}")), "{page}");
    }
    for command in ["html", "links", "explain"] {
        let page = scratch.run(&["man", command]).ok();
        assert!(page.contains(".SH EXAMPLES\n"), "{page}");
        assert!(page.contains(&format!("barelink {command} ")) || command == "html", "{page}");
    }
    assert_eq!(scratch.run(&["man", "gone"]).code, Some(2));
}
