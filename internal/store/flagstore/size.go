package flagstore

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// rowBytes is an estimate of the memory that a row takes in an API process, apart from its strings.
const rowBytes = 256

// bytesOfFlags is a query for the memory that API processes need for a project's flags.
var bytesOfFlags = fmt.Sprintf(`SELECT coalesce(sum(bytes), 0) FROM (
		SELECT %[1]d + octet_length(default_value) AS bytes FROM flags WHERE project_id = @project
		UNION ALL SELECT %[1]d + octet_length(name) + octet_length(value) FROM flag_variations WHERE project_id = @project
		UNION ALL SELECT %[1]d + coalesce(octet_length(default_value), 0) FROM flag_environments WHERE project_id = @project
		UNION ALL SELECT %[1]d + octet_length(rule_config::text) FROM flag_rules WHERE project_id = @project
		UNION ALL SELECT %[1]d + octet_length(conditions::text) FROM segments WHERE project_id = @project
	) AS rows`, rowBytes)

// whatBytes describes what counts towards models.QuotaFlagBytes.
const whatBytes = "bytes of the project's flags, rules and segments"

// changeServed runs fn like ChangeServed of units, for a change of flags or segments. It refuses a change that makes
// them exceed the project's quota.
func (s *Flags) changeServed(ctx context.Context, projectID int64, actor models.Actor, fn func(c *unit.Change) error) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		before := flagBytes(c)
		if err := fn(c); err != nil {
			return err
		}
		after := flagBytes(c)
		return c.Quotas.Check(models.QuotaFlagBytes, whatBytes, before, after-before)
	})
}

// flagBytes returns the number of bytes that count towards models.QuotaFlagBytes.
func flagBytes(c *unit.Change) (bytes int64) {
	c.Do(func() error {
		return c.Tx.Raw(bytesOfFlags, map[string]any{"project": c.Project.ID}).Scan(&bytes).Error
	})
	return bytes
}
