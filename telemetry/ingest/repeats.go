package ingest

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// withoutRepeats leaves out the reports of the range whose Idempotency-Key came before.
// Reports are claimed here and not when they are received: a claimed report is in the log
// already, so no crash can lose it, and there is one query for the whole range. A range that
// is inserted again gets the same answers, so its content is the same.
func (l *Log) withoutRepeats(ctx context.Context, r logRange) ([]models.HealthReport, error) {
	if l.options.Claims == nil {
		return r.reports, nil
	}
	claims, err := l.claims(r)
	if err != nil || len(claims) == 0 {
		return r.reports, err
	}
	granted, err := l.options.Claims.ClaimReports(ctx, claims)
	if err != nil {
		return nil, fmt.Errorf("tell reports from their repetitions: %w", err)
	}
	kept := make([]models.HealthReport, 0, len(r.reports))
	for _, report := range r.reports {
		if report.Keyed {
			mine := granted[0]
			if granted = granted[1:]; !mine {
				continue
			}
		}
		kept = append(kept, report)
	}
	return kept, nil
}

// claims are for the keyed reports of the range, in their order.
func (l *Log) claims(r logRange) ([]models.ReportClaim, error) {
	var claims []models.ReportClaim
	for k, report := range r.reports {
		if !report.Keyed {
			continue
		}
		id, err := uuid.Parse(report.ID)
		if err != nil {
			return nil, fmt.Errorf("report id %q: %w", report.ID, err)
		}
		node, err := uuid.Parse(l.cursor.Node)
		if err != nil {
			return nil, fmt.Errorf("identity of the ingest log: %w", err)
		}
		claims = append(claims, models.ReportClaim{ReportID: id, Node: node, Entry: int64(r.at[k])})
	}
	return claims, nil
}
