package telemetry

import "context"

// wholeShare is the size of a sample with every device, in 65,536ths.
const wholeShare = 1 << 16

// sampleShare returns the fraction of the project's devices, in 65,536ths, that a query about all devices reads.
func (db *database) sampleShare(ctx context.Context, projectID int64) (uint64, error) {
	cost, err := selectOf[adoptionUpdateRow](ctx, db, projectID, "adoption", sqlAdoptionUpdatesCost)
	if err != nil || cost[0].Devices <= db.exactRows {
		return wholeShare, err
	}
	return min(wholeShare, max(1, wholeShare*db.sampledDevices/cost[0].Devices)), nil
}
