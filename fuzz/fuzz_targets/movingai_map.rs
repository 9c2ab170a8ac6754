//! Any bytes are refused, or read as a map that writes the same bytes again.
#![no_main]

use highroad::GridMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(map) = GridMap::from_movingai(text) {
        assert_eq!(map.to_movingai(), text);
    }
});
