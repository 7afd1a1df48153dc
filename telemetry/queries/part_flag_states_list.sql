arraySlice(arraySort(arrayFilter(
    s -> match(s.1, '^[a-z0-9][a-z0-9._-]{0,127}$'),
    arrayMap((k, v) -> (CAST(k, 'String'), substring(CAST(v, 'String'), 1, 256)), mapKeys(flag_states), mapValues(flag_states))
)), 1, 100)
