//! The host names that a request may be sent to.
//!
//! The owner of a web page can point its host name at 127.0.0.1, so that the page may read
//! everything from there as its own origin (DNS rebinding). Its requests carry that name, so a
//! request is answered only if it was sent to `localhost`, to an IP address, or to a name that the
//! user allows. The port does not matter: it may have been forwarded.
//!
//! An IP address cannot be rebound. Still, a server that listens only on a loopback address refuses
//! requests that were sent to other addresses.

use std::net::IpAddr;

/// The hosts that requests may be sent to.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    address: IpAddr,
    names: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(address: IpAddr, names: &[String]) -> Self {
        Self { address, names: names.to_vec() }
    }

    /// Whether the value of a `Host` header is allowed.
    pub(crate) fn allow(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else { return false };
        let literal = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').and_then(|it| it.parse().ok()).map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        match literal {
            Some(asked) if self.address.is_loopback() => asked.is_loopback(),
            Some(_) => true,
            None => {
                name.eq_ignore_ascii_case("localhost")
                    || self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
            }
        }
    }
}

/// The host without its port, if it is well-formed.
fn without_port(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at_checked(end)?;
    let is_port = match port.strip_prefix(':') {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
    (is_port && !name.is_empty() && name.bytes().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    fn local(host: &str) -> bool {
        Hosts::new([127, 0, 0, 1].into(), &["preview.test".to_owned()]).allow(host)
    }

    #[test]
    fn this_machine_and_allowed_names_may_be_asked() {
        for host in [
            "localhost",
            "LOCALHOST:8000",
            "127.0.0.1:1",
            "127.0.0.2",
            "[::1]:8000",
            "[::1]",
            "preview.test:8000",
            "Preview.Test",
        ] {
            assert!(local(host), "{host}");
        }
    }

    #[test]
    fn foreign_and_broken_names_are_refused() {
        for host in [
            "",
            ":8000",
            "evil.example",
            "localhost.evil.example",
            "evil.example:8000",
            "127.0.0.1.evil.example",
            "localhost:",
            "localhost:80x",
            "localhost:80:80",
            "localhost/",
            "localhost,evil.example",
            "localhost evil",
            "user@localhost",
            "[::1",
            "[::1]x",
            "::1",
            "[127.0.0.1]",
            "0x7f.1",
            "2130706433",
            "192.168.0.1",
            "0.0.0.0",
            "localhost\u{0}",
            "[",
            "[]",
            "é",
            "localhost;x",
            "localhost'",
            "preview.test.",
        ] {
            assert!(!local(host), "{host}");
        }
    }

    #[test]
    fn who_listens_to_others_may_be_asked_by_any_address() {
        let open = Hosts::new([0, 0, 0, 0].into(), &[]);
        for host in ["192.168.0.1:8000", "[fe80::1]:8000", "localhost"] {
            assert!(open.allow(host), "{host}");
        }
        for host in ["evil.example", "192.168.0.1.evil.example:8000", "preview.test"] {
            assert!(!open.allow(host), "{host}");
        }
    }
}
