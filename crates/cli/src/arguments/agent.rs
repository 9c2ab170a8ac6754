//! The kind of agent that moves on a mesh.

use clap::Args;
use highroad::mesh::{AreaClass, MeshMovement, MovementError};

/// What areas of a mesh mean to the agent.
#[derive(Args)]
pub(crate) struct MeshAgentArguments {
    /// Areas and links of these classes are forbidden: numbers from 0 to 63. On meshes.
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = parse_class)]
    forbid: Vec<AreaClass>,
    /// What a unit of length costs in areas of a class, such as 3=2.5: from 1 to 1000. On meshes.
    #[arg(long, value_name = "CLASS=FACTOR,…", value_delimiter = ',', value_parser = parse_factor)]
    factor: Vec<(AreaClass, f64)>,
}

impl MeshAgentArguments {
    /// Whether anything is given.
    pub(crate) fn are_given(&self) -> bool {
        !self.forbid.is_empty() || !self.factor.is_empty()
    }

    /// How the agent moves.
    pub(crate) fn movement(&self) -> Result<MeshMovement, MovementError> {
        let mut movement = MeshMovement::default();
        for &(class, factor) in &self.factor {
            movement = movement.with_factor(class, factor)?;
        }
        Ok(self.forbid.iter().fold(movement, |movement, &class| movement.forbidding(class)))
    }
}

fn parse_class(text: &str) -> Result<AreaClass, String> {
    let number =
        text.trim().parse::<u8>().map_err(|_| format!("{text:?} is no number of a class"))?;
    AreaClass::new(number).map_err(|error| error.to_string())
}

fn parse_factor(text: &str) -> Result<(AreaClass, f64), String> {
    let (class, factor) = text.split_once('=').ok_or("give a class and a factor, such as 3=2.5")?;
    let (class, factor) = (parse_class(class)?, factor.trim().parse::<f64>());
    let factor = factor.map_err(|_| format!("{text:?} has no factor"))?;
    let movement = MeshMovement::default().with_factor(class, factor);
    movement.map(|_| (class, factor)).map_err(|error| error.to_string())
}
