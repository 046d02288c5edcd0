//! A canonical form for HTML, in which engines' choices of markup make no difference.
//!
//! | what | so |
//! |---|---|
//! | cmark-gfm writes `<strong>` in `<strong>` once | the inner one goes |
//! | cmark and we write `&#x27;` in destinations, commonmark.js `'` | `'` |

/// The canonical form.
///
/// ```
/// use barelink_spectest::canonical::canonical;
/// let html = "<strong>a <strong>b</strong><em><strong>c</strong></em></strong>";
/// assert_eq!(canonical(html), "<strong>a b<em><strong>c</strong></em></strong>");
/// // A tag of raw HTML closes nothing.
/// let html = "<strong></a><strong>b</strong></strong>";
/// assert_eq!(canonical(html), "<strong></a>b</strong>");
/// ```
pub fn canonical(html: &str) -> String {
    let html = html.replace("&#x27;", "'");
    let mut out = String::with_capacity(html.len());
    // The inline elements that are open, and whether each is written.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut rest = html.as_str();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = rest.find('>').map_or(rest.len(), |end| end + 1);
        let tag = &rest[..len];
        rest = &rest[len..];
        let is_written = match tag {
            "<strong>" | "<em>" | "<del>" => {
                let is_nested =
                    tag == "<strong>" && open.last().is_some_and(|(top, _)| *top == tag);
                open.push((tag, !is_nested));
                !is_nested
            }
            "</strong>" | "</em>" | "</del>" => open.pop().is_none_or(|(_, is_written)| is_written),
            "</p>" | "</li>" | "</td>" | "</th>" => {
                open.clear();
                true
            }
            _ if tag.starts_with("<a ") => {
                open.push(("<a", true));
                true
            }
            "</a>" => {
                open.pop_if(|(top, _)| *top == "<a");
                true
            }
            _ => {
                if tag.starts_with("</h") {
                    open.clear();
                }
                true
            }
        };
        if is_written {
            out.push_str(tag);
        }
    }
    out.push_str(rest);
    out
}
