package client

import (
	"context"
	"fmt"
)

// ProvenReleases returns the releases that every device of a channel gets: for each platform and runtime version, the
// newest enabled release for every device. Devices that return to the embedded update do not have one.
func (w *Waft) ProvenReleases(ctx context.Context, channel string) (proven []Update, err error) {
	res, err := w.GetOverviewWithResponse(ctx, &GetOverviewParams{Channel: &channel})
	if err != nil {
		return nil, fmt.Errorf("reading the overview of channel %q: %w", channel, err)
	}
	targets, err := expect(res.JSON200, res.HTTPResponse)
	if err != nil {
		return nil, err
	}
	for _, t := range *targets {
		if t.Release != nil && t.Release.Kind == UpdateKindUpdate {
			proven = append(proven, *t.Release)
		}
	}
	return proven, nil
}
