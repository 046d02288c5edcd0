//! Compares whole documents with another engine.
//!
//! If outputs differ, each [`Class`] rewrites the document, and then both outputs must be equal. So
//! a class excuses nothing but itself; other differences are minimized and shown.

use crate::Unavailable;
use crate::canonical::canonical;
use crate::difference::Class;
use crate::minimize::minimize;
use crate::oracle::{Engine, Oracle};

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The same HTML.
    Same,
    /// The classes that together explain the difference.
    Known(Vec<String>),
    /// A difference that no class explains.
    Unknown,
}

/// The maximum length of documents for which all pairs and triples of classes are tried.
const MAX_PAIRED: usize = 1000;

/// Our engine, as a closure.
type Render = Box<dyn Fn(&str) -> String>;

/// The other engine, which may fail to answer.
type Ask = Box<dyn FnMut(&str) -> Result<String, Unavailable>>;

/// Another engine, compared with ours.
pub struct Comparison {
    ask: Ask,
    render: Render,
    classes: Vec<Class>,
}

impl Comparison {
    /// Starts the other engine.
    ///
    /// # Errors
    /// Where it cannot be had.
    pub fn start(
        engine: Engine,
        classes: Vec<Class>,
        render: impl Fn(&str) -> String + 'static,
    ) -> Result<Self, Unavailable> {
        let mut oracle = Oracle::start(engine)?;
        let ask = Box::new(move |source: &str| oracle.render(source));
        Ok(Self { ask, render: Box::new(render), classes })
    }

    /// Compares with an engine that is a function.
    pub fn with(
        theirs: impl Fn(&str) -> String + 'static,
        classes: Vec<Class>,
        render: impl Fn(&str) -> String + 'static,
    ) -> Self {
        let ask = Box::new(move |source: &str| Ok(theirs(source)));
        Self { ask, render: Box::new(render), classes }
    }

    /// The classes of its known differences.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The HTML of the other engine and ours, in canonical form.
    ///
    /// # Errors
    /// When the other engine does not answer.
    pub fn outputs(&mut self, source: &str) -> Result<[String; 2], Unavailable> {
        let theirs = (self.ask)(source)?;
        Ok([theirs, (self.render)(source)].map(|html| canonical(&html)))
    }

    /// Whether both outputs are equal.
    ///
    /// # Errors
    /// When the other engine does not answer.
    pub fn is_same(&mut self, source: &str) -> Result<bool, Unavailable> {
        let [theirs, ours] = self.outputs(source)?;
        Ok(theirs == ours)
    }

    /// Compares, and explains what differs: by one class if that will do, else by all that
    /// the document has something of, by all but one, by two, or by three.
    ///
    /// # Errors
    /// When the other engine does not answer.
    pub fn judge(&mut self, source: &str) -> Result<Outcome, Unavailable> {
        if self.is_same(source)? {
            return Ok(Outcome::Same);
        }
        if source.contains('\r') {
            return self.judge_endings(source);
        }
        self.judge_lines(source)
    }

    /// Explains a document with carriage returns. Classes are about lines, however these
    /// end, so the same lines with line feeds are judged. Neither engine may write
    /// anything else for them, but for a class that is about the endings themselves.
    fn judge_endings(&mut self, source: &str) -> Result<Outcome, Unavailable> {
        if let Some(lines) = self.with_line_feeds(source)? {
            return self.judge_lines(&lines);
        }
        for idx in 0..self.classes.len() {
            let Some(without) = self.classes[idx].without(source) else { continue };
            let Some(lines) = self.with_line_feeds(&without)? else { continue };
            let name = self.classes[idx].name.clone();
            if self.is_same(&lines)? {
                return Ok(Outcome::Known(vec![name]));
            }
            if let Outcome::Known(mut names) = self.judge_lines(&lines)? {
                names.insert(0, name);
                return Ok(Outcome::Known(names));
            }
        }
        Ok(Outcome::Unknown)
    }

    /// The same lines with line feeds, if that makes no difference to either engine.
    fn with_line_feeds(&mut self, source: &str) -> Result<Option<String>, Unavailable> {
        let lines = source.replace("\r\n", "\n").replace('\r', "\n");
        Ok((self.outputs(source)? == self.outputs(&lines)?).then_some(lines))
    }

    /// Explains a document that differs.
    fn judge_lines(&mut self, source: &str) -> Result<Outcome, Unavailable> {
        let n_classes = self.classes.len();
        for idx in 0..n_classes {
            if let Some(names) = self.explain(source, [idx])? {
                return Ok(Outcome::Known(names));
            }
        }
        if let Some(names) = self.explain(source, 0..n_classes)? {
            return Ok(Outcome::Known(names));
        }
        // The rewrite of one class may hide what another looks for.
        for left_out in 0..n_classes {
            let others = (0..n_classes).filter(|&idx| idx != left_out);
            if let Some(names) = self.explain(source, others)? {
                return Ok(Outcome::Known(names));
            }
        }
        if source.len() > MAX_PAIRED {
            return Ok(Outcome::Unknown);
        }
        for first in 0..n_classes {
            for second in (0..n_classes).filter(|&second| second != first) {
                if let Some(names) = self.explain(source, [first, second])? {
                    return Ok(Outcome::Known(names));
                }
            }
        }
        self.explain_by_three(source)
    }

    /// Explains a document by two of the classes that it has something of, and any third: what
    /// that looks for may be there only then.
    fn explain_by_three(&mut self, source: &str) -> Result<Outcome, Unavailable> {
        let classes = self.classes.iter().enumerate();
        let found: Vec<usize> = classes
            .filter(|(_, class)| class.without(source).is_some())
            .map(|(idx, _)| idx)
            .collect();
        for &first in &found {
            for &second in found.iter().filter(|&&idx| idx != first) {
                for third in (0..self.classes.len()).filter(|&idx| idx != first && idx != second) {
                    if let Some(names) = self.explain(source, [first, second, third])? {
                        return Ok(Outcome::Known(names));
                    }
                }
            }
        }
        Ok(Outcome::Unknown)
    }

    /// The names of these classes, as far as the document has something of them, if it is
    /// the same without that.
    fn explain(
        &mut self,
        source: &str,
        classes: impl IntoIterator<Item = usize>,
    ) -> Result<Option<Vec<String>>, Unavailable> {
        let mut names = Vec::new();
        let mut source = source.to_string();
        for idx in classes {
            if let Some(without) = self.classes[idx].without(&source) {
                names.push(self.classes[idx].name.clone());
                source = without;
            }
        }
        Ok((!names.is_empty() && self.is_same(&source)?).then_some(names))
    }

    /// A short document with an unknown difference, made of one that has it.
    pub fn minimize(&mut self, source: &str) -> String {
        minimize(source, |shorter| matches!(self.judge(shorter), Ok(Outcome::Unknown)))
    }
}
