//! Guardpost.
