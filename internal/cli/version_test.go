package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/version"
)

func TestVersionAsksNoServer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	out, err := a.run(t, "version")
	require.NoError(t, err)
	require.Equal(t, "waft "+version.String()+"\n", out)
	out, err = a.run(t, "version", "--json")
	require.NoError(t, err)
	require.JSONEq(t, `{"version":"`+version.String()+`"}`, out)
	require.Empty(t, a.calls())
}
