package projectstore

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// claimLife is 24 hours, during which a report is counted once, plus some time for ingest logs whose entries wait.
const claimLife = 25 * time.Hour

// ClaimReports returns, for each claim, whether it owns its report: whether no other claim claimed the report in the
// last 24 hours. The same claim always gets the same result.
func (s *Projects) ClaimReports(ctx context.Context, claims []models.ReportClaim) (granted []bool, err error) {
	ids, nodes, entries := make([]string, len(claims)), make([]string, len(claims)), make([]string, len(claims))
	for i, c := range claims {
		ids[i], nodes[i], entries[i] = c.ReportID.String(), c.Node.String(), strconv.FormatInt(c.Entry, 10)
	}
	arrays := []any{pg.ArrayOf(ids), pg.ArrayOf(nodes), pg.ArrayOf(entries)}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := dropClaims(tx, len(claims)); err != nil {
			return err
		}
		// Rows are ordered by ID, so that two calls cannot deadlock. If one call has several claims of a report, the
		// earlier entry wins.
		made := tx.Exec(`INSERT INTO report_claims (report_id, node, entry)
			SELECT DISTINCT ON (report_id) report_id, node, entry
			FROM unnest(?::uuid[], ?::uuid[], ?::bigint[]) AS claim (report_id, node, entry)
			ORDER BY report_id, entry
			ON CONFLICT (report_id) DO NOTHING`, arrays...)
		if made.Error != nil {
			return made.Error
		}
		if n := len(claims); n > 0 && made.RowsAffected == int64(n) { // the common case: all claims are new
			granted = slices.Repeat([]bool{true}, n)
			return nil
		}
		// A separate statement sees rows that others committed while the first statement waited.
		var won []bool
		err := tx.Raw(`SELECT (owner.node, owner.entry) = (claim.node, claim.entry)
			FROM unnest(?::uuid[], ?::uuid[], ?::bigint[]) WITH ORDINALITY AS claim (report_id, node, entry, place)
			JOIN report_claims AS owner USING (report_id)
			ORDER BY place`, arrays...).Scan(&won).Error
		granted = won
		return err
	})
	return granted, err
}

// dropClaims deletes up to twice as many old claims as new ones are coming, so that the table shrinks.
func dropClaims(tx *gorm.DB, coming int) error {
	return tx.Exec(`DELETE FROM report_claims WHERE report_id IN (
			SELECT report_id FROM report_claims WHERE claimed_at < now() - ?::interval
			ORDER BY claimed_at LIMIT ? FOR UPDATE SKIP LOCKED)`, claimLife.String(), 2*coming).Error
}
