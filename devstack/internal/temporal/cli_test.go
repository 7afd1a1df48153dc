//go:build temporalcli

package temporal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArgumentsOfTheDevelopmentServer(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"server", "start-dev", "--ip", "127.0.0.1", "--port", "7234",
		"--headless", "--dynamic-config-value", `frontend.httpAllowedHosts=["-"]`, "--db-filename", "/data/temporal-cli.db",
		"--namespace", "default", "--log-level", "warn",
		"--search-attribute", "WaftProject=Keyword", "--search-attribute", "WaftRelease=Int",
		"--search-attribute", "WaftStage=Int", "--search-attribute", "WaftStatus=Keyword",
	}, arguments("/data", 7234))
}
