//! The parts that the block phase and the inline phase share: neither imports the other.
//!
//! | file | what | blocks | inlines |
//! |---|---|---|---|
//! | `text` | the text of a leaf as one string | for definitions | for everything |
//! | `destination` | destinations, titles, labels | definitions | links |
//! | `label` | how labels match | for the two tables | for the two tables |
//! | `references`, `footnotes` | definitions, by label | fill them | look them up |
//! | `tag` | tags of HTML | HTML blocks | raw HTML |
//! | `unescape` | escapes and entities | | decoded addresses; also the writers |

pub(crate) mod attributes;
pub(crate) mod destination;
pub(crate) mod footnotes;
pub(crate) mod label;
pub(crate) mod references;
pub(crate) mod tag;
pub(crate) mod text;
pub(crate) mod unescape;
pub(crate) mod unfinished;
