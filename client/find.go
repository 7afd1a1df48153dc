package client

import (
	"context"
	"fmt"
	"strconv"
)

// pageSize is how many records a list is asked for at a time.
const pageSize int64 = 200

// FindChannel returns the channel with that name, nil if it does not exist.
func (w *Waft) FindChannel(ctx context.Context, name string) (*Channel, error) {
	return find(func(before *int64) (*[]Channel, error) {
		res, err := w.ListChannelsWithResponse(ctx, &ListChannelsParams{Limit: new(pageSize), Before: before})
		if err != nil {
			return nil, fmt.Errorf("listing the channels: %w", err)
		}
		return expect(res.JSON200, res.HTTPResponse)
	}, func(c Channel) int64 { return c.ID }, func(c Channel) bool { return c.Name == name })
}

// FindFlag returns the feature flag with the key or ID, nil if it does not exist. Keys are tried before IDs, because people know keys. A
// string such as 007 is only a key.
func (w *Waft) FindFlag(ctx context.Context, keyOrID string) (*Flag, error) {
	var numbered *Flag
	keyed, err := find(func(before *int64) (*[]Flag, error) {
		res, err := w.ListFlagsWithResponse(ctx, &ListFlagsParams{Limit: new(pageSize), Before: before})
		if err != nil {
			return nil, fmt.Errorf("listing the feature flags: %w", err)
		}
		return expect(res.JSON200, res.HTTPResponse)
	}, func(f Flag) int64 { return f.ID }, func(f Flag) bool {
		if strconv.FormatInt(f.ID, 10) == keyOrID {
			numbered = &f
		}
		return f.Key == keyOrID
	})
	if err != nil || keyed != nil {
		return keyed, err
	}
	return numbered, nil
}

// FindPolicy returns the rollout policy with the name, nil if it does not exist. If several policies have the name, FindPolicy returns
// the newest.
func (w *Waft) FindPolicy(ctx context.Context, name string) (*RolloutPolicy, error) {
	return find(func(before *int64) (*[]RolloutPolicy, error) {
		res, err := w.ListRolloutPoliciesWithResponse(ctx, &ListRolloutPoliciesParams{Limit: new(pageSize), Before: before})
		if err != nil {
			return nil, fmt.Errorf("listing the rollout policies: %w", err)
		}
		return expect(res.JSON200, res.HTTPResponse)
	}, func(p RolloutPolicy) int64 { return p.ID }, func(p RolloutPolicy) bool { return p.Name == name })
}

// find walks a list page by page until it meets what is sought, nil when it does
// not. page gets the id that the page before ended with, nil for the first.
func find[T any](page func(before *int64) (*[]T, error), id func(T) int64, sought func(T) bool) (*T, error) {
	var before *int64
	for {
		records, err := page(before)
		if err != nil {
			return nil, err
		}
		for i, r := range *records {
			if sought(r) {
				return &(*records)[i], nil
			}
			before = new(id(r))
		}
		if int64(len(*records)) < pageSize {
			return nil, nil
		}
	}
}
