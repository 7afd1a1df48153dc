package projectstore_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func claim(report, node uuid.UUID, entry int64) models.ReportClaim {
	return models.ReportClaim{ReportID: report, Node: node, Entry: entry}
}

func TestTheFirstClaimHasTheReport(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	a, b, c := uuid.New(), uuid.New(), uuid.New()
	here, there := uuid.New(), uuid.New()
	claims := func(want []bool, claims ...models.ReportClaim) {
		t.Helper()
		// A repeated call, as after a lost response, returns the same.
		for range 2 {
			got, err := f.ClaimReports(t.Context(), claims)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	claims([]bool{true, true}, claim(a, here, 1), claim(b, here, 2))
	claims([]bool{false, true, false}, claim(b, there, 1), claim(c, there, 2), claim(a, here, 3))
	claims([]bool{false, true}, claim(c, here, 1), claim(c, there, 2))

	twice := uuid.New()
	claims([]bool{false, true}, claim(twice, here, 9), claim(twice, here, 8))
	claims(nil)
}

func TestClaimsOfYesterdayAreForgotten(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	report, node := uuid.New(), uuid.New()
	_, err := f.ClaimReports(t.Context(), []models.ReportClaim{claim(report, node, 1)})
	require.NoError(t, err)
	f.MustExec("UPDATE report_claims SET claimed_at = now() - interval '24 hours'")
	granted, err := f.ClaimReports(t.Context(), []models.ReportClaim{claim(report, node, 2)})
	require.NoError(t, err)
	require.Equal(t, []bool{false}, granted)
	f.MustExec("UPDATE report_claims SET claimed_at = now() - interval '26 hours'")
	granted, err = f.ClaimReports(t.Context(), []models.ReportClaim{claim(report, node, 3)})
	require.NoError(t, err)
	require.Equal(t, []bool{true}, granted)
}

func TestOnlyOneOfManyNodesGetsAReport(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	const nodes, reports = 6, 300
	ids := make([]uuid.UUID, reports)
	for i := range ids {
		ids[i] = uuid.New()
	}
	var mu sync.Mutex
	owners := map[uuid.UUID]int{}
	var claiming sync.WaitGroup
	for range nodes {
		claiming.Go(func() {
			node := uuid.New()
			rng := rand.New(rand.NewPCG(1, uint64(node[0])))
			claims := make([]models.ReportClaim, reports)
			for i, k := range rng.Perm(reports) {
				claims[i] = claim(ids[k], node, int64(i))
			}
			for _, part := range [][]models.ReportClaim{claims[:100], claims[100:200], claims[200:]} {
				granted, err := f.ClaimReports(t.Context(), part)
				require.NoError(t, err)
				mu.Lock()
				for i, mine := range granted {
					if mine {
						owners[part[i].ReportID]++
					}
				}
				mu.Unlock()
			}
		})
	}
	claiming.Wait()
	require.Len(t, owners, reports)
	for id, n := range owners {
		require.Equal(t, 1, n, "report %s", id)
	}
}

// BenchmarkClaimReports claims as many reports as one full range of the ingest log contains.
func BenchmarkClaimReports(b *testing.B) {
	f := storetest.Setup(b)
	node := uuid.New()
	claims := make([]models.ReportClaim, 5000)
	entry := int64(0)
	for b.Loop() {
		for i := range claims {
			entry++
			claims[i] = claim(uuid.New(), node, entry)
		}
		granted, err := f.ClaimReports(b.Context(), claims)
		require.NoError(b, err)
		require.Len(b, granted, len(claims))
	}
	b.ReportMetric(float64(entry)/b.Elapsed().Seconds(), "claims/s")
}
