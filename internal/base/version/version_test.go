package version

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDevelopmentVersionNamesTheCommit(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "ef58afb0123456789abcdef0123456789abcdef0"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for want, settings := range map[string][]debug.BuildSetting{
		"-dev":                       {modified},
		"-dev+ef58afb01234":          {revision, clean},
		"-dev+ef58afb01234.modified": {modified, revision},
		"-dev+short":                 {{Key: "vcs.revision", Value: "short"}},
	} {
		require.Equal(t, Number+want, development(settings))
	}
}

func TestStringIsOfAReleaseWhereTheLinkerSaysSo(t *testing.T) {
	require.True(t, strings.HasPrefix(String(), Number+"-dev"), String())
	released = "1.2.3"
	t.Cleanup(func() { released = "" })
	require.Equal(t, "1.2.3", String())
}
