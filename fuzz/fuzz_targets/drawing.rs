//! Any text is refused, or read as a drawing that is drawn the same way, in either format.
#![no_main]

use highroad::GridMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|drawing: &str| {
    if let Ok(map) = drawing.parse::<GridMap>() {
        assert_eq!(map.to_string().parse().as_ref(), Ok(&map));
        assert_eq!(GridMap::from_movingai(&map.to_movingai()).as_ref(), Ok(&map));
    }
});
