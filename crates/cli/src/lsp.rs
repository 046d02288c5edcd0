//! `barelink lsp`: the language server on standard input and output. Files have the configuration
//! that `check` uses for them.

use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use barelink_check::Settings;
use barelink_lsp::{Configure, Ending, Problem};

use crate::check::config::{ConfigError, Layer};
use crate::check::files::{self, Configs, Which};
use crate::cli::LspArgs;
use crate::report::{Report, reason};

pub(crate) fn run(args: &LspArgs, report: &Report) -> ExitCode {
    let configuration = Configuration { args, read: None };
    let output = BufWriter::new(io::stdout().lock());
    match barelink_lsp::serve(BufReader::new(io::stdin()), output, configuration) {
        Ok(Ending::Orderly) => ExitCode::SUCCESS,
        Ok(Ending::Abrupt) => ExitCode::FAILURE,
        Err(error) => {
            report.error("lsp", reason(&error));
            report.exit_code()
        }
    }
}

/// The configurations of files.
struct Configuration<'a> {
    args: &'a LspArgs,
    /// The configurations read so far.
    read: Option<Configs>,
}

impl Configuration<'_> {
    fn of(&mut self, file: &Path) -> Result<Option<Settings>, ConfigError> {
        let which = match &self.args.config {
            _ if self.args.isolated => Which::None,
            Some(path) => Which::File(path),
            None => Which::Nearest,
        };
        let configs = match &mut self.read {
            Some(configs) => configs,
            None => self.read.insert(Configs::new(which)?),
        };
        let config = configs.of(file)?;
        if config.as_ref().is_some_and(|config| config.excludes(&files::absolute(file))) {
            return Ok(None);
        }
        Ok(Some(files::settings(config.as_deref(), &Layer::default(), file)))
    }
}

impl Configure for Configuration<'_> {
    fn settings(&mut self, file: Option<&Path>) -> Result<Option<Settings>, Problem> {
        // A document without a name is treated as a file in the current folder.
        let unnamed = PathBuf::from("untitled.md");
        self.of(file.unwrap_or(&unnamed)).map_err(|ConfigError { file, line, what }| {
            let line = line.and_then(|line| u32::try_from(line).ok());
            Problem { file: files::absolute(&file), line, what }
        })
    }

    fn forget(&mut self) {
        self.read = None;
    }
}
