//! Enums whose values are texts in the database and in the API.

/// An enum with the text of each value: `ALL`, `as_str` and `parse` follow from it.
#[macro_export]
macro_rules! text_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$value_meta:meta])* $value:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$value_meta])* $value,)+
        }

        impl $name {
            /// Every value, in the order of the definition.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$value),+];

            /// Its text in the database and the API.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }

            /// The value with this text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == text)
            }
        }
    };
}
