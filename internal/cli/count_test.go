package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// oneOfMany matches the number 1 with a plural noun, such as "1 devices" or "0 of 1 approvals".
var oneOfMany = regexp.MustCompile(`(?m)(?:^|[^\d.,])1 (?:[a-z]+ )?(?:approvals|channels|crashes|days|devices|downloads|` +
	`errors|evaluations|events|files|frames|incidents|launches|networks|releases|reports|requests|rollouts|rules|updates|votes)\b`)

func TestOutputCountsOneInTheSingular(t *testing.T) {
	t.Parallel()
	require.Regexp(t, oneOfMany, "0 of 1 approvals")
	require.NotRegexp(t, oneOfMany, "21 devices, 1 device, 0.1 devices")
	files, err := filepath.Glob("testdata/golden/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotRegexp(t, oneOfMany, string(text), file)
	}
}
