//! What happens before a command: its flags, its environment, its user, the log, the runtime.

pub(super) mod data_owner;
pub(super) mod environment_file;
pub(super) mod global_args;
pub(super) mod log_format;
pub(super) mod runtime;
