//! Arrays of results, in Arrow's layout. Types are those that every engine supports: signed 32-bit
//! offsets and plain strings.

use std::ffi::CStr;

/// The type of an array, with its name as a child of another.
pub(crate) struct Field {
    pub(crate) name: &'static CStr,
    /// The format string of the Arrow C data interface.
    pub(crate) format: &'static CStr,
    pub(crate) children: &'static [Field],
}

impl Field {
    const fn string(name: &'static CStr) -> Self {
        Self { name, format: c"u", children: &[] }
    }

    const fn int32(name: &'static CStr) -> Self {
        Self { name, format: c"i", children: &[] }
    }

    /// As it is shown.
    pub(crate) fn type_name(&self) -> String {
        let names: Vec<String> = self.children.iter().map(Self::type_name).collect();
        match self.format.to_bytes() {
            b"u" => "string".to_owned(),
            b"i" => "int32".to_owned(),
            b"+l" => format!("list<{}>", names.concat()),
            _ => {
                let fields = self.children.iter().zip(&names);
                let fields = fields
                    .map(|(it, type_name)| format!("{}: {type_name}", it.name.to_string_lossy()));
                format!("struct<{}>", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The type of a column of strings.
pub(crate) static STRINGS: Field = Field::string(c"");

/// The type of a column of links.
pub(crate) static LINKS: Field = Field { name: c"", format: c"+l", children: &[LINK] };

const LINK: Field = Field {
    name: c"item",
    format: c"+s",
    children: &[
        Field::string(c"href"),
        Field::string(c"text"),
        Field::string(c"kind"),
        Field::int32(c"start"),
        Field::int32(c"end"),
    ],
};

/// The validity bitmap of rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    /// One bit for each row, the least significant of a byte first.
    pub(crate) bytes: Vec<u8>,
    pub(crate) n_nulls: usize,
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(rows: I) -> Self {
        let mut bits = Self::default();
        for (idx, is_there) in rows.into_iter().enumerate() {
            if idx % 8 == 0 {
                bits.bytes.push(0);
            }
            bits.bytes[idx / 8] |= u8::from(is_there) << (idx % 8);
            bits.n_nulls += usize::from(!is_there);
        }
        bits
    }
}

impl Bits {
    fn has(&self, idx: usize) -> bool {
        self.bytes[idx / 8] >> (idx % 8) & 1 == 1
    }
}

/// An array.
#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) len: usize,
    /// `None` if all rows are valid.
    pub(crate) bits: Option<Bits>,
    pub(crate) values: Values,
}

/// The values of an array's rows.
#[derive(Debug)]
pub(crate) enum Values {
    /// Row `idx` is `bytes[offsets[idx]..offsets[idx + 1]]`.
    Strings {
        offsets: Vec<i32>,
        bytes: Vec<u8>,
    },
    Integers(Vec<i32>),
    /// Row `idx` consists of row `idx` of each child.
    Structs(Vec<Array>),
    /// Row `idx` is the rows `offsets[idx]..offsets[idx + 1]` of the items.
    Lists {
        offsets: Vec<i32>,
        items: Box<Array>,
    },
}

impl Array {
    /// Concatenates arrays of the same type. `None` if the result would have too many bytes or
    /// items for 32-bit offsets.
    pub(crate) fn join(arrays: &[&Self]) -> Option<Self> {
        let (first, rest) = arrays.split_first()?;
        let len = arrays.iter().map(|array| array.len).sum();
        let values = match &first.values {
            Values::Strings { .. } => {
                let parts = arrays.iter().filter_map(|array| match &array.values {
                    Values::Strings { offsets, bytes } => Some((&offsets[..], &bytes[..])),
                    _ => None,
                });
                let (offsets, bytes): (Vec<_>, Vec<_>) = parts.unzip();
                Values::Strings { offsets: join_offsets(&offsets)?, bytes: bytes.concat() }
            }
            Values::Integers(_) => {
                let parts = arrays.iter().filter_map(|array| match &array.values {
                    Values::Integers(integers) => Some(&integers[..]),
                    _ => None,
                });
                Values::Integers(parts.collect::<Vec<_>>().concat())
            }
            Values::Structs(fields) => {
                let field = |idx: usize| {
                    let parts = arrays.iter().filter_map(|array| match &array.values {
                        Values::Structs(fields) => fields.get(idx),
                        _ => None,
                    });
                    Self::join(&parts.collect::<Vec<_>>())
                };
                Values::Structs((0..fields.len()).map(field).collect::<Option<_>>()?)
            }
            Values::Lists { .. } => {
                let parts = arrays.iter().filter_map(|array| match &array.values {
                    Values::Lists { offsets, items } => Some((&offsets[..], &**items)),
                    _ => None,
                });
                let (offsets, items): (Vec<_>, Vec<_>) = parts.unzip();
                let items = Box::new(Self::join(&items)?);
                Values::Lists { offsets: join_offsets(&offsets)?, items }
            }
        };
        let is_whole = first.bits.is_none() && rest.iter().all(|array| array.bits.is_none());
        let bits = (!is_whole).then(|| join_bits(arrays));
        Some(Self { len, bits, values })
    }
}

/// Concatenates lists of offsets, each of which starts with zero.
fn join_offsets(lists: &[&[i32]]) -> Option<Vec<i32>> {
    let mut joined = vec![0];
    for offsets in lists {
        let base: i32 = joined.last().copied()?;
        // The last is the largest.
        base.checked_add(offsets.last().copied()?)?;
        joined.extend(offsets.iter().skip(1).map(|offset| base + offset));
    }
    Some(joined)
}

fn join_bits(arrays: &[&Array]) -> Bits {
    let of_array = |array: &&Array| {
        let bits = array.bits.clone();
        (0..array.len).map(move |idx| bits.as_ref().is_none_or(|bits| bits.has(idx)))
    };
    arrays.iter().flat_map(of_array).collect()
}
