package ingest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// staleAfter is how old an entry is when something held it up. Younger entries are inserted
// before the data of a device is deleted a second time.
const staleAfter = 5 * time.Second

// withoutErased leaves the devices out of an old range whose data was deleted meanwhile.
func (l *Log) withoutErased(ctx context.Context, r logRange) (logRange, error) {
	oldest, ok := r.oldest()
	if l.options.Erasures == nil || !ok || l.options.Now().Sub(oldest) < staleAfter {
		return r, nil
	}
	erasures, err := l.options.Erasures.ErasedSince(ctx, oldest)
	if err != nil {
		return r, fmt.Errorf("read which devices were erased: %w", err)
	}
	type device struct {
		projectID int64
		identity  string
	}
	erased := map[device]time.Time{}
	for _, e := range erasures {
		for _, identity := range e.Identities {
			if d := (device{e.ProjectID, identity}); e.ErasedAt.After(erased[d]) {
				erased[d] = e.ErasedAt
			}
		}
	}
	gone := func(projectID int64, identity string, at time.Time) bool {
		until, ok := erased[device{projectID, identity}]
		return ok && !at.After(until)
	}
	kept := r
	kept.reports, kept.at = nil, nil
	for k, report := range r.reports {
		if !gone(report.ProjectID, report.DeviceID, report.ReceivedAt) {
			kept.reports, kept.at = append(kept.reports, report), append(kept.at, r.at[k])
		}
	}
	kept.exposures = slices.DeleteFunc(slices.Clone(r.exposures), func(e models.Exposure) bool {
		return gone(e.ProjectID, e.DeviceID, e.ServedAt)
	})
	return kept, nil
}
