//! What holds for the repository itself: imports, layout, signatures, API description.

mod architecture;
mod imports;
mod layout;
mod openapi;
mod verbs;
