//! `barelink serve`: prints the URL of a folder's pages, and serves them until it is interrupted.

use std::io::Write as _;

use barelink_serve::{Error, Server, Settings};

use crate::report::Report;
use crate::visible;

pub(crate) fn run(settings: Settings, report: &Report) {
    let folder = visible::path(&settings.folder).to_string();
    let is_open = !settings.address.is_loopback();
    let server = match Server::bind(settings) {
        Ok(server) => server,
        Err(error @ Error::Folder(_)) => return report.error(folder, error),
        Err(error) => return report.error("serve", error),
    };
    if is_open {
        report.warning("serve", "other machines can read this folder as long as this runs");
    }
    let url = server.url();
    let told = format!("{folder} at {url}\nCompare dialects at {url}try/\nCtrl-C ends it.\n");
    let tell = || {
        // If standard output is closed, the server should still run.
        let mut stdout = anstream::stdout().lock();
        drop(stdout.write_all(told.as_bytes()).and_then(|()| stdout.flush()));
    };
    if let Err(error) = server.run(tell) {
        report.error("serve", error);
    }
}
