//! The tabs of the panel at the right.

/// What the panel shows below planner and result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// What lies over the map, with its colours.
    #[default]
    Layers,
    /// What the current step does.
    Steps,
    /// Why the path costs what it costs.
    Explain,
    /// More numbers of the result.
    Details,
    /// Every planner on this query.
    Compare,
    /// The agent that walks.
    Agent,
    /// How agents move.
    Movement,
}

impl Tab {
    /// All of them, in their order.
    pub const ALL: [Self; 7] = [
        Self::Steps,
        Self::Layers,
        Self::Explain,
        Self::Details,
        Self::Compare,
        Self::Agent,
        Self::Movement,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layers => "Layers",
            Self::Steps => "Steps",
            Self::Explain => "Explain",
            Self::Details => "Details",
            Self::Compare => "Compare",
            Self::Agent => "Agent",
            Self::Movement => "Movement",
        }
    }

    /// What it is for.
    pub fn help(self) -> &'static str {
        match self {
            Self::Layers => "what lies over the map, and what its colours mean",
            Self::Steps => "what the search does in this step, and its open list",
            Self::Explain => "why the path costs what it costs, and what an edit would change",
            Self::Details => "more numbers of the result",
            Self::Compare => "every planner on this map, from this start to this goal",
            Self::Agent => "an agent that walks while you change the map",
            Self::Movement => "which steps agents may take, and what they cost",
        }
    }
}
