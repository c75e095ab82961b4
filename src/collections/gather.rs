//! Collecting in little code.

/// Adds items one by one to an empty set or map. `collect` sorts them before, by code of its own for each type of item.
pub fn gather<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}
