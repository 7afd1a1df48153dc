package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/config"
)

func TestEngineAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		postgres, clickHouse, temporal string
		want                           []string
	}{
		"on this machine": {
			"postgres://waft:x@127.0.0.1:20664/waft", "http://default:x@127.0.0.1:19280/waft", "127.0.0.1:17588",
			[]string{"127.0.0.1:20664", "127.0.0.1:19280", "127.0.0.1:17588"},
		},
		"at default ports": {
			"postgres://waft@postgres/waft", "clickhouse://clickhouse:9000/waft", "dns:///temporal:7233",
			[]string{"postgres:5432", "clickhouse:8123", "clickhouse:8443", "clickhouse:9000", "clickhouse:9440", "temporal:7233"},
		},
		"of several servers": {
			"postgres://waft@a:1,b:2/waft?sslmode=disable", "http://c:1,d:2/waft", "[fd00::1]:7233",
			[]string{"a:1", "b:2", "c:1", "d:2", "[fd00::1]:7233"},
		},
		"in a folder": {
			"host=/var/run/postgresql dbname=waft", "http://c:1", "t:2", []string{"c:1", "t:2"},
		},
	} {
		got, err := engineAddresses(config.Config{DatabaseURL: c.postgres, ClickHouseURL: c.clickHouse, TemporalAddress: c.temporal})
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
	}
}

func TestTheWebUIIsAnEngine(t *testing.T) {
	t.Parallel()
	for ui, address := range map[string]string{
		"http://127.0.0.1:8233": "127.0.0.1:8233", "https://temporal.example.com/ui": "temporal.example.com:443", "http://[::1]": "[::1]:80",
	} {
		got, err := engineAddresses(config.Config{
			DatabaseURL: "postgres://a:1/w", ClickHouseURL: "http://b:2", TemporalAddress: "c:3", TemporalUIURL: ui,
		})
		require.NoError(t, err)
		require.Equal(t, []string{"a:1", "b:2", address, "c:3"}, got)
	}
}
