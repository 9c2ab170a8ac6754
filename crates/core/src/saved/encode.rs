//! Values as bytes, one after the other: what saved worlds are made of.

use super::{LoadError, Reader, Writer};
use crate::environment::{Cost, End, NodeId, Revision};

/// A value that can be written to a saved world and read from it. Reading checks everything that can be checked
/// without the map.
#[doc(hidden)]
pub trait Encode: Sized {
    /// Writes it.
    fn write(&self, writer: &mut Writer);

    /// Reads it.
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError>;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Encode for $type {
            fn write(&self, writer: &mut Writer) {
                writer.raw(&self.to_le_bytes());
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
                Ok(Self::from_le_bytes(reader.array("numbers")?))
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 i32 i64 f64 }

impl Encode for usize {
    fn write(&self, writer: &mut Writer) {
        (*self as u64).write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        usize::try_from(u64::read(reader)?).map_err(|_| reader.malformed("numbers"))
    }
}

impl Encode for bool {
    fn write(&self, writer: &mut Writer) {
        u8::from(*self).write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        match u8::read(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(reader.malformed("switches")),
        }
    }
}

impl Encode for String {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(self.as_bytes());
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let text = std::str::from_utf8(reader.bytes("texts")?);
        text.map(str::to_owned).map_err(|_| reader.malformed("texts"))
    }
}

impl<T: Encode> Encode for Option<T> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        self.iter().for_each(|value| value.write(writer));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        bool::read(reader)?.then(|| T::read(reader)).transpose()
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        self.len().write(writer);
        self.iter().for_each(|value| value.write(writer));
    }

    /// Every value takes at least a byte, so that the list grows no longer than the bytes are.
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        /// Values for which memory is taken at once.
        const AT_ONCE_MAX: usize = 1 << 12;
        let count = usize::read(reader)?;
        if count > reader.left() {
            return Err(reader.malformed("lists"));
        }
        let mut values = Vec::with_capacity(count.min(AT_ONCE_MAX));
        for _ in 0..count {
            values.push(T::read(reader)?);
        }
        Ok(values)
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
        self.1.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok((A::read(reader)?, B::read(reader)?))
    }
}

impl<T: Encode, const N: usize> Encode for [T; N]
where
    Self: Default,
{
    fn write(&self, writer: &mut Writer) {
        self.iter().for_each(|value| value.write(writer));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut values = Self::default();
        for value in &mut values {
            *value = T::read(reader)?;
        }
        Ok(values)
    }
}

/// A type that is written field by field, in the order given. For tuple structs: `{ 0: number }`.
#[doc(hidden)]
#[macro_export]
macro_rules! encoded_struct {
    ($type:ty $(, [$($param:ident),*])? { $($field:tt : $name:ident),* $(,)? }) => {
        impl$(<$($param: $crate::saved::Encode),*>)? $crate::saved::Encode for $type {
            fn write(&self, writer: &mut $crate::saved::Writer) {
                let Self { $($field: $name),* } = self;
                $($crate::saved::Encode::write($name, writer);)*
            }

            fn read(
                reader: &mut $crate::saved::Reader<'_>,
            ) -> Result<Self, $crate::saved::LoadError> {
                $(let $name = $crate::saved::Encode::read(reader)?;)*
                Ok(Self { $($field: $name),* })
            }
        }
    };
}

/// An enum that is written as a number for the variant, then field by field.
#[doc(hidden)]
#[macro_export]
macro_rules! encoded_enum {
    ($type:ty $(, [$($param:ident),*])?, $what:literal {
        $($tag:literal => $variant:ident { $($field:tt : $name:ident),* }),* $(,)?
    }) => {
        impl$(<$($param: $crate::saved::Encode),*>)? $crate::saved::Encode for $type {
            fn write(&self, writer: &mut $crate::saved::Writer) {
                match self {
                    $(Self::$variant { $($field: $name),* } => {
                        $crate::saved::Encode::write(&($tag as u8), writer);
                        $($crate::saved::Encode::write($name, writer);)*
                    })*
                }
            }

            fn read(
                reader: &mut $crate::saved::Reader<'_>,
            ) -> Result<Self, $crate::saved::LoadError> {
                Ok(match <u8 as $crate::saved::Encode>::read(reader)? {
                    $($tag => {
                        $(let $name = $crate::saved::Encode::read(reader)?;)*
                        Self::$variant { $($field: $name),* }
                    })*
                    _ => return Err(reader.malformed($what)),
                })
            }
        }
    };
}

pub(crate) use {encoded_enum, encoded_struct};

encoded_struct!(Cost { 0: cost });
encoded_struct!(NodeId { 0: number });
encoded_enum!(End, "ends" { 0 => Start {}, 1 => Goal {} });

impl Encode for Revision {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }

    /// Revisions count edits: one that could run over is forged.
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let revision = u64::read(reader)?;
        if revision > u64::MAX / 2 {
            Err(reader.malformed("revisions"))
        } else {
            Ok(Self(revision))
        }
    }
}
