package ingest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// staleAfter is the age above which an entry counts as delayed. Younger entries are inserted before the data of an
// erased device is deleted a second time.
const staleAfter = 5 * time.Second

// withoutErased removes devices from a delayed range if their data has been deleted since.
func (l *Log) withoutErased(ctx context.Context, r logRange) (logRange, error) {
	oldest, ok := r.oldest()
	if l.options.Erasures == nil || !ok || l.options.Now().Sub(oldest) < staleAfter {
		return r, nil
	}
	erasures, err := l.options.Erasures.ErasedSince(ctx, oldest)
	if err != nil {
		return r, fmt.Errorf("read the erased devices: %w", err)
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

// withoutRepeats removes reports from the range whose Idempotency-Key was used before. Reports are claimed here and
// not when they are received, because a claimed report is then already in the log and a crash cannot lose it. It also
// needs only one query for the whole range. The claims of a range that is inserted again have the same result, so its
// content is the same.
func (l *Log) withoutRepeats(ctx context.Context, r logRange) (logRange, error) {
	var claims []models.ReportClaim
	for k, report := range r.reports {
		if l.options.Claims == nil || !report.Keyed {
			continue
		}
		id, err := uuid.Parse(report.ID)
		if err != nil {
			return r, fmt.Errorf("report id %q: %w", report.ID, err)
		}
		node, err := uuid.Parse(l.node)
		if err != nil {
			return r, fmt.Errorf("identity of the ingest log: %w", err)
		}
		claims = append(claims, models.ReportClaim{ReportID: id, Node: node, Entry: int64(r.at[k])})
	}
	if len(claims) == 0 {
		return r, nil
	}
	granted, err := l.options.Claims.ClaimReports(ctx, claims)
	if err != nil {
		return r, fmt.Errorf("claim reports: %w", err)
	}
	kept := r
	kept.reports, kept.at = nil, nil
	for k, report := range r.reports {
		if report.Keyed {
			mine := granted[0]
			if granted = granted[1:]; !mine {
				continue
			}
		}
		kept.reports, kept.at = append(kept.reports, report), append(kept.at, r.at[k])
	}
	return kept, nil
}
