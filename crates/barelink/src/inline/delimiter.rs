//! Constructs written in pairs of delimiter runs, such as emphasis: each delimiter and each style
//! is defined once, with everything in which it differs from the others.
//!
//! Code that treats them differently, from collecting to HTML and events, matches on [`Delimiter`]
//! or [`Style`] and names every variant, and [`SearchClass::new`] names every option. Sets of bytes
//! that are no markup are compared with [`SearchClass::may_be_markup`] at compile time. So a new
//! one needs a row and its arms here, and the compiler finds the other places. The exception is the
//! test below, which compares search classes with delimiters: it has to set the option that turns
//! the new one on.

use barelink_text::find::{Class, Inline, RichInline, Unplain};

use crate::options::Options;

/// Declares the delimiters, each with the byte that its runs consist of.
macro_rules! delimiters {
    ($($(#[$doc:meta])* $name:ident = $byte:literal,)+) => {
        /// The characters of delimiter runs.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Delimiter {
            $($(#[$doc])* $name,)+
        }

        impl Delimiter {
            /// All delimiters.
            pub(crate) const ALL: [Self; [$($byte),+].len()] = [$(Self::$name),+];

            /// The delimiter of this byte, whether or not the options enable it.
            #[inline]
            pub(crate) const fn of(byte: u8) -> Option<Self> {
                match byte {
                    $($byte => Some(Self::$name),)+
                    _ => None,
                }
            }

            pub(crate) const fn byte(self) -> u8 {
                match self {
                    $(Self::$name => $byte,)+
                }
            }
        }
    };
}

delimiters! {
    Star = b'*',
    Underscore = b'_',
    Tilde = b'~',
    Equals = b'=',
    Caret = b'^',
    SingleQuote = b'\'',
    DoubleQuote = b'"',
}

/// The style of the text between two delimiter runs that pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Emphasis,
    Strong,
    Strikethrough,
    Mark,
    Superscript,
    Subscript,
}

impl Style {
    /// The style for two bytes at either end, where one byte makes this style.
    #[inline]
    pub(crate) fn doubled(self) -> Self {
        match self {
            Self::Emphasis => Self::Strong,
            // Two carets are equal to one, as in comrak.
            Self::Strong
            | Self::Strikethrough
            | Self::Mark
            | Self::Superscript
            | Self::Subscript => self,
        }
    }
}

/// How the runs of a delimiter pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pairing {
    /// SPEC: 6.2: one or two bytes at a time, from the inside. One byte makes this style, two make
    /// it [doubled](Style::doubled).
    Inside(Style),
    /// GFM, "Strikethrough (extension)": runs of equal length pair; other runs, and all runs
    /// between two that pair, are text.
    Whole(Style),
    /// Smart punctuation: one by one, and without effect on the runs between them.
    Quotes,
}

impl Delimiter {
    /// How a run of this length pairs; `None` if it is text.
    #[inline]
    pub(crate) fn pairing(self, len: usize, options: &Options) -> Option<Pairing> {
        match self {
            Self::Star | Self::Underscore => Some(Pairing::Inside(Style::Emphasis)),
            Self::Tilde => {
                let style = match len {
                    1 if options.subscript => Style::Subscript,
                    1 if options.strikethrough && options.single_tilde => Style::Strikethrough,
                    2 if options.strikethrough => Style::Strikethrough,
                    _ => return None,
                };
                Some(Pairing::Whole(style))
            }
            Self::Equals => (options.mark && len == 2).then_some(Pairing::Whole(Style::Mark)),
            Self::Caret => options.superscript.then_some(Pairing::Inside(Style::Superscript)),
            Self::SingleQuote | Self::DoubleQuote => {
                (options.smart_punctuation && len == 1).then_some(Pairing::Quotes)
            }
        }
    }

    /// Whether the options let any of its runs pair.
    #[inline]
    pub(crate) fn is_on(self, options: &Options) -> bool {
        self.pairing(1, options).is_some() || self.pairing(2, options).is_some()
    }

    /// Whether an unclosed run of this length is displayed as if it were closed while its text is
    /// still being written. A single tilde more often means "about" than anything else, and a caret
    /// stands for itself.
    pub(crate) fn is_guessed(self, len: usize) -> bool {
        match self {
            Self::Star | Self::Underscore | Self::Equals => true,
            Self::Tilde => len == 2,
            Self::Caret | Self::SingleQuote | Self::DoubleQuote => false,
        }
    }

    /// The number of delimiters that are markup. They come first.
    pub(super) const N_MARKUP: usize = {
        let mut n_markup = 0;
        while n_markup < Self::ALL.len() && Self::ALL[n_markup].is_markup() {
            n_markup += 1;
        }
        let mut idx = n_markup;
        while idx < Self::ALL.len() {
            assert!(!Self::ALL[idx].is_markup(), "markup comes first");
            idx += 1;
        }
        n_markup
    };

    /// Whether its runs are markup, which is not displayed if they pair.
    pub(crate) const fn is_markup(self) -> bool {
        match self {
            Self::Star | Self::Underscore | Self::Tilde | Self::Equals | Self::Caret => true,
            Self::SingleQuote | Self::DoubleQuote => false,
        }
    }

    /// Whether its runs open before punctuation, too, whatever precedes them: `x^(2)`.
    #[inline]
    pub(crate) fn opens_before_punctuation(self, options: &Options) -> bool {
        match self {
            Self::Star
            | Self::Underscore
            | Self::Equals
            | Self::SingleQuote
            | Self::DoubleQuote => false,
            Self::Tilde => options.subscript,
            Self::Caret => true,
        }
    }

    /// Whether cmark-gfm, and comrak likewise, ignores its runs when it looks for the neighbors of
    /// another run.
    #[inline]
    pub(crate) fn is_looked_through(self, options: &Options) -> bool {
        match self {
            Self::Star | Self::Underscore | Self::Caret | Self::SingleQuote | Self::DoubleQuote => {
                false
            }
            Self::Tilde | Self::Equals => self.is_on(options),
        }
    }
}

/// Fails to compile if a delimiter is in no class, or if the fast paths for words, which stop at
/// [`Unplain`], would take markup for words.
const _: () = {
    let mut idx = 0;
    while idx < Delimiter::ALL.len() {
        SearchClass::for_byte(Delimiter::ALL[idx].byte());
        idx += 1;
    }
    let mut byte = 0;
    while byte < 128 {
        // With smart punctuation, they look for the quote themselves.
        let is_found = Unplain::SET.contains(byte) || byte == b'\'';
        assert!(is_found || !SearchClass::may_be_markup(byte), "a fast path would miss this byte");
        byte += 1;
    }
};

/// The class that a text is searched with, cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SearchClass {
    /// The bytes that CommonMark needs.
    Plain,
    /// Also `~`.
    Tilde,
    /// Also `$`.
    Dollar,
    /// Also all others.
    Rich,
}

impl SearchClass {
    /// The cheapest class with this byte, at compile time: there has to be one.
    const fn for_byte(byte: u8) -> Self {
        if Inline::<false, false, false>::SET.contains(byte) {
            Self::Plain
        } else if Inline::<false, true, false>::SET.contains(byte) {
            Self::Tilde
        } else if Inline::<false, true, true>::SET.contains(byte) {
            Self::Dollar
        } else {
            assert!(RichInline::SET.contains(byte), "no class has this byte");
            Self::Rich
        }
    }

    /// Whether a byte is a delimiter, or one that a search stops at for another reason, except that
    /// only smart punctuation collects it, or that it lies between others in the class.
    pub(crate) const fn may_be_markup(byte: u8) -> bool {
        Delimiter::of(byte).is_some()
            || RichInline::SET.contains(byte) && !matches!(byte, b'-' | b'.' | b'#' | b'%' | b'}')
    }

    /// The cheapest class for everything that the options turn on. It is computed for every
    /// message, so it is written out; a test compares it with the delimiters.
    #[inline]
    pub(crate) fn new(options: &Options) -> Self {
        // Every option is named, so that none can be forgotten.
        let &Options {
            strikethrough,
            mark,
            subscript,
            math,
            smart_punctuation,
            // They use bytes that are always searched for.
            superscript: _,
            wiki_links: _,
            footnotes: _,
            // They do not affect the search.
            single_tilde: _,
            cjk_friendly_emphasis: _,
            reading: _,
            markup: _,
            tag_filter: _,
            policy: _,
            // They have separate searches.
            emoji: _,
            autolinks: _,
            schemes: _,
            // They are about blocks.
            tables: _,
            task_lists: _,
            alerts: _,
            definition_lists: _,
            heading_attributes: _,
            front_matter: _,
        } = options;
        if mark || smart_punctuation {
            Self::Rich
        } else if math {
            const { Self::for_byte(b'$') }
        } else if strikethrough || subscript {
            const { Self::for_byte(b'~') }
        } else {
            Self::Plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delimiter, SearchClass};
    use crate::options::Options;

    #[test]
    fn a_search_finds_every_delimiter_that_is_on_and_no_more() {
        for bits in 0..1_u32 << 7 {
            let mut options = Options::commonmark();
            options.strikethrough = bits & 1 != 0;
            options.single_tilde = bits & 2 != 0;
            options.subscript = bits & 4 != 0;
            options.superscript = bits & 8 != 0;
            options.mark = bits & 16 != 0;
            options.math = bits & 32 != 0;
            options.smart_punctuation = bits & 64 != 0;
            let on = Delimiter::ALL.into_iter().filter(|delimiter| delimiter.is_on(&options));
            let mut bytes: Vec<u8> = on.map(Delimiter::byte).collect();
            if options.math {
                bytes.push(b'$');
            }
            if options.smart_punctuation {
                bytes.extend(b"-.");
            }
            let least = bytes.into_iter().map(SearchClass::for_byte).max();
            assert_eq!(Some(SearchClass::new(&options)), least, "{options:?}");
        }
    }
}
