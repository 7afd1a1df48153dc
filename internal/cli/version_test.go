package cli

import (
	"testing"

	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/version"
)

func TestVersionAsksNoServer(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	out, err := a.Run(t, NewCommand(), "version")
	require.NoError(t, err)
	require.Equal(t, "waft "+version.String()+"\n", out)
	out, err = a.Run(t, NewCommand(), "version", "--json")
	require.NoError(t, err)
	require.JSONEq(t, `{"version":"`+version.String()+`"}`, out)
	require.Empty(t, a.Calls())
}
