//! Commands: their errors and options, and `guardpost check`.

mod check;
mod commands;
