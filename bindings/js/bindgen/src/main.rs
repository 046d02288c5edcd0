//! The bindgen step: `barelink-js-bindgen MODULE FOLDER` writes a WebAssembly module and the
//! JavaScript around it into a folder. It is what `wasm-bindgen --target web` does, and then
//! takes out what would only tell of a panic, and cuts the module into a core and parts.

mod split;

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, FunctionBuilder, FunctionKind, Module};
use wasm_bindgen_cli_support::Bindgen;

/// Functions that begin a panic: their names, or parts of these after the crate. A panic is a trap
/// here, and its message is lost, so each of them may trap immediately. Code that calls them with
/// arguments then becomes smaller, too.
const PANICS: &[&str] = &[
    "core::panicking::",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    "core::str::slice_error_fail",
    "core::cell::panic_already",
    "alloc::raw_vec::capacity_overflow",
    "alloc::vec::Vec::swap_remove::assert_failed",
    "std::panicking::",
    // Functions that are only needed for a panic's message.
    "char as core::fmt::Debug",
    "core::ops::range::Range<usize> as core::fmt::Debug",
    "core::num::error::TryFromIntError as core::fmt::Debug",
    "core::alloc::layout::LayoutError as core::fmt::Debug",
    "__rustc::rust_begin_unwind",
];

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: barelink-js-bindgen MODULE FOLDER");
        return ExitCode::from(2);
    };
    match bind(module, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", module.display());
            ExitCode::FAILURE
        }
    }
}

fn bind(module: &Path, folder: &Path) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("engine").typescript(false).omit_default_module_path(true);
    bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
        .map_err(|error| format!("{error:?}"))?;
    let path = folder.join("engine_bg.wasm");
    let mut bound = Module::from_file(&path).map_err(|error| format!("{error:?}"))?;
    let n_panics = trap_on_panic(&mut bound);
    // The mangling of names depends on the compiler.
    if n_panics < 5 {
        return Err(format!("found only {n_panics} functions that begin a panic"));
    }
    let n_places = forget_places(&mut bound);
    if n_places < 50 {
        return Err(format!("found only {n_places} places in the source"));
    }
    let mut pieces = split::split(&bound.emit_wasm())?;
    pieces.core.emit_wasm_file(&path).map_err(|error| format!("{error:?}"))?;
    for (name, part) in &mut pieces.parts {
        let path = folder.join(format!("{name}.wasm"));
        part.emit_wasm_file(&path).map_err(|error| format!("{error:?}"))?;
    }
    let path = folder.join("engine.js");
    let script = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    fs::write(&path, with_parts(&script, &pieces.table)?).map_err(|error| error.to_string())
}

/// Changes the script so that the functions that it calls may be added part by part.
fn with_parts(script: &str, table: &str) -> Result<String, String> {
    const EXPORTS: &str = "wasm = instance.exports;";
    if script.matches(EXPORTS).count() != 1 {
        return Err(format!("the script of wasm-bindgen does not say `{EXPORTS}` once"));
    }
    let (entry, n_prefix) = (split::ENTRY, split::ENTRY.len());
    let more = format!(
        "
/** What a part may import. */
export const forParts = () => ({{ core: wasmInstance.exports }});

/** Takes a part: what it exports is called from here, or by the core. */
export function addPart({{ exports }}) {{
    for (const [name, item] of Object.entries(exports)) {{
        if (name.startsWith(\"{entry}\")) {{
            wasm.{table}.set(parseInt(name.slice({n_prefix}), 16), item);
        }} else {{
            wasm[name] = item;
        }}
    }}
}}
"
    );
    Ok(script.replace(EXPORTS, "wasm = Object.create(instance.exports);") + &more)
}

/// Lets each of [`PANICS`] trap at once. Returns how many there are.
fn trap_on_panic(module: &mut Module) -> usize {
    let panics: Vec<_> = module
        .funcs
        .iter_local()
        .filter(|(id, _)| module.funcs.get(*id).name.as_deref().is_some_and(is_panic))
        .map(|(id, function)| (id, function.ty(), function.args.clone()))
        .collect();
    let n_panics = panics.len();
    for (id, of_type, arguments) in panics {
        let (parameters, results) = module.types.params_results(of_type);
        let (parameters, results) = (parameters.to_vec(), results.to_vec());
        let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
        builder.func_body().unreachable();
        module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
    }
    n_panics
}

/// Puts zeros, which take no room when they are compressed, where panics would find the places in
/// the source that they began at: file, line and column. Returns how many there are.
fn forget_places(module: &mut Module) -> usize {
    let ids: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    let mut n_places = 0;
    for id in ids {
        let data = module.data.get_mut(id);
        if let DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } = data.kind {
            let places = find_places(&data.value, start.cast_unsigned() as usize);
            n_places += places.len();
            for range in places.into_iter().flatten() {
                data.value[range].fill(0);
            }
        }
    }
    n_places
}

/// The places in the source that are in `data`, which is loaded at `start`: of each where it is,
/// and where the name of its file is.
fn find_places(data: &[u8], start: usize) -> Vec<[Range<usize>; 2]> {
    let mut places = Vec::new();
    // A pointer, the length behind it, the line and the column.
    for (idx, words) in
        data.windows(16).enumerate().filter(|(idx, _)| (start + idx).is_multiple_of(4))
    {
        let word =
            |at: usize| words[at..].first_chunk().map_or(0, |it| u32::from_le_bytes(*it) as usize);
        let (pointer, len, line, column) = (word(0), word(4), word(8), word(12));
        let Some(name_start) = pointer.checked_sub(start) else { continue };
        let Some(name) = data.get(name_start..name_start.saturating_add(len)) else { continue };
        let is_file = name.starts_with(b"/") && name.ends_with(b".rs");
        if is_file && (1..100_000).contains(&line) && (1..1000).contains(&column) {
            places.push([idx..idx + 16, name_start..name_start + len]);
        }
    }
    places
}

/// Whether a function begins a panic.
fn is_panic(name: &str) -> bool {
    let plain = plain_name(name);
    PANICS.iter().any(|panic| plain.starts_with(panic))
}

/// The name of a function without the hash of its crate, which may be in it in brackets, and
/// without what begins the name of an implementation.
fn plain_name(name: &str) -> String {
    let mut plain = String::new();
    let mut is_hash = false;
    for c in name.trim_start_matches('<').chars() {
        match c {
            '[' => is_hash = true,
            ']' => is_hash = false,
            c if !is_hash => plain.push(c),
            _ => {}
        }
    }
    plain
}
