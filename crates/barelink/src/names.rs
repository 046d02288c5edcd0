//! Names of choices, as in configuration files: [`FromStr`] and [`Display`](fmt::Display), which
//! are inverses.

use std::fmt;
use std::str::FromStr;

use crate::event::AlertKind;
use crate::event::Form;
use crate::options::{Markup, Options, Reading};
use crate::policy::{RawHtml, SoftBreaks};

/// The error of parsing an unknown name.
///
/// ```
/// use barelink::Options;
/// let error = "latex".parse::<Options>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "unknown preset `latex`: expected one of commonmark, gfm, github, md4c, natural"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, known } = self;
        write!(f, "unknown {what} `{name}`: expected one of {}", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

impl FromStr for Options {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::preset(name).ok_or_else(|| UnknownName {
            what: "preset",
            name: name.to_owned(),
            known: Self::PRESETS,
        })
    }
}

/// Defines the names of an enum.
macro_rules! names {
    ($type:ident, $what:literal, $($variant:ident => $name:literal),+) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in options and documents.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.iter().copied().find(|it| it.name() == name).ok_or_else(|| UnknownName {
                    what: $what,
                    name: name.to_owned(),
                    known: &[$($name),+],
                })
            }
        }
    };
}

names!(Markup, "markup", Github => "github", Md4c => "md4c");
names!(Reading, "reading", Specification => "specification", CmarkGfm => "cmark-gfm");
names!(RawHtml, "way to treat raw HTML", Escape => "escape", Drop => "drop", Pass => "pass");
names!(SoftBreaks, "soft break", Newline => "newline", Space => "space", Hard => "hard");
names!(
    Form, "form of links",
    Inline => "inline", Full => "full", Collapsed => "collapsed", Shortcut => "shortcut",
    Angle => "angle", Wiki => "wiki", BareUrl => "url", BareWww => "www", BareEmail => "email",
    Html => "html", Definition => "definition", Missing => "missing"
);
names!(
    AlertKind, "kind of alert",
    Note => "note", Tip => "tip", Important => "important", Warning => "warning",
    Caution => "caution"
);

/// A dialect by its name; the recognizer's crate knows nothing of serde.
#[cfg(feature = "serde")]
pub(crate) mod dialect {
    use std::borrow::Cow;

    use barelink_autolink::Dialect;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de};

    #[allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)] // As serde calls it.
    pub(crate) fn serialize<S: Serializer>(
        dialect: &Option<Dialect>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        dialect.map(Dialect::name).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Dialect>, D::Error> {
        match Option::<Cow<'_, str>>::deserialize(deserializer)?.as_deref() {
            None | Some("none") => Ok(None),
            Some(name) => name.parse().map(Some).map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AlertKind, Form, Markup, Options, RawHtml, Reading, SoftBreaks};

    #[test]
    fn names_are_read_as_they_are_written() {
        fn check<T>(all: &[T])
        where
            T: std::str::FromStr<Err: std::fmt::Debug> + ToString + PartialEq + std::fmt::Debug,
        {
            for value in all {
                assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(value));
            }
        }
        check(Markup::ALL);
        check(RawHtml::ALL);
        check(Reading::ALL);
        check(SoftBreaks::ALL);
        check(Form::ALL);
        check(AlertKind::ALL);
        assert!("nope".parse::<Form>().is_err());
        for name in Options::PRESETS {
            assert_eq!(name.parse::<Options>().ok(), Options::preset(name));
        }
    }
}
