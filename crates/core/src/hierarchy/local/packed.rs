//! Costs of any size in half a word: what tables of clusters and links hold.
//!
//! Below 2³¹ a packed cost is the cost itself. Above, it counts units of 2¹⁴, rounded up: an error below one in
//! 100,000, and room for more than a search's table holds. Packed costs compare as the costs do.

/// The packed cost of what is not reached; larger than all others.
pub(in crate::hierarchy) const UNREACHED: u32 = u32::MAX;

/// Whether a packed cost counts units.
const COARSE: u32 = 1 << 31;
/// How many low bits such a unit leaves out.
const UNIT_BITS: u32 = 14;

/// Packs a cost. What is larger than all that fits becomes the largest that does.
#[inline]
pub(in crate::hierarchy) fn pack(cost: u64) -> u32 {
    if cost < u64::from(COARSE) {
        return cost as u32;
    }
    let units = cost.div_ceil(1 << UNIT_BITS).min(u64::from(UNREACHED - 1 - COARSE));
    COARSE | units as u32
}

/// The cost that was packed, or a little more.
#[inline]
pub(in crate::hierarchy) fn unpack(packed: u32) -> u64 {
    if packed < COARSE {
        return u64::from(packed);
    }
    u64::from(packed - COARSE) << UNIT_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_costs_keep_their_order_and_nearly_their_size() {
        let costs = [0, 1, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, 1 << 32, 77 << 33, 1 << 44];
        for pair in costs.windows(2) {
            assert!(pack(pair[0]) <= pack(pair[1]), "{pair:?}");
        }
        for cost in costs {
            let unpacked = unpack(pack(cost));
            assert!(unpacked >= cost && unpacked - cost <= cost / 100_000, "{cost}: {unpacked}");
            assert_eq!(pack(unpacked), pack(cost));
        }
        assert!(pack(u64::MAX) < UNREACHED);
    }
}
