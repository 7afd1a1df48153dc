package flagstore

import (
	"slices"

	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// patternsPath is a JSON path that finds the patterns in conditions.
const patternsPath = `$[*] ? (@.operator == "matches").values[*]`

// checkPatterns refuses new patterns in field if the patterns of the project become too large together. It is called
// after the change was written, with the conditions before and after it. The change has locked the project.
func checkPatterns(c *unit.Change, field string, before, after []models.Condition) {
	known := slices.Collect(models.Patterns(before))
	isNew := func(pattern string) bool { return !slices.Contains(known, pattern) }
	if !slices.ContainsFunc(slices.Collect(models.Patterns(after)), isNew) {
		return
	}
	c.Do(func() error {
		var stored []string
		err := c.Tx.Raw(`SELECT DISTINCT jsonb_path_query(conditions, CAST(? AS jsonpath)) #>> '{}' FROM (
				SELECT rule_config->'conditions' AS conditions FROM flag_rules WHERE project_id = ?
				UNION ALL SELECT conditions FROM segments WHERE project_id = ?
			) AS lists`, patternsPath, c.Project.ID, c.Project.ID).Scan(&stored).Error
		if err != nil {
			return err
		}
		total := models.PatternInstructions([]models.Condition{{Operator: models.OpMatches, Values: stored}})
		if total <= models.MaxProjectPatternInstructions {
			return nil
		}
		return models.Errorf(models.CodeQuotaExceeded, "%s: together, the patterns of the project would compile to more than %d "+
			"instructions; shorten the repetitions of patterns such as {0,1000}, or delete patterns",
			field, models.MaxProjectPatternInstructions)
	})
}
