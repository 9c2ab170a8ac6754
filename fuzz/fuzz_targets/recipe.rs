//! Any line is refused, or read as a recipe whose own line means the same. No map is made.
#![no_main]

use highroad_lab::generate::MapRecipe;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if let Ok(recipe) = line.parse::<MapRecipe>() {
        assert_eq!(recipe.to_string().parse(), Ok(recipe));
    }
});
