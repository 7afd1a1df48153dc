toInt64(intDiv(2000000000 * counted_errored + counted, 2 * greatest(counted, 1))) AS errored_vote,
        toInt64(intDiv(2000000000 * counted_crashed + counted, 2 * greatest(counted, 1))) AS crashed_vote,
        if(max(device_allocation) = 0, network, max(device_allocation)) AS allocation
