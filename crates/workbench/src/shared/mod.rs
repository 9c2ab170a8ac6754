//! What modes share: the choice of a planner, the player of recordings and its timeline, layers and their list, the view, work beside the
//! user interface.

mod choice;
pub(crate) mod draw;
pub(crate) mod job;
mod layers;
mod message;
mod numbers;
mod player;
mod touched;
mod view;

pub use choice::PlannerChoice;
pub use job::Busy;
pub use layers::{
    COMMON_LAYERS, COMPONENTS, GRID_LINES, Layers, PATH, RefinementView, SEARCH, Switch, TREE,
    items, key_of,
};
pub use message::Message;
pub use numbers::{Unit, above_optimal, decimal};
pub use player::{Player, SPEEDS};
pub use touched::{TILE_SIDE, TileBoxes, Touched};
pub use view::View;
