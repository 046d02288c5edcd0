//! Comments go in and come out through requests, and the guide shows this program.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt as _;

const GUIDE: &str = include_str!("../../../docs/comment-box.md");

/// The code blocks of the guide in a language, one after the other.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    GUIDE.split(&fence).skip(1).map(|after| after.split("```\n").next().unwrap()).collect()
}

#[test]
fn the_guide_shows_this_program() {
    let program = include_str!("main.rs");
    let (_, program) = program.split_once("\n\n").unwrap();
    let (program, _) = program.split_once("\n#[cfg(test)]").unwrap();
    assert_eq!(blocks("rust").join("\n"), program);
}

#[test]
fn the_guide_shows_its_dependencies() {
    let manifest = include_str!("../Cargo.toml");
    let [shown] = blocks("toml")[..] else { panic!("one block") };
    let mut n_found = 0;
    for line in shown.lines().filter(|line| !line.starts_with("barelink")) {
        assert!(manifest.contains(line), "{line}");
        n_found += 1;
    }
    assert_eq!(n_found, 5);
    let (_, package) =
        include_str!("../../../Cargo.toml").split_once("[workspace.package]").unwrap();
    let version = package.split('"').nth(1).unwrap();
    let (minor, _) = version.rsplit_once('.').unwrap();
    assert!(shown.contains(&format!("barelink = \"{minor}\"\n")), "{minor}");
}

/// Sends a comment, already encoded as forms are.
async fn send(app: &Router, encoded: &str) -> StatusCode {
    let request = Request::post("/")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(format!("text={encoded}")))
        .unwrap();
    app.clone().oneshot(request).await.unwrap().status()
}

async fn page(app: &Router) -> String {
    let request = Request::get("/").body(Body::empty()).unwrap();
    let response = app.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

/// The page with this one comment.
async fn page_with(encoded: &str) -> String {
    let app = super::app();
    assert_eq!(send(&app, encoded).await, StatusCode::SEE_OTHER);
    page(&app).await
}

#[tokio::test]
async fn what_strangers_write_is_safe() {
    let page = page_with("Hi+<script>alert(1)</script>+[x](javascript:alert(1))+ftp://a.bc").await;
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; <a href=\"\">x</a>"), "{page}");
    assert!(page.contains("<a href=\"\">ftp://a.bc</a>"), "{page}");
}

#[tokio::test]
async fn links_have_their_attributes_or_are_text() {
    let page = page_with("www.a.bc+https://forum.example/1+[win](https://Casino.example./x)").await;
    assert!(page.contains("<a href=\"http://www.a.bc\" rel=\"nofollow ugc\">www.a.bc</a>"));
    assert!(page.contains("<a href=\"https://forum.example/1\">"), "{page}");
    assert!(page.contains(" win</p>"), "{page}");
}

#[tokio::test]
async fn images_are_lazy_and_code_is_colored() {
    let page = page_with("![a](/b.png)%0A%0A```rust%0Afn+main()+{}%0A```%0A").await;
    assert!(page.contains("<img src=\"/b.png\" alt=\"a\" loading=\"lazy\" />"), "{page}");
    assert!(page.contains("<pre><code class=\"highlighted\"><span class=\"source rust\">"));
    let page = page_with("```nonsense%0A<b>%0A```%0A").await;
    assert!(page.contains("<pre><code class=\"language-nonsense\">&lt;b&gt;\n"), "{page}");
}

#[tokio::test]
async fn ids_are_unique_on_the_page() {
    let app = super::app();
    for _ in 0..2 {
        assert_eq!(send(&app, "%23+One%0A%23+Two%26").await, StatusCode::SEE_OTHER);
    }
    let page = page(&app).await;
    for id in ["comment-1-one", "comment-1-two", "comment-2-one", "comment-2-two"] {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{page}");
        assert_eq!(page.matches(&format!("<li><a href=\"#{id}\">")).count(), 1, "{page}");
    }
    assert!(page.contains("Two&amp;</a></li>"));
}

#[tokio::test]
async fn a_short_comment_has_no_contents() {
    assert!(!page_with("%23+One").await.contains("<ul>"));
}
