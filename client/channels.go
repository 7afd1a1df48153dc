package client

import (
	"context"
	"fmt"
)

// FindChannel is the channel of that name, nil when the project has none.
func (w *Waft) FindChannel(ctx context.Context, name string) (*Channel, error) {
	return find(func(before *int64) (*[]Channel, error) {
		res, err := w.ListChannelsWithResponse(ctx, &ListChannelsParams{Limit: new(pageSize), Before: before})
		if err != nil {
			return nil, fmt.Errorf("listing the channels: %w", err)
		}
		return expect(res.JSON200, res.HTTPResponse)
	}, func(c Channel) int64 { return c.ID }, func(c Channel) bool { return c.Name == name })
}
