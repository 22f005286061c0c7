//! Every public page and file in one map that is built at the start. An entry holds the body and
//! all headers for each content coding. `server` looks here first. The bytes of a page are rendered
//! on first use. `docs/performance.md` compares the rate with nginx's.

mod building;
mod map;
mod responses;

pub use building::PageSettings;
pub use map::{PageMap, PageResponse};
