package config

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

var update = flag.Bool("update", false, "write docs/reference/settings.md")

// sections are the groups of settings on the page, each with the settings or the beginnings of their names.
var sections = []struct {
	title, about string
	settings     []string
}{
	{"Addresses", "Where the processes listen, and by which URLs others reach them.", []string{
		"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR", "WAFT_OTHER_ADMIN_ADDRS", "WAFT_BASE_URL", "WAFT_DASHBOARD_", "WAFT_TRUSTED_PROXIES",
	}},
	{"Postgres and ClickHouse", "", []string{"DATABASE_URL", "CLICKHOUSE_URL", "WAFT_CLICKHOUSE_CLUSTER"}},
	{"Temporal", "", []string{
		"TEMPORAL_", "WAFT_TEMPORAL_", "WAFT_TASK_QUEUE", "WAFT_WORKER_",
	}},
	{"Files", "Where files of builds, reports and uploads are stored.", []string{
		"WAFT_DATA_DIR", "WAFT_ASSET_", "WAFT_PATCH_BASES", "WAFT_INGEST_LOG_BYTES", "WAFT_SOURCEMAP_MEMORY_BYTES",
	}},
	{"Secrets", "", []string{"WAFT_ROOT_KEY", "WAFT_SECRET_KEY", "WAFT_SECRET_KEY_PREVIOUS"}},
	{"People", "How people sign in, and how long their approvals may take.", []string{
		"WAFT_OIDC_PROVIDERS", "WAFT_SSO_ONLY", "WAFT_SMTP_URL", "WAFT_APPROVAL_LIFE",
	}},
	{"Integrations", "What Waft sends to other servers, and which of them it may reach.", []string{
		"WAFT_ISSUER_ALLOWED_NETWORKS", "WAFT_WEBHOOK_",
	}},
	{"Rollouts and incidents", "", []string{"WAFT_INCIDENT_INTERVAL", "WAFT_ORIGIN_AS_TABLE"}},
	{"Sizes", "The largest files, builds and reports that the API accepts.", []string{
		"WAFT_MAX_FILE_BYTES", "WAFT_MAX_BUILD_", "WAFT_MAX_REPORT_BYTES",
		"WAFT_MAX_SOURCEMAP_BYTES"}},
	{"Rates and connections", "How much one sender may send.", []string{
		"WAFT_RATE_", "WAFT_NEW_DEVICES_", "WAFT_MAX_CONNECTIONS", "WAFT_MAX_STREAMS",
	}},
	{"Quotas", "How much one project may have. Above a quota, the API returns 409 with the code `quota_exceeded`.", []string{"WAFT_QUOTA_"}},
	{"Logs, traces and shutdown", "", []string{"WAFT_LOG_", "OTEL_", "WAFT_SHUTDOWN_TIMEOUT"}},
}

// ofAPI are the settings that only processes with the API use, and ofWorker the settings that only processes with the worker use.
var (
	ofAPI = []string{
		"WAFT_DASHBOARD_ADDR", "WAFT_ASSET_BASE_URL", "WAFT_ASSET_REDIRECT", "WAFT_INGEST_LOG_BYTES", "WAFT_SOURCEMAP_MEMORY_BYTES",
		"WAFT_MAX_FILE_BYTES", "WAFT_MAX_BUILD_", "WAFT_MAX_REPORT_BYTES", "WAFT_MAX_SOURCEMAP_BYTES", "WAFT_MAX_STREAMS",
		"WAFT_RATE_", "WAFT_NEW_DEVICES_", "WAFT_INCIDENT_INTERVAL", "WAFT_ISSUER_ALLOWED_NETWORKS", "WAFT_OIDC_PROVIDERS", "WAFT_SSO_ONLY",
		"WAFT_ROOT_KEY", "WAFT_ORIGIN_AS_TABLE",
	}
	ofWorker = []string{"WAFT_PATCH_BASES", "WAFT_WEBHOOK_", "WAFT_WORKER_"}
)

func begins(name string, with []string) bool {
	return slices.ContainsFunc(with, func(start string) bool {
		return name == start || strings.HasSuffix(start, "_") && strings.HasPrefix(name, start)
	})
}

// TestReference compares docs/reference/settings.md with the settings. -update writes it.
func TestReference(t *testing.T) {
	t.Parallel()
	site.CompareGenerated(t, "../../docs/reference/settings.md", settingsPage(t), *update)
}

func settingsPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Settings of the server\n\n" +
		"`waftd` reads its settings from environment variables. `waftd env` prints them with their defaults. A process that finds invalid\n" +
		"settings names all of them and ends. At its start it logs every setting, but of a secret only whether it is set.\n\n" +
		"Sizes are in bytes. Durations have a unit, such as `20s`, `5m` or `1h30m`. A list is separated by commas. " +
		"A setting that is set to an\n" +
		"empty value has its default.\n\n" +
		"`waftd serve` runs API and worker in one process, `waftd api` and `waftd worker` run one of them. Give all processes the same settings,\n" +
		"except their addresses and data folders; a process ignores what it does not use. The command line has\n" +
		"[variables of its own](cli.md#environment-variables).\n")
	left := map[string]bool{}
	for _, v := range Variables() {
		left[v.Name] = true
	}
	for _, section := range sections {
		fmt.Fprintf(&b, "\n## %s\n", section.title)
		if section.about != "" {
			fmt.Fprintf(&b, "\n%s\n", section.about)
		}
		for _, v := range Variables() {
			if !begins(v.Name, section.settings) {
				continue
			}
			require.True(t, left[v.Name], "%s is in two sections", v.Name)
			delete(left, v.Name)
			fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n%s\n", v.Name, described(t, v), facts(v))
		}
	}
	require.Empty(t, left, "settings without a section")
	return b.String()
}

// facts returns the default of a setting, and which processes use it.
func facts(v Variable) string {
	all := "Default: none."
	switch {
	case v.Required:
		all = "Required."
	case v.Default != "":
		all = "Default: `" + v.Default + "`" + inUnits(v) + "."
	}
	if v.Secret {
		all += " Secret."
	}
	switch {
	case begins(v.Name, ofAPI):
		return all + " Used by the API."
	case begins(v.Name, ofWorker):
		return all + " Used by the worker."
	case slices.Contains(needsOfMigration, v.Name), begins(v.Name, []string{"TEMPORAL_", "WAFT_CLICKHOUSE_CLUSTER"}):
		return all + " Used by API, worker and `waftd migrate`."
	default:
		return all + " Used by API and worker."
	}
}

// inUnits returns the default of a size in the largest unit that divides it.
func inUnits(v Variable) string {
	bytes, err := strconv.ParseInt(v.Default, 10, 64)
	if err != nil || !strings.HasSuffix(v.Name, "_BYTES") {
		return ""
	}
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if bytes%unit.size == 0 {
			return fmt.Sprintf(" (%d %s)", bytes/unit.size, unit.name)
		}
	}
	return ""
}

var (
	pageReference = regexp.MustCompile(`[;.] (docs/[a-z/-]+\.md)$`)
	settingName   = regexp.MustCompile(`\b(WAFT|TEMPORAL|OTEL)_[A-Z_]*[A-Z]\b|\bOTEL_`)
)

// described returns the description of a setting as sentences, with a link to the page that it names.
func described(t *testing.T, v Variable) string {
	t.Helper()
	text, link := v.Doc, ""
	if named := pageReference.FindStringSubmatch(v.Doc); named != nil {
		text = strings.TrimSuffix(v.Doc, named[0])
		require.FileExists(t, filepath.Join("../..", named[1]), v.Name)
		address, err := filepath.Rel("docs/reference", named[1])
		require.NoError(t, err)
		link = fmt.Sprintf(" See [%s](%s).", filepath.Base(address), address)
	}
	require.NotContains(t, text, "docs/", v.Name)
	text = settingName.ReplaceAllString(strings.ReplaceAll(text, "<", "&lt;"), "`$0`")
	return strings.ToUpper(text[:1]) + text[1:] + "." + link
}
