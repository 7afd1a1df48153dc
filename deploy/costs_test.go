package deploy

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// costs returns the rows of the table of what a project may cost, by their first cells.
func costs(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../docs/contribute/costs.md")
	require.NoError(t, err)
	rows := map[string]string{}
	for line := range strings.SplitSeq(string(page), "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			rows[strings.TrimSpace(cells[1])] = line
		}
	}
	return rows
}

// byDefault returns the default of a setting, as people write it.
func byDefault(t *testing.T, setting string) string {
	t.Helper()
	for field := range reflect.TypeFor[config.Config]().Fields() {
		if field.Tag.Get("env") == setting {
			n, err := strconv.Atoi(field.Tag.Get("envDefault"))
			require.NoError(t, err)
			switch {
			case n >= 1<<30 && n%(1<<30) == 0:
				return strconv.Itoa(n>>30) + " GiB"
			case n >= 1<<20 && n%(1<<20) == 0:
				return strconv.Itoa(n>>20) + " MiB"
			}
			return number(n)
		}
	}
	require.Fail(t, "the setting "+setting+" does not exist")
	return ""
}

func number(n int) string { return message.NewPrinter(language.English).Sprint(n) }

func TestTheTableOfCostsHasTheLimits(t *testing.T) {
	t.Parallel()
	rows := costs(t)
	for what, numbers := range map[string][]string{
		"patterns": {number(models.MaxProjectPatternInstructions) + " instructions", number(models.MaxPatternInstructions) + " steps"},
		"evaluations of one flag, and of all flags for a request": {
			number(flags.MaxEvaluationSteps) + " steps", number(flags.MaxRequestSteps),
		},
		"estimates of segments":                   {number(flags.MaxRequestSteps) + " steps"},
		"flags, user lists, conditions, segments": {byDefault(t, "WAFT_QUOTA_FLAG_BYTES") + " of strings"},
		"user overrides":                          {byDefault(t, "WAFT_QUOTA_OVERRIDES") + ": some"},
		"webhooks": {
			byDefault(t, "WAFT_QUOTA_WEBHOOKS") + " rows", byDefault(t, "WAFT_QUOTA_WEBHOOKS") + " deliveries",
		},
		"source maps": {
			byDefault(t, "WAFT_SOURCEMAP_MEMORY_BYTES") + " for all", byDefault(t, "WAFT_MAX_SOURCEMAP_BYTES") + " at most",
		},
		"releases":                 {byDefault(t, "WAFT_QUOTA_RELEASES") + ", some"},
		"flags that releases link": {byDefault(t, "WAFT_QUOTA_LINKED_FLAGS") + " together"},
	} {
		for _, n := range numbers {
			require.Contains(t, rows[what], n, what)
		}
	}
	many := models.NewRolloutPolicy{Name: "many", Stages: make([]models.Stage, 21)}
	require.ErrorContains(t, many.Validate(), "must contain 1 to 20 stages")
	require.Contains(t, rows["policies"], "20 stages at most")
}

func TestTheTableOfCostsNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	defined := map[string]bool{}
	definition := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "build" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range definition.FindAllStringSubmatch(string(text), -1) {
			defined[found[1]] = true
		}
		return err
	})
	require.NoError(t, err)
	for what, row := range costs(t) {
		if what == "What" || strings.HasPrefix(what, "---") {
			continue
		}
		tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(row, -1)
		require.NotEmpty(t, tests, what)
		for _, test := range tests {
			require.True(t, defined[test[1]], "%s: %s", what, test[1])
		}
	}
}

// TestThePageOfQuotasHasEveryDefault compares docs/operations/quotas.md with the settings, in both directions.
func TestThePageOfQuotasHasEveryDefault(t *testing.T) {
	t.Parallel()
	shown := map[string]string{}
	quotaRow := regexp.MustCompile("(?m)^\\| `(WAFT_QUOTA_\\w+)` \\| ([^|]+) \\|")
	for _, row := range quotaRow.FindAllStringSubmatch(readFile(t, "docs/operations/quotas.md"), -1) {
		shown[row[1]] = row[2]
	}
	defaults := map[string]string{}
	for field := range reflect.TypeFor[config.Config]().Fields() {
		if name := field.Tag.Get("env"); strings.HasPrefix(name, "WAFT_QUOTA_") {
			defaults[name] = byDefault(t, name)
		}
	}
	require.NotEmpty(t, defaults)
	require.Equal(t, defaults, shown)
}
