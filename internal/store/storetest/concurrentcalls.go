package storetest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// RequireOneOfMany makes eight calls at the same time. It checks that one succeeds and that the others fail with one of
// the codes.
func RequireOneOfMany(t *testing.T, call func(i int) error, codes ...models.ErrorCode) {
	t.Helper()
	errs := make([]error, 8)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { errs[i] = call(i) })
	}
	group.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
			continue
		}
		require.Contains(t, codes, models.CodeOf(err), "%v", err)
	}
	require.Equal(t, 1, made)
}
