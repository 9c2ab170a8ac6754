//! Places on the command line: cells of a map, or points of a mesh.

use anyhow::{Context, Result};
use highroad::Cell;
use highroad::mesh::MeshPoint;

/// A place as it is written: a cell of a map, or a point of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    x: f64,
    y: f64,
    layer: Option<u16>,
}

impl Place {
    /// From two numbers, or three where a mesh has layers.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let place = match words[..] {
            [x, y] => x.parse().ok().zip(y.parse().ok()).map(|(x, y)| Self { x, y, layer: None }),
            [x, y, layer] => x.parse().ok().zip(y.parse().ok()).and_then(|(x, y)| {
                let layer = Some(layer.parse().ok()?);
                Some(Self { x, y, layer })
            }),
            _ => None,
        };
        place.ok_or_else(|| {
            "write a cell as column,row, such as 12,30; a point of a mesh as x,y or x,y,layer"
                .to_owned()
        })
    }

    /// The cell.
    pub(crate) fn cell(self) -> Result<Cell> {
        let whole = |number: f64| {
            let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
            is_whole.then_some(number as u32)
        };
        let cell = whole(self.x).zip(whole(self.y)).filter(|_| self.layer.is_none());
        let (x, y) = cell.context(
            "write a cell as column,row in whole numbers, such as 12,30; points with fractions are for meshes (--mesh)",
        )?;
        Ok(Cell::new(x, y))
    }

    /// The point.
    pub(crate) fn point(self) -> Result<MeshPoint> {
        Ok(MeshPoint::new(self.x, self.y)?.on_layer(self.layer.unwrap_or(0)))
    }
}

/// Start and goal, if both are given; an error if one is.
pub(crate) fn both<T>(from: Option<T>, to: Option<T>) -> Result<Option<(T, T)>> {
    match (from, to) {
        (Some(from), Some(to)) => Ok(Some((from, to))),
        (None, None) => Ok(None),
        _ => anyhow::bail!("say both where the path starts and where it ends: --from X,Y --to X,Y"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_cells_or_points() {
        let place = |text| Place::parse(text).unwrap();
        assert_eq!(place("3, 4").cell().unwrap(), Cell::new(3, 4));
        for fraction in ["3.5,4", "-1,2", "1,2,0", "nan,1", "1e10,1"] {
            assert!(place(fraction).cell().is_err(), "{fraction}");
        }
        assert_eq!(place("3.5,-4,2").point().unwrap().to_string(), "(3.5, -4) on layer 2");
        assert!(place("inf,0").point().is_err());
        for bad in ["", "1", "1,2,3,4", "a,b", "1,2,x", "1;2"] {
            assert!(Place::parse(bad).is_err(), "{bad}");
        }
    }
}
