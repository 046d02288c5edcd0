//! A strict reader of the HTML that the writer may give: every tag is in the one
//! form it is written in, and is closed where it has to be.
//!
//! ```text
//! html      = (text | entity | tag)*          no "<" or ">" in text
//! tag       = "<" name (" " attribute)* " /"? ">" | "</" name ">"
//! attribute = name ("=" '"' (text | entity)* '"')?
//! entity    = "&" ("lt" | "gt" | "amp" | "quot" | "#x27" | "#39") ";"
//! ```

/// Elements that have no end.
const VOID: &[&str] = &["br", "hr", "img", "input"];

const ENTITIES: &[&str] = &["&lt;", "&gt;", "&amp;", "&quot;", "&#x27;", "&#39;"];

/// What is wrong with `html`, if something is.
pub(crate) fn check(html: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some((text, from)) = rest.find('<').map(|at| rest.split_at(at)) {
        check_text(text)?;
        rest = match from.strip_prefix("</") {
            Some(end) => {
                let (name, after) = split_name(end);
                let expected = open.pop();
                if expected != Some(name) {
                    return Err(format!("</{name}> ends {expected:?}"));
                }
                after.strip_prefix('>').ok_or_else(|| format!("</{name} goes on"))?
            }
            None => read_start(&from[1..], &mut open)?,
        };
    }
    check_text(rest)?;
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} never end")) }
}

/// Reads a start tag after its `<`, and returns what follows it.
fn read_start<'h>(tag: &'h str, open: &mut Vec<&'h str>) -> Result<&'h str, String> {
    let (name, mut rest) = split_name(tag);
    if name.is_empty() {
        return Err(format!("no name at {tag:?}"));
    }
    let mut attributes = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(" />").filter(|_| VOID.contains(&name)) {
            return Ok(after);
        }
        if let Some(after) = rest.strip_prefix('>') {
            if name == "a" && open.contains(&"a") {
                return Err("a link in a link".to_owned());
            }
            if !VOID.contains(&name) {
                open.push(name);
            }
            return Ok(after);
        }
        let attribute = rest.strip_prefix(' ').ok_or_else(|| format!("<{name} at {rest:?}"))?;
        let (attribute, after) = split_name(attribute);
        if attribute.is_empty() || attributes.contains(&attribute) {
            return Err(format!("attribute {attribute:?} of <{name}"));
        }
        attributes.push(attribute);
        rest = match after.strip_prefix("=\"") {
            None => after,
            Some(value) => {
                let (value, after) = value.split_once('"').ok_or("a value does not end")?;
                check_text(value)?;
                after
            }
        };
    }
}

fn split_name(text: &str) -> (&str, &str) {
    let is_inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.split_at(text.find(|c| !is_inside(c)).unwrap_or(text.len()))
}

fn check_text(text: &str) -> Result<(), String> {
    if text.contains(['<', '>', '\0']) {
        return Err(format!("not escaped: {text:?}"));
    }
    for (at, _) in text.match_indices('&') {
        if !ENTITIES.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("not an entity: {:?}", &text[at..]));
        }
    }
    Ok(())
}
