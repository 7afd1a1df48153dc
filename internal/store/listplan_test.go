package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// list returns the IDs on one page of a project's list.
type list func(ctx context.Context, s *store.Store, projectID int64, page models.Page) ([]int64, error)

// lists maps the name of a method, with a filter after a colon, to a list. It contains all lists of the store. A filter
// that finds one old record, or none, must not read past all other records.
var lists = map[string]list{
	"ListProjects": func(ctx context.Context, s *store.Store, _ int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListProjects(ctx, p))(func(p models.Project) int64 { return p.ID })
	},
	"ListUserProjects": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListUserProjects(ctx, -id, p))(func(p models.Project) int64 { return p.ID })
	},
	"ListMembers": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListMembers(ctx, id, p))(func(m models.Member) int64 { return m.ID })
	},
	"ListInvitations": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListInvitations(ctx, id, p))(func(i models.Invitation) int64 { return i.ID })
	},
	"ListAPIKeys": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListAPIKeys(ctx, id, models.APIKeyFilter{}, p))(func(k models.APIKey) int64 { return k.ID })
	},
	"ListAPIKeys: short-lived": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListAPIKeys(ctx, id, models.APIKeyFilter{ShortLived: true}, p))(func(k models.APIKey) int64 { return k.ID })
	},
	"ListBranches": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListBranches(ctx, id, p))(func(b models.Branch) int64 { return b.ID })
	},
	"ListChannels": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListChannels(ctx, id, p))(func(c models.Channel) int64 { return c.ID })
	},
	"ListBuilds": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListBuilds(ctx, id, models.BuildFilter{}, p))(func(b models.Build) int64 { return b.ID })
	},
	"ListPolicies": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListPolicies(ctx, id, p))(func(p models.RolloutPolicy) int64 { return p.ID })
	},
	"ListSegments": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListSegments(ctx, id, p))(func(g models.Segment) int64 { return g.ID })
	},
	"ListUserOverrides": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListUserOverrides(ctx, id, p))(func(o models.UserOverride) int64 { return o.ID })
	},
	"ListWebhooks": func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListWebhooks(ctx, id, p))(func(w models.Webhook) int64 { return w.ID })
	},
	"ListApprovals":                           approvals(""),
	"ListApprovals: status of most":           approvals(models.ApprovalRejected),
	"ListApprovals: status of one":            approvals(models.ApprovalPending),
	"ListApprovals: status of none":           approvals(models.ApprovalStale),
	"ListIncidents":                           incidents(""),
	"ListIncidents: the one that is open":     incidents(models.IncidentOpen),
	"ListIncidents: most, which are resolved": incidents(models.IncidentResolved),
	"ListIncidents: the one that is closed":   incidents(models.IncidentClosed),
	"ListExecutions":                          executions(models.ExecutionFilter{}),
	"ListExecutions: status of most":          executions(models.ExecutionFilter{Status: models.ExecutionCompleted}),
	"ListExecutions: status of none":          executions(models.ExecutionFilter{Status: models.ExecutionPaused}),
	"ListExecutions: channel of most":         executions(models.ExecutionFilter{Channel: "production"}),
	"ListExecutions: channel of one":          executions(models.ExecutionFilter{Channel: "rare"}),
	"ListExecutions: release of none":         executions(models.ExecutionFilter{UpdateID: 1}),
	"ListExecutions: policy of none":          executions(models.ExecutionFilter{PolicyID: 1}),
	"ListExecutions: rare and common":         executions(models.ExecutionFilter{Status: models.ExecutionCompleted, Channel: "rare"}),
	"ListFlags":                               flags(models.FlagFilter{}),
	"ListFlags: word of one":                  searched(flags(models.FlagFilter{}), "flag-147"),
	"ListFlags: word of none":                 searched(flags(models.FlagFilter{}), "nothing"),
	"ListFlags: some keys":                    flags(models.FlagFilter{Keys: &[]string{"flag-3", "flag-4", "none"}}),
	"ListFlags: all but some keys":            flags(models.FlagFilter{Stale: allBut("flag-3")}),
	"ListFlagSchedules":                       schedules(""),
	"ListFlagSchedules: status of most":       schedules(models.ScheduleCancelled),
	"ListWebhookDeliveries":                   deliveries(models.DeliveryFilter{}),
	"ListWebhookDeliveries: status of most":   deliveries(models.DeliveryFilter{Status: models.DeliveryDelivered}),
	"ListWebhookDeliveries: status of one":    deliveries(models.DeliveryFilter{Status: models.DeliveryFailed}),
	"ListWebhookDeliveries: status of none":   deliveries(models.DeliveryFilter{Status: models.DeliveryCancelled}),
	"ListWebhookDeliveries: event of most":    deliveries(models.DeliveryFilter{Event: "build.uploaded"}),
	"ListWebhookDeliveries: event of one":     deliveries(models.DeliveryFilter{Event: "rare"}),
	"ListContexts":                            contexts(models.ContextFilter{}),
	"ListContexts: kind of most":              contexts(models.ContextFilter{Kind: "user"}),
	"ListContexts: kind of one":               contexts(models.ContextFilter{Kind: "service"}),
	"ListContexts: kind of none":              contexts(models.ContextFilter{Kind: "device"}),
	"ListAudit":                               audit(models.AuditFilter{}),
	"ListAudit: action of most":               audit(models.AuditFilter{Action: "update.patched"}),
	"ListAudit: action of one":                audit(models.AuditFilter{Action: "rare.action"}),
	"ListAudit: action of none":               audit(models.AuditFilter{Action: "none"}),
	"ListAudit: type of most":                 audit(models.AuditFilter{EntityType: "update"}),
	"ListAudit: type of one":                  audit(models.AuditFilter{EntityType: "rare"}),
	"ListAudit: record of a tenth":            audit(models.AuditFilter{EntityID: "5"}),
	"ListAudit: record of one":                audit(models.AuditFilter{EntityID: "rare"}),
	"ListAudit: one record with a type":       audit(models.AuditFilter{EntityType: "rare", EntityID: "rare"}),
	"ListAudit: actor of most":                audit(models.AuditFilter{Actor: "rollout"}),
	"ListAudit: actor of one":                 audit(models.AuditFilter{Actor: "rare"}),
	"ListAudit: actor of none":                audit(models.AuditFilter{Actor: "none"}),
	"ListAudit: a time in the middle":         auditBetween(0.4, 0.6, models.AuditFilter{}),
	"ListAudit: a time long ago":              auditBetween(0, 0.1, models.AuditFilter{}),
	"ListAudit: a time with an action":        auditBetween(0.4, 0.6, models.AuditFilter{Action: "update.patched"}),
	"ListAudit: a time with an actor":         auditBetween(0.4, 0.6, models.AuditFilter{Actor: "rollout"}),
	"ListReleases: word of one":               searched(releases(models.ReleaseFilter{}), "release 147th"),
	"ListReleases: word of none":              searched(releases(models.ReleaseFilter{}), "nothing"),
	"ListReleases: no word":                   searched(releases(models.ReleaseFilter{}), "!"),
	"ListReleases":                            releases(models.ReleaseFilter{}),
	"ListReleases: channel of most":           releases(models.ReleaseFilter{Channel: "production"}),
	"ListReleases: channel of one":            releases(models.ReleaseFilter{Channel: "rare"}),
	"ListReleases: channel of none":           releases(models.ReleaseFilter{Channel: "none"}),
	"ListReleases: branch of most":            releases(models.ReleaseFilter{Branch: "production"}),
	"ListReleases: branch of one":             releases(models.ReleaseFilter{Branch: "staging"}),
	"ListReleases: branch of none":            releases(models.ReleaseFilter{Branch: "none"}),
	"ListReleases: platform of most":          releases(models.ReleaseFilter{Platform: models.IOS}),
	"ListReleases: platform of one":           releases(models.ReleaseFilter{Platform: models.Android}),
	"ListReleases: runtime version of most":   releases(models.ReleaseFilter{RuntimeVersion: "1.0.0"}),
	"ListReleases: runtime version of one":    releases(models.ReleaseFilter{RuntimeVersion: "rare"}),
	"ListReleases: group of none":             releases(models.ReleaseFilter{GroupID: new(uuid.MustParse("00000000-0000-4000-8000-000000000002"))}),
	"ListReleases: enabled, most":             releases(models.ReleaseFilter{IsEnabled: new(true)}),
	"ListReleases: disabled, one":             releases(models.ReleaseFilter{IsEnabled: new(false)}),
	"ListReleases: rare and common together":  releases(models.ReleaseFilter{Channel: "rare", Platform: models.Android, IsEnabled: new(false)}),
	"ListReleases: flag of most":              releasesOfFlag("flag-150", "flag-7000"),
	"ListReleases: flag of none":              releasesOfFlag("flag-1"),
	"ListReleases: common ones of one branch": releases(models.ReleaseFilter{Channel: "production", Branch: "production", RuntimeVersion: "1.0.0", Platform: models.IOS}),
}

// searched returns a list with a search.
func searched(l list, text string) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		p.Search = text
		return l(ctx, s, id, p)
	}
}

// sorted returns a list with a sort. Only its first page is compared.
func sorted(l list, field string) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		p.Sort = field
		return l(ctx, s, id, p)
	}
}

// sortedLists returns the orders that have an index.
func sortedLists() map[string]list {
	all := map[string]list{}
	for method, fields := range map[string][]string{
		"ListBranches": {"name", "createdAt"}, "ListChannels": {"name", "createdAt"}, "ListSegments": {"name", "createdAt"},
		"ListPolicies": {"name", "createdAt"}, "ListFlags": {"key", "name", "createdAt", "updatedAt"}, "ListReleases": {"createdAt"},
		"ListExecutions": {"startedAt"},
	} {
		for _, field := range fields {
			all[method+": sorted by "+field] = sorted(lists[method], field)
			all[method+": sorted by -"+field] = sorted(lists[method], "-"+field)
		}
	}
	return all
}

func releases(f models.ReleaseFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListReleases(ctx, id, f, p))(func(r models.Release) int64 { return r.ID })
	}
}

// releasesOfFlag returns a list of the releases that link the flag with one of the keys that the project has.
func releasesOfFlag(keys ...string) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		found, err := s.ListFlags(ctx, id, models.FlagFilter{Keys: &keys}, models.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		return releases(models.ReleaseFilter{FlagID: found[0].ID})(ctx, s, id, p)
	}
}

func approvals(status models.ApprovalStatus) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListApprovals(ctx, id, status, p))(func(a models.Approval) int64 { return a.ID })
	}
}

func executions(f models.ExecutionFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListExecutions(ctx, id, f, p))(func(e models.RolloutExecution) int64 { return e.ID })
	}
}

// allBut returns a filter for all flags except the given ones.
func allBut(keys ...string) *models.StaleFlags {
	return &models.StaleFlags{MadeBefore: time.Now().Add(time.Hour), InUse: keys}
}

func flags(f models.FlagFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListFlags(ctx, id, f, p))(func(f models.Flag) int64 { return f.ID })
	}
}

// schedules returns a list of the scheduled changes of the project's newest flag.
func schedules(status models.FlagScheduleStatus) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		newest, err := s.ListFlags(ctx, id, models.FlagFilter{}, models.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		return idsOf(s.ListFlagSchedules(ctx, id, newest[0].ID, status, p))(func(f models.FlagSchedule) int64 { return f.ID })
	}
}

// deliveries returns a list of the deliveries of the project's newest webhook.
func deliveries(f models.DeliveryFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		newest, err := s.ListWebhooks(ctx, id, models.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		return idsOf(s.ListWebhookDeliveries(ctx, id, newest[0].ID, f, p))(func(d models.WebhookDelivery) int64 { return d.ID })
	}
}

// auditBetween returns a list of the audit entries from a part of the seeded time span. from and to are fractions of
// the span.
func auditBetween(from, to float64, f models.AuditFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		at := func(share float64) *time.Time {
			return new(storetest.SeedTime.Add(time.Duration(share * float64(storetest.SeedSpan))))
		}
		f.From, f.To = at(from), at(to)
		return audit(f)(ctx, s, id, p)
	}
}

func contexts(f models.ContextFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListContexts(ctx, id, f, p))(func(c models.EvaluationContext) int64 { return c.ID })
	}
}

func incidents(status models.IncidentStatus) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListIncidents(ctx, id, status, p))(func(i models.Incident) int64 { return i.ID })
	}
}

func audit(f models.AuditFilter) list {
	return func(ctx context.Context, s *store.Store, id int64, p models.Page) ([]int64, error) {
		return idsOf(s.ListAudit(ctx, id, f, p))(func(e models.AuditEntry) int64 { return e.ID })
	}
}

// idsOf returns a function that maps the rows of a list to their IDs.
func idsOf[T any](rows []T, err error) func(id func(T) int64) ([]int64, error) {
	return func(id func(T) int64) ([]int64, error) {
		out := make([]int64, len(rows))
		for i, r := range rows {
			out[i] = id(r)
		}
		return out, err
	}
}

// Every method that takes a page must be in lists.
func TestEveryListIsPlanned(t *testing.T) {
	t.Parallel()
	methods := reflect.TypeFor[*store.Store]()
	page := reflect.TypeFor[models.Page]()
	for i := range methods.NumMethod() {
		m := methods.Method(i)
		takesPage := false
		for j := range m.Type.NumIn() {
			takesPage = takesPage || m.Type.In(j) == page
		}
		if takesPage {
			require.Contains(t, lists, m.Name, "a list without a row in lists: add one, and its records to seeds")
		}
	}
}

// TestListsCostTheSameInALargeProject lists projects with 150 and with 7,000 records of each kind, and asks Postgres
// how it ran the queries. Postgres may not read a whole table, and may not read more rows or pages for the large
// project than for the small one. With -short the two projects are only among others, not alone.
func TestListsCostTheSameInALargeProject(t *testing.T) {
	t.Parallel()
	for name, seed := range map[string]func(t *testing.T) (small, large seededProject){
		"among others": seededAmongOthers,
		"alone":        seededAlone,
	} {
		if name == "alone" && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			small, large := seed(t)
			for name, l := range sortedLists() {
				t.Run(name, func(t *testing.T) {
					few, _ := small.cost(t, l, models.Page{})
					many, _ := large.cost(t, l, models.Page{})
					requireSameCost(t, few, many)
				})
			}
			for _, name := range sortedKeys(lists) {
				t.Run(name, func(t *testing.T) { requireSameCosts(t, name, lists[name], small, large) })
			}
		})
	}
}

func requireSameCosts(t *testing.T, name string, l list, small, large seededProject) {
	t.Helper()
	few, first := small.cost(t, l, models.Page{})
	many, newest := large.cost(t, l, models.Page{})
	requireSameCost(t, few, many)
	if !strings.Contains(name, ":") {
		require.Len(t, first, 100, "the small project fills a page, too")
	}
	if len(newest) < 100 {
		return
	}
	whole, err := l(t.Context(), large.store, large.id, models.Page{Limit: 5 * largeProject})
	require.NoError(t, err)
	middle, page := large.cost(t, l, models.Page{Before: whole[len(whole)/2]})
	require.Equal(t, whole[len(whole)/2+1:][:100], page)
	requireSameCost(t, few, middle)
	end, page := large.cost(t, l, models.Page{Before: whole[len(whole)-2]})
	require.Equal(t, whole[len(whole)-1:], page)
	requireSameCost(t, few, end)
}

// cost returns the cost of a page of a list, and the IDs on it.
func (p seededProject) cost(t *testing.T, l list, page models.Page) (total cost, found []int64) {
	t.Helper()
	p.seen.take()
	found, err := l(t.Context(), p.store, p.id, page)
	require.NoError(t, err)
	for _, q := range p.seen.take() {
		total = total.plus(explain(t, p.conn, q))
	}
	return total, found
}

// cost is the work that Postgres did for some queries.
type cost struct {
	rows    float64 // read from tables and indexes, including rows that were then discarded
	buffers float64 // pages of 8 KiB touched
	scans   []string
}

func (c cost) plus(other cost) cost {
	return cost{c.rows + other.rows, c.buffers + other.buffers, append(c.scans, other.scans...)}
}

// requireSameCost compares two costs. It allows for indexes that are one level deeper, and for the rows of the large
// project being spread over more pages.
func requireSameCost(t *testing.T, few, many cost) {
	t.Helper()
	plan := strings.Join(many.scans, "\n")
	require.NotContains(t, plan, "Seq Scan", "a whole table is read")
	require.LessOrEqual(t, many.rows, 2*few.rows+200, "rows read, small against large project\nsmall:\n%s\nlarge:\n%s", strings.Join(few.scans, "\n"), plan)
	require.LessOrEqual(t, many.buffers, 3*few.buffers+100, "pages read, small against large project\nsmall:\n%s\nlarge:\n%s", strings.Join(few.scans, "\n"), plan)
}

// explain runs a query and returns its cost.
func explain(t *testing.T, conn *pgx.Conn, q pgx.TraceQueryStartData) cost {
	t.Helper()
	args := slices.DeleteFunc(slices.Clone(q.Args), func(arg any) bool {
		_, byOID := arg.(pgx.QueryResultFormatsByOID)
		return byOID // an option of database/sql's driver, not an argument
	})
	var raw []byte
	err := conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+q.SQL, args...).Scan(&raw)
	require.NoError(t, err, q.SQL)
	var plans []struct{ Plan planNode }
	require.NoError(t, json.Unmarshal(raw, &plans))
	require.Len(t, plans, 1)
	root := plans[0].Plan
	c := cost{buffers: root.Hit + root.Read}
	root.walk(&c)
	return c
}

// planNode contains the fields of a plan's node that the test needs.
type planNode struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Recheck  float64 `json:"Rows Removed by Index Recheck"`
	Hit      float64 `json:"Shared Hit Blocks"`
	Read     float64 `json:"Shared Read Blocks"`
	Plans    []planNode
}

func (n planNode) walk(c *cost) {
	if n.Relation != "" || n.Index != "" {
		rows := (n.Rows + n.Removed + n.Recheck) * n.Loops
		c.rows += rows
		c.scans = append(c.scans, fmt.Sprintf("%s on %s %s: %v rows", n.Type, n.Relation, n.Index, rows))
	}
	for _, child := range n.Plans {
		child.walk(c)
	}
}

// recorder stores the SELECT statements of a store.
type recorder struct {
	mu      sync.Mutex
	queries []pgx.TraceQueryStartData
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if statement := strings.ToUpper(strings.TrimSpace(data.SQL)); strings.HasPrefix(statement, "SELECT") || strings.HasPrefix(statement, "WITH") {
		r.mu.Lock()
		r.queries = append(r.queries, data)
		r.mu.Unlock()
	}
	return ctx
}

func (*recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) take() []pgx.TraceQueryStartData {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.queries
	r.queries = nil
	return taken
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
