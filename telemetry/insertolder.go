package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// InsertReportsAs is InsertReports of a range that an older version began to insert in
// this form. Where the token of its events is not known any more, since their table was
// replaced, what is stored of them is looked up.
func (c *ClickHouse) InsertReportsAs(ctx context.Context, form EventsForm, token string, reports []models.HealthReport) error {
	missing := reports
	if form == eventsInV1 {
		stored, err := c.storedReports(ctx, reports)
		if err != nil {
			return err
		}
		missing = slices.DeleteFunc(slices.Clone(reports), func(r models.HealthReport) bool { return stored[r.ID] })
	}
	if err := c.insertEvents(ctx, token, missing, models.HealthEventType.Known); err != nil {
		return err
	}
	return c.insertHealth(ctx, token, reports)
}

// storedReports are the ids of those of the reports that have stored events, among
// others of the same time.
func (c *ClickHouse) storedReports(ctx context.Context, reports []models.HealthReport) (map[string]bool, error) {
	type span struct{ from, until time.Time }
	spans := map[int64]span{}
	for _, r := range reports {
		s, ok := spans[r.ProjectID]
		if !ok || r.ReceivedAt.Before(s.from) {
			s.from = r.ReceivedAt
		}
		if r.ReceivedAt.After(s.until) {
			s.until = r.ReceivedAt
		}
		spans[r.ProjectID] = s
	}
	stored := map[string]bool{}
	for projectID, s := range spans {
		var rows []struct {
			ID string `ch:"id"`
		}
		err := c.selectOf(ctx, projectID, "reports that are stored", &rows, sqlStoredReports, milli("from", s.from), milli("until", s.until))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			stored[r.ID] = true
		}
	}
	return stored, nil
}
