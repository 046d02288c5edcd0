//! Framing of messages: a header with the length, an empty line, and JSON.
//!
//! ```text
//! Content-Length: 42\r\n
//! \r\n
//! {"jsonrpc":"2.0","method":"initialized"}
//! ```

use std::io::{self, BufRead, Read as _, Write};

use serde_json::Value;

/// A longer message is an error: the stream must be out of sync.
const LEN_MAX: usize = 1 << 30;

/// A longer header line is an error.
const HEADER_LEN_MAX: u64 = 4096;

/// What was read from a stream.
#[derive(Debug)]
pub(crate) enum Received {
    Message(Value),
    /// A message that is not JSON, with the error.
    Malformed(String),
}

/// Reads a message; `None` at the end.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(len) = read_header(input)? else { return Ok(None) };
    let mut body = Vec::new();
    // Memory is allocated only for bytes that arrive.
    input.take(len as u64).read_to_end(&mut body)?;
    if body.len() < len {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Malformed(error.to_string()),
    }))
}

/// Reads up to the empty line, and returns the length; `None` at the end.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut len = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(HEADER_LEN_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == HEADER_LEN_MAX {
            return Err(invalid("a header is too long"));
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            let len = len.ok_or_else(|| invalid("a header has no Content-Length"))?;
            return Ok(Some(len));
        }
        let line = str::from_utf8(line).map_err(|_| invalid("a header is not ASCII"))?;
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().ok().filter(|len| *len <= LEN_MAX);
            len = Some(value.ok_or_else(|| invalid("invalid Content-Length"))?);
        }
    }
}

/// Writes a message given in pieces, so that a long one need not be copied.
pub(crate) fn write(output: &mut impl Write, message: &[&str]) -> io::Result<()> {
    let len: usize = message.iter().map(|piece| piece.len()).sum();
    write!(output, "Content-Length: {len}\r\n\r\n")?;
    message.iter().try_for_each(|piece| output.write_all(piece.as_bytes()))?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_one_after_the_other() {
        let mut stream = Vec::new();
        write(&mut stream, &["{\"a\":", "\"é\"}"]).unwrap();
        stream
            .extend(b"content-length:2\r\nContent-Type: x\r\n\r\n[}Content-Length: 4\r\n\r\nnull");
        let mut stream = stream.as_slice();
        let mut next = || read(&mut stream).unwrap();
        assert!(matches!(next(), Some(Received::Message(value)) if value["a"] == "é"));
        assert!(matches!(next(), Some(Received::Malformed(_))));
        assert!(matches!(next(), Some(Received::Message(Value::Null))));
        assert!(next().is_none());
    }

    #[test]
    fn what_is_no_stream_of_messages_is_an_error_or_the_end() {
        for stream in [
            "Content-Length: 18446744073709551615\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 9999999999\r\n\r\n",
            "X: 1\r\n\r\n{}",
            &"x".repeat(10_000),
        ] {
            assert!(read(&mut stream.as_bytes()).is_err(), "{stream:.60}");
        }
        for stream in ["", "Content-Length: 5\r\n\r\nab", "Content-Length: 5\r\n"] {
            assert!(matches!(read(&mut stream.as_bytes()), Ok(None)), "{stream}");
        }
    }
}
