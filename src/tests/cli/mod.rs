//! Commands: their errors and options, what they print, and `guardpost check`.

mod check;
mod commands;
mod output;
