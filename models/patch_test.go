package models_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

func base(name, md5 string, onBranch bool) models.PatchBase {
	return models.PatchBase{UpdateUUID: uuid.NewSHA1(uuid.Nil, []byte(name)), MD5: md5, OnBranch: onBranch}
}

func running(names ...string) map[uuid.UUID]bool {
	set := map[uuid.UUID]bool{}
	for _, name := range names {
		set[base(name, "", false).UpdateUUID] = true
	}
	return set
}

func TestPlanPatches(t *testing.T) {
	t.Parallel()
	candidates := models.PatchCandidates{
		TargetMD5: "t",
		Embedded:  []models.PatchBase{base("e2", "e2", false), base("e1", "e1", false), base("e0", "e0", false)},
		Releases: []models.PatchBase{
			base("same", "t", true), base("r5", "r5", true), base("r4", "r4", true), base("r4 again", "r4", true),
			base("elsewhere", "x", false), base("r3", "r3", true), base("off", "off", false), base("r2", "r2", true),
		},
	}
	for _, c := range []struct {
		name    string
		running map[uuid.UUID]bool
		limit   int
		wanted  []string
	}{
		{"telemetry knows nothing: the branch's newest", nil, 2, []string{"e2", "e1", "r5", "r4"}},
		{"what devices run comes first, wherever it was published", running("off", "elsewhere", "r2"), 3, []string{"e2", "e1", "e0", "x", "off", "r2"}},
		{"what they run, filled up", running("off"), 2, []string{"e2", "e1", "off", "r5"}},
		{"the same bundle is no base", running("same"), 1, []string{"e2", "r5"}},
		{"a bundle is a base once", running("r4", "r4 again", "r3"), 3, []string{"e2", "e1", "e0", "r4", "r3", "r5"}},
		{"none wanted", running("r3"), 0, []string{}},
		{"all there are", nil, 99, []string{"e2", "e1", "e0", "r5", "r4", "r3", "r2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			md5s := []string{}
			for _, b := range models.PlanPatches(candidates, c.running, c.limit) {
				md5s = append(md5s, b.MD5)
			}
			require.Equal(t, c.wanted, md5s)
		})
	}
}

func TestPlanPatchesIsBoundedAndNeverTheTargetItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) models.PatchBase {
			return base(rapid.StringN(1, 2, -1).Draw(t, "name"), rapid.SampledFrom([]string{"a", "b", "c", "t"}).Draw(t, "md5"), rapid.Bool().Draw(t, "onBranch"))
		})
		c := models.PatchCandidates{
			TargetMD5: "t", Embedded: rapid.SliceOfN(one, 0, 9).Draw(t, "embedded"), Releases: rapid.SliceOfN(one, 0, 9).Draw(t, "releases"),
		}
		limit := rapid.IntRange(0, 4).Draw(t, "limit")
		plan := models.PlanPatches(c, running(rapid.SliceOf(rapid.StringN(1, 2, -1)).Draw(t, "running")...), limit)
		require.LessOrEqual(t, len(plan), 2*limit)
		seen := map[string]bool{"t": true}
		for _, b := range plan {
			require.False(t, seen[b.MD5])
			seen[b.MD5] = true
		}
	})
}

func TestAPatchIsOfferedWhenItIsWorthIt(t *testing.T) {
	t.Parallel()
	j := models.PatchJob{CompressedBytes: 1000}
	require.Empty(t, j.TooLarge(700))
	require.Contains(t, j.TooLarge(701), "701 bytes, more than 70% of the 1000")
	require.NotEmpty(t, models.PatchJob{}.TooLarge(1), "an empty bundle needs no patch")
}
