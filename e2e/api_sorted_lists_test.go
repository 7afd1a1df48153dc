package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// TestEveryListIsSortedAndCounted walks every list in the order of every field that it can be sorted by, in both
// directions. The records are made together, so that most of their values are equal. Each record must appear once. With -short it walks
// every third list.
func TestEveryListIsSortedAndCounted(t *testing.T) {
	t.Parallel()
	p := startStill(t)
	p.seed(250)
	found := 0
	for _, r := range allRoutes(t) {
		if r.method != http.MethodGet || !pages(r.operation) {
			continue
		}
		if found++; found%enginetest.Sized(1, 3) != 0 {
			continue
		}
		t.Run(r.path, func(t *testing.T) {
			t.Parallel()
			p := *p
			p.t = t
			p.sortsAndCounts(r)
		})
	}
}

// startStill starts a server whose project is not served to devices.
func startStill(t *testing.T) *tenant {
	t.Helper()
	env := settings(t)
	return installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
}

func (p *tenant) sortsAndCounts(r route) {
	p.t.Helper()
	list := request{method: r.method, path: r.path, key: p.keys[models.Role(r.access)]}
	if r.access == "root" || r.personal() {
		list.key, list.project = p.rootKey, "-"
	}
	if of := lists[r.path][0].of; of != "" {
		var id int64
		require.NoError(p.t, p.postgres().QueryRow(p.t.Context(), of, p.id).Scan(&id))
		list.path = strings.Replace(r.path, "{id}", strconv.FormatInt(id, 10), 1)
	}
	path := list.path
	newestFirst, _ := p.walked(list, path+"?count=true")
	for _, field := range p.sortFields(list) {
		descending, values := p.walked(list, path+"?count=true&sort=-"+field)
		require.ElementsMatch(p.t, newestFirst, descending, field)
		ascending, _ := p.walked(list, path+"?sort="+field)
		slices.Reverse(ascending)
		require.Equal(p.t, descending, ascending, field)
		requireDescending(p.t, field, values)
	}

	list.path = path + "?sort=-createdAt&cursor=eyJvIjoibmFtZSIsInYiOiJ4IiwiaSI6MX0" // the order of this cursor is name
	require.NotEmpty(p.t, fields(p.do(list).problem(http.StatusBadRequest, models.CodeInvalid)))
	list.path = path + "?cursor=x"
	require.Equal(p.t, []string{"cursor"}, fields(p.do(list).problem(http.StatusBadRequest, models.CodeInvalid)))
}

// sortFields returns the fields that the refusal of an unknown one names.
func (p *tenant) sortFields(list request) []string {
	p.t.Helper()
	list.path += "?sort=nothing"
	problem := p.do(list).problem(http.StatusBadRequest, models.CodeInvalid)
	message := problem["errors"].([]any)[0].(map[string]any)["message"].(string)
	names, ok := strings.CutPrefix(message, "must be one of ")
	require.True(p.t, ok, message)
	names, _, _ = strings.Cut(names, ", with a leading")
	return strings.Split(names, ", ")
}

// walked follows the links of a list. It returns the IDs of the records and, for a sorted list, their values.
func (p *tenant) walked(list request, path string) (ids []int64, values []any) {
	p.t.Helper()
	_, sort, _ := strings.Cut(path, "sort=-")
	total := ""
	for list.path = path + "&limit=100"; list.path != ""; {
		answer := p.doBy(unchecked, list)
		for _, record := range answer.list() {
			ids = append(ids, record.id("id"))
			values = append(values, record[sort])
		}
		total = answer.header.Get("X-Total-Count")
		list.path = nextPage(p.t, answer)
		require.LessOrEqual(p.t, len(ids), 5_000, "the list does not end")
	}
	if strings.Contains(path, "count=true") {
		require.Equal(p.t, strconv.Itoa(len(ids)), total)
	}
	return ids, values
}

// requireDescending checks the order of times and numbers. The order of strings depends on the database's collation.
func requireDescending(t *testing.T, field string, values []any) {
	t.Helper()
	for i := 1; i < len(values); i++ {
		switch before := values[i-1].(type) {
		case float64:
			if after, ok := values[i].(float64); ok {
				require.GreaterOrEqual(t, before, after, field)
			}
		case string:
			if after, ok := values[i].(string); ok && strings.HasSuffix(field, "At") {
				require.GreaterOrEqual(t, before, after, field)
			}
		}
	}
}

func TestSearchesFindVersionsAndIDsOnlyWhole(t *testing.T) {
	t.Parallel()
	p := startStill(t)
	p.seed(120)
	conn := p.postgres()
	messages := []string{"2.4.0", "2.4.0 for everyone", "Hotfix 2.4.0", "2.4.1", "12.4.0", "2.40.0", "Checkout v2.4.0", "The checkout", "Checkout"}
	rows, err := conn.Query(t.Context(), "SELECT id FROM releases WHERE project_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2", p.id, len(messages))
	require.NoError(t, err)
	var ids []int64
	for rows.Next() {
		var id int64
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	for i, message := range messages {
		_, err := conn.Exec(t.Context(), `UPDATE releases SET release_message = $2, update_uuid = ('9999990' || $3 || '-0000-4000-8000-000000000000')::uuid,
			git_commit_hash = repeat($3, 40) WHERE id = $1`, ids[i], message, strconv.Itoa(i))
		require.NoError(t, err)
	}
	found := func(query string) (names []string) {
		for _, r := range p.do(request{path: "/v1/ota/updates?" + query}).list() {
			names = append(names, r["releaseMessage"].(string))
		}
		return names
	}
	for query, want := range map[string][]string{
		"search=2.4.0":                       {"2.4.0", "2.4.0 for everyone", "Checkout v2.4.0", "Hotfix 2.4.0"},
		"search=v2.4":                        {"Checkout v2.4.0", "2.4.1", "Hotfix 2.4.0", "2.4.0 for everyone", "2.4.0"},
		"search=9.9.9":                       nil,
		"search=checkout":                    {"Checkout", "Checkout v2.4.0", "The checkout"},
		"search=checkout&sort=createdAt":     {"Checkout v2.4.0", "The checkout", "Checkout"},
		"search=checkout&isEnabled=false":    nil,
		"search=2.4.0+hotfix":                {"Hotfix 2.4.0"},
		"search=9999990":                     nil,
		"search=99999903":                    {"2.4.1"},
		"search=99999903-0000":               {"2.4.1"},
		"search=777777":                      nil,
		"search=7777777":                     {"The checkout"},
		fmt.Sprintf("search=%%23%d", ids[4]): {"12.4.0"},
		fmt.Sprintf("search=%d", ids[4]):     nil,
		"search=%21":                         nil,
	} {
		require.Equal(t, want, found(query), query)
	}
	first := p.do(request{path: "/v1/ota/updates?search=2.4.0&limit=3&count=true"})
	require.Equal(t, "4", first.header.Get("X-Total-Count"))
	require.Len(t, p.do(request{path: nextPage(t, first)}).list(), 1)

	for _, list := range []string{"branches", "channels", "flags"} {
		for _, name := range []string{"rel-12.4.0", "rel-2.4.1", "rel-2.4.0", "2.4.0"} {
			body := object{"name": name}
			switch list {
			case "channels":
				body["branchName"] = "production"
			case "flags":
				body = object{"key": name, "name": "A flag", "flagType": "boolean", "defaultValue": false}
			}
			p.do(request{method: http.MethodPost, path: "/v1/ota/" + list, body: body}).record(http.StatusCreated)
		}
		name := map[string]string{"flags": "key"}[list]
		if name == "" {
			name = "name"
		}
		var names []string
		for _, r := range p.do(request{path: "/v1/ota/" + list + "?search=2.4.0"}).list() {
			names = append(names, r[name].(string))
		}
		require.Equal(t, []string{"2.4.0", "rel-2.4.0"}, names, list)
	}
}
