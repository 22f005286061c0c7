//! What holds for the repository itself: imports, API description.

mod architecture;
mod imports;
mod layout;
mod openapi;
