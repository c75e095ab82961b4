//! Objects of the layer, by the dispatch key of those of Vulkan.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The objects of one kind. Calls that use an object keep it while another thread removes it.
pub struct Registry<T>(RwLock<BTreeMap<usize, Arc<T>>>);

impl<T> Registry<T> {
    pub const fn new() -> Registry<T> {
        Registry(RwLock::new(BTreeMap::new()))
    }

    pub fn get(&self, key: usize) -> Option<Arc<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    pub fn insert(&self, key: usize, object: Arc<T>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, object);
    }

    pub fn remove(&self, key: usize) -> Option<Arc<T>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&key)
    }
}
