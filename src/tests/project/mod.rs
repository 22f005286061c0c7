//! What holds for the repository itself: imports, API description, licenses.

mod architecture;
mod imports;
mod licenses;
mod openapi;
