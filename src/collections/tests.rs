use std::collections::BTreeMap;

use super::{IdMap, sort, sort_by_key};

/// Numbers that are neither in order nor all different.
fn scattered(length: u32) -> impl Iterator<Item = u32> {
    (0..length).map(|place| place * 7_919 % 23)
}

#[test]
fn items_are_sorted_as_the_standard_library_sorts_them() {
    for length in 0..200 {
        let items: Vec<(u32, usize)> = scattered(length).zip(0..).collect();
        let (mut expected, mut sorted) = (items.clone(), items);
        expected.sort_by_key(|item| item.0);
        let mut computed = 0;
        sort_by_key(&mut sorted, |item| {
            computed += 1;
            item.0
        });
        assert!(computed <= length, "a key may take long: {computed} for {length} items");
        assert_eq!(sorted, expected);
        let mut texts: Vec<String> = scattered(length).map(|number| number.to_string()).collect();
        let mut expected = texts.clone();
        expected.sort();
        sort(&mut texts);
        assert_eq!(texts, expected);
    }
}

#[test]
fn a_map_is_one_of_the_standard_library() {
    let (mut map, mut expected) = (IdMap::new(), BTreeMap::new());
    for (id, value) in scattered(200).zip(0..) {
        match value % 5 {
            0 | 1 => assert_eq!(map.insert(id, value), expected.insert(id, value)),
            2 => assert_eq!(map.remove(&id), expected.remove(&id)),
            3 => {
                *map.entry(id).or_insert(value) += 1;
                *expected.entry(id).or_insert(value) += 1;
            }
            _ => {
                map.retain(|id, value| (*id + *value) % 11 != 0);
                expected.retain(|id, value| (*id + *value) % 11 != 0);
            }
        }
        assert!(map.iter().eq(&expected), "after {value}: {map:?}, not {expected:?}");
        assert!((0..30).all(
            |id| map.get(&id) == expected.get(&id) && map.contains_key(&id) == expected.contains_key(&id)
        ));
        map.values_mut().zip(expected.values_mut()).for_each(|(value, other)| {
            assert_eq!(value, other);
            *value += 1;
            *other += 1;
        });
        assert_eq!((map.len(), map.is_empty()), (expected.len(), expected.is_empty()));
        assert_eq!(map, expected.iter().map(|(&id, &value)| (id, value)).rev().collect());
    }
    assert!(map.into_iter().eq(expected));
}
