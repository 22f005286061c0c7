//! Why there is no PDF.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum PdfError {
    #[error("a font of the program cannot be read")]
    Font,
    #[error("the PDF library refuses the configuration")]
    Configuration,
    #[error("the PDF cannot be written: {0}")]
    Write(String),
}
