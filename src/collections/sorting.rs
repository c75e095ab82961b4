//! Sorting in little code. The standard library sorts each type of item by five to nine kilobytes of its own; here one copy of them sorts places.

use std::cmp::Ordering;

/// Sorts `items`; equal ones keep their order. Needs four bytes for each item.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let places = sorted_places(items.len(), &|left, right| compare(&items[left], &items[right]));
    arrange(items, places);
}

/// Sorts `items` by a key that is computed at most once for each; items of equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl FnMut(&T) -> K) {
    if items.len() < 2 {
        return;
    }
    let keys: Vec<K> = items.iter().map(key).collect();
    arrange(items, sorted_places(keys.len(), &|left, right| keys[left].cmp(&keys[right])));
}

/// Sorts `items`; equal ones keep their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Returns the places in the order of what is there.
fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut places: Vec<u32> = (0..count as u32).collect();
    places.sort_by(|&left, &right| compare(left as usize, right as usize));
    places
}

/// Moves the items to the order of these places.
fn arrange<T>(items: &mut [T], mut places: Vec<u32>) {
    for start in 0..items.len() {
        let mut at = start;
        // Items of one cycle move by one place each.
        loop {
            let from = std::mem::replace(&mut places[at], at as u32) as usize;
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}
