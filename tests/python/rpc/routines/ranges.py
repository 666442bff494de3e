def deal(rows, seen_rows, tiles, seen_tiles, same, seen_same, index):
    for array, seen in ((rows, seen_rows), (tiles, seen_tiles), (same, seen_same)):
        seen[...] = array
        array[...] += 1
    index[...] = index.layout.global_indices(0)
