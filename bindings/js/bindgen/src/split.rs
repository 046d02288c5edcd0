//! Splits a module into a core, which every page loads, and parts, which a page loads only if it
//! calls their functions.
//!
//! ```text
//! core ── exports ──▶ JavaScript        memory, tables, globals, what more than one needs
//!  ▲  └── call_indirect ─▶ natural      functions of a namespace, called through the table
//!  └───── imports ──────── links, stream   what only some exports need
//! ```
//!
//! A part has no state of its own: it imports memory, tables, globals and all functions of the
//! core, which exports them under short names that begin with [`SHARED`]. A function that two parts
//! need, but not the core, is in both.
//!
//! A part has functions that only some exports need, or functions that are reachable only through
//! those of a namespace. In the core, the latter become stubs that call an entry of the table,
//! which is empty until the part is loaded.

use std::collections::BTreeSet;

use walrus::ir::{Call, Visitor, dfs_in_order};
use walrus::{
    FunctionBuilder, FunctionId, FunctionKind, GlobalId, GlobalKind, ImportedFunction, Module,
    TableId, passes,
};

use crate::plain_name;

/// The prefix of exports that are for parts.
const SHARED: &str = "$";

/// The prefix of exports that belong into the table, at the index that follows.
pub(crate) const ENTRY: &str = "$e";

/// The module that parts import from.
const CORE: &str = "core";

/// How the functions of a part are selected.
enum Part {
    /// Functions that only exports with one of these prefixes need.
    Exports(&'static [&'static str]),
    /// Functions whose names have this prefix, and those that only they need.
    Namespace(&'static str),
}

const PARTS: &[(&str, Part)] = &[
    (
        "links",
        Part::Exports(&[
            "engine_links",
            "engine_findLinks",
            "engine_htmlWith",
            "engine_linkify",
            "engine_explain",
            "engine_events",
        ]),
    ),
    ("natural", Part::Namespace("barelink_autolink::natural::")),
    ("stream", Part::Exports(&["engine_stream", "live_", "__wbg_live_"])),
];

/// A module in pieces.
pub(crate) struct Pieces {
    pub(crate) core: Module,
    pub(crate) parts: Vec<(&'static str, Module)>,
    /// The export that is the table of functions.
    pub(crate) table: String,
}

/// Indices that are valid in every copy of the module: IDs differ, but not their order.
struct Layout {
    /// Whether the core has this function.
    is_kept: Vec<bool>,
    /// The functions that are called through the table, by their indices in the module.
    entries: Vec<usize>,
    /// The index of the first of them in the table.
    first_entry: u64,
}

pub(crate) fn split(wasm: &[u8]) -> Result<Pieces, String> {
    let read = || Module::from_buffer(wasm).map_err(|error| format!("{error:?}"));
    let mut core = read()?;
    let functions = functions_of(&core);
    let first_entry = core.tables.get(function_table(&core)?).initial;
    let entries = cut_namespaces(&mut core)?;
    remove_exports(&mut core, |name| {
        PARTS.iter().any(|(_, part)| matches!(part, Part::Exports(starts) if begins(name, starts)))
    });
    share_state(&mut core)?;
    passes::gc::run(&mut core);
    let kept: BTreeSet<FunctionId> = functions_of(&core).into_iter().collect();
    let layout = Layout {
        is_kept: functions.iter().map(|id| kept.contains(id)).collect(),
        entries: entries.iter().filter_map(|it| functions.iter().position(|id| id == it)).collect(),
        first_entry,
    };
    let mut parts = Vec::new();
    let mut shared = BTreeSet::new();
    for (name, part) in PARTS {
        let mut module = read()?;
        cut(&mut module, part, &layout).map_err(|error| format!("the part `{name}`: {error}"))?;
        shared.extend(module.imports.iter().map(|import| import.name.clone()));
        parts.push((*name, module));
    }
    for (idx, id) in functions.into_iter().enumerate() {
        let name = function_name(idx);
        if shared.contains(&name) {
            core.exports.add(&name, id);
        }
    }
    Ok(Pieces { core, parts, table: table_name(0) })
}

fn functions_of(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter().map(walrus::Function::id).collect()
}

/// The table of functions, which is the first.
fn function_table(module: &Module) -> Result<TableId, String> {
    let first = module.tables.iter().next().map(walrus::Table::id);
    let functions = module.tables.main_function_table().map_err(|error| format!("{error:?}"))?;
    functions.filter(|id| first == Some(*id)).ok_or_else(|| "no table of functions".to_owned())
}

fn function_name(idx: usize) -> String {
    format!("{SHARED}f{idx:x}")
}

fn global_name(idx: usize) -> String {
    format!("{SHARED}g{idx:x}")
}

fn table_name(idx: usize) -> String {
    format!("{SHARED}t{idx:x}")
}

fn memory_name() -> String {
    format!("{SHARED}m")
}

fn begins(name: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| name.starts_with(start))
}

fn remove_exports(module: &mut Module, is_removed: impl Fn(&str) -> bool) {
    let ids: Vec<_> =
        module.exports.iter().filter(|it| is_removed(&it.name)).map(walrus::Export::id).collect();
    for id in ids {
        module.exports.delete(id);
    }
}

/// Exports all state: the core has even the state that only a part uses.
fn share_state(core: &mut Module) -> Result<(), String> {
    let globals: Vec<GlobalId> = core.globals.iter().map(walrus::Global::id).collect();
    for (idx, id) in globals.into_iter().enumerate() {
        core.exports.add(&global_name(idx), id);
    }
    let tables: Vec<TableId> = core.tables.iter().map(walrus::Table::id).collect();
    for (idx, id) in tables.into_iter().enumerate() {
        core.exports.add(&table_name(idx), id);
    }
    let memory = core.get_memory_id().map_err(|error| format!("{error:?}"))?;
    core.exports.add(&memory_name(), memory);
    Ok(())
}

/// Collects the functions that a function calls.
#[derive(Default)]
struct Calls(Vec<FunctionId>);

impl Visitor<'_> for Calls {
    fn visit_call(&mut self, call: &Call) {
        self.0.push(call.func);
    }
}

/// Turns the functions of a namespace that others call into stubs, and returns them.
fn cut_namespaces(core: &mut Module) -> Result<BTreeSet<FunctionId>, String> {
    let table = function_table(core)?;
    let is_apart = |id: FunctionId| {
        let name = core.funcs.get(id).name.as_deref().map(plain_name).unwrap_or_default();
        PARTS.iter().any(|(_, part)| matches!(part, Part::Namespace(it) if name.starts_with(it)))
    };
    let mut calls = Calls::default();
    for (id, function) in core.funcs.iter_local() {
        if !is_apart(id) {
            dfs_in_order(&mut calls, function, function.entry_block());
        }
    }
    let entries: BTreeSet<FunctionId> = calls.0.into_iter().filter(|id| is_apart(*id)).collect();
    if entries.is_empty() {
        return Err("nothing calls a function of the namespaces".to_owned());
    }
    let first = core.tables.get(table).initial;
    for (entry, id) in (first..).zip(&entries) {
        let of_type = core.funcs.get(*id).ty();
        let (parameters, results) = core.types.params_results(of_type);
        let (parameters, results) = (parameters.to_vec(), results.to_vec());
        let arguments: Vec<_> = parameters.iter().map(|it| core.locals.add(*it)).collect();
        let mut builder = FunctionBuilder::new(&mut core.types, &parameters, &results);
        let mut body = builder.func_body();
        for argument in &arguments {
            body.local_get(*argument);
        }
        body.i32_const(i32::try_from(entry).unwrap_or_default()).call_indirect(of_type, table);
        let stub = builder.local_func(arguments);
        core.funcs.get_mut(*id).kind = FunctionKind::Local(stub);
    }
    lengthen(core, table, entries.len());
    Ok(entries)
}

/// Grows a table by a number of functions.
fn lengthen(module: &mut Module, table: TableId, n_entries: usize) {
    let table = module.tables.get_mut(table);
    table.initial += n_entries as u64;
    table.maximum = table.maximum.map(|it| it + n_entries as u64);
}

/// Turns a copy of the whole module into a part: everything in the core becomes an import.
fn cut(module: &mut Module, part: &Part, layout: &Layout) -> Result<(), String> {
    let functions = functions_of(module);
    let table = function_table(module)?;
    let mut own = BTreeSet::new();
    match part {
        Part::Exports(starts) => {
            cut_namespaces(module)?;
            remove_exports(module, |name| !begins(name, starts));
        }
        Part::Namespace(_) => {
            lengthen(module, table, layout.entries.len());
            remove_exports(module, |_| true);
            for (entry, &idx) in (layout.first_entry..).zip(&layout.entries) {
                module.exports.add(&format!("{ENTRY}{entry:x}"), functions[idx]);
                own.insert(idx);
            }
        }
    }
    if module.exports.iter().next().is_none() {
        return Err("the module exports nothing for it".to_owned());
    }
    module.start = None;
    let old: Vec<_> = module.imports.iter().map(walrus::Import::id).collect();
    for (idx, id) in functions.into_iter().enumerate() {
        let is_imported = matches!(module.funcs.get(id).kind, FunctionKind::Import(_));
        if is_imported || (layout.is_kept[idx] && !own.contains(&idx)) {
            let import = module.imports.add(CORE, &function_name(idx), id);
            let ty = module.funcs.get(id).ty();
            module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }
    }
    import_state(module)?;
    old.into_iter().for_each(|id| module.imports.delete(id));
    passes::gc::run(module);
    Ok(())
}

/// Makes a part use the core's memory, tables and globals, which the core has initialized.
fn import_state(module: &mut Module) -> Result<(), String> {
    let globals: Vec<GlobalId> = module.globals.iter().map(walrus::Global::id).collect();
    for (idx, id) in globals.into_iter().enumerate() {
        let import = module.imports.add(CORE, &global_name(idx), id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
    let tables: Vec<TableId> = module.tables.iter().map(walrus::Table::id).collect();
    for (idx, id) in tables.into_iter().enumerate() {
        let import = module.imports.add(CORE, &table_name(idx), id);
        let table = module.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    let memory = module.get_memory_id().map_err(|error| format!("{error:?}"))?;
    let import = module.imports.add(CORE, &memory_name(), memory);
    let memory = module.memories.get_mut(memory);
    memory.import = Some(import);
    memory.data_segments.clear();
    let data: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    data.into_iter().for_each(|id| module.data.delete(id));
    let elements: Vec<_> = module.elements.iter().map(walrus::Element::id).collect();
    elements.into_iter().for_each(|id| module.elements.delete(id));
    Ok(())
}
