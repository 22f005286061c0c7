//! What a handler takes of the application. The type of its parameter says what it touches: one
//! part, as in `Uses<&Store>`, or the struct of its area, as in `Uses<OfferPages<'_>>`.

use std::ops::Deref;

use poem::{FromRequest, Request, RequestBody};

use super::state::AppState;

/// A part of the application.
pub trait Part<'a>: Send {
    /// The part of `app`.
    fn of(app: &'a AppState) -> Self;
}

/// Nothing more.
impl Part<'_> for () {
    fn of(_: &AppState) {}
}

/// Declares the struct of an area: the names of the fields that it touches.
#[macro_export]
macro_rules! area {
    ($(#[$meta:meta])* $name:ident: $($field:ident),+) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name<'a> {
            $(pub $field: &'a $crate::types::$field,)+
        }

        impl<'a> $crate::Part<'a> for $name<'a> {
            fn of(app: &'a $crate::AppState) -> Self {
                Self { $($field: &app.$field,)+ }
            }
        }
    };
}

/// A part, as a parameter of a handler.
pub struct Uses<P>(pub P);

impl<P> Deref for Uses<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

impl<'a, P: Part<'a>> FromRequest<'a> for Uses<P> {
    async fn from_request(request: &'a Request, _: &mut RequestBody) -> poem::Result<Self> {
        Ok(Self(P::of(AppState::of(request)?)))
    }
}
