//! Paths in saved worlds.

use super::Path;
use crate::saved::{Encode, LoadError, Reader, Writer};

impl<P: Encode> Encode for Path<P> {
    fn write(&self, writer: &mut Writer) {
        self.places.write(writer);
        self.cost.write(writer);
        self.revision.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let places = Vec::read(reader)?;
        if places.is_empty() {
            return Err(reader.malformed("paths"));
        }
        Ok(Self { places, cost: Encode::read(reader)?, revision: Encode::read(reader)? })
    }
}
