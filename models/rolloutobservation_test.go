package models_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestThinnedObservationsKeepTheStages(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var all []models.RolloutObservation
		stages := 1 + rng.IntN(6)
		for stage := range stages {
			for range 1 + rng.IntN(300) {
				all = append(all, models.RolloutObservation{At: time.Unix(int64(len(all)), 0), StageIndex: stage})
			}
		}
		slices.Reverse(all)
		limit := 1 + rng.IntN(120)
		thin := models.ThinObservations(slices.Clone(all), limit)
		require.Len(t, thin, min(limit, len(all)))
		require.Equal(t, all[0], thin[0], "the newest")
		require.True(t, slices.IsSortedFunc(thin, func(a, b models.RolloutObservation) int { return b.At.Compare(a.At) }))
		if limit <= stages {
			continue
		}
		for i, o := range all {
			if i+1 == len(all) || all[i+1].StageIndex != o.StageIndex {
				require.Contains(t, thin, o, fmt.Sprintf("the first of stage %d", o.StageIndex))
			}
		}
	}
}
