//! The server process and its connections: start, listening, limits, TLS, metrics, shutdown.

mod access_log;
mod acme;
mod bodies;
mod connections;
mod hostile_clients;
mod limits;
mod memory;
mod process;
mod reload;
mod sockets;
mod supervision;
pub mod system;
pub mod tls;
