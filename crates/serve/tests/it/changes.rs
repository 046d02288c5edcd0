//! Pages that learn of changes.

use std::fs;

use crate::support::Served;

/// The state that is written into a page.
fn state_in_page(served: &Served, path: &str) -> String {
    let page = served.get(path);
    let rest = page.text().split_once("data-state=\"").unwrap().1;
    rest.split_once('"').unwrap().0.to_owned()
}

/// The states of a path, as they are told.
fn states(served: &Served, path: &str) -> impl Iterator<Item = String> + use<> {
    let lines = served.lines(&format!("/-/changes?path={path}"));
    lines.filter_map(|line| line.strip_prefix("data: ").map(ToOwned::to_owned))
}

#[test]
fn a_change_of_the_file_or_of_its_images_is_told() {
    let served = Served::new();
    served.write("docs/a.md", "one ![x](../i%20mg/x.png)");
    let mut told = states(&served, "/docs/a.md");
    let first = told.next().unwrap();
    assert_eq!(first, state_in_page(&served, "/docs/a.md"));

    served.write("docs/a.md", "one two ![x](../i%20mg/x.png)");
    let second = told.next().unwrap();
    assert_ne!(first, second);
    assert_eq!(second, state_in_page(&served, "/docs/a.md"));

    served.write("i mg/x.png", "x");
    let third = told.next().unwrap();
    assert_ne!(second, third);

    // As editors do it: away, and back under the same name.
    served.write("docs/new", "replaced");
    fs::rename(served.path("docs/new"), served.path("docs/a.md")).unwrap();
    assert_ne!(told.next().unwrap(), third);
    fs::remove_file(served.path("docs/a.md")).unwrap();
    assert!(told.any(|state| state == "0"));
    assert_eq!(state_in_page(&served, "/docs/a.md"), "0");
    served.write("docs/a.md", "back");
    assert_ne!(told.next().unwrap(), "0");
}

#[test]
fn a_new_file_changes_its_folder() {
    let served = Served::new();
    served.write("README.md", "one");
    let mut told = states(&served, "/");
    let first = told.next().unwrap();
    assert_eq!(first, state_in_page(&served, "/"));
    served.write("b.md", "");
    let second = told.next().unwrap();
    assert_ne!(first, second);
    served.write("README.md", "one, two");
    assert_ne!(told.next().unwrap(), second);
}
