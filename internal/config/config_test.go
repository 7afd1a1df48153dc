package config

import (
	"bytes"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func valid() map[string]string {
	return map[string]string{
		"DATABASE_URL":          "postgres://waft:pg-password@db/waft?password=pg-password",
		"CLICKHOUSE_URL":        "http://default:ch-password@ch:8123/waft",
		"TEMPORAL_ADDRESS":      "temporal:7233",
		"WAFT_ROOT_KEY":         "waft_root-key",
		"WAFT_SECRET_KEY":       "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
		"WAFT_ASSET_BUCKET_URL": "file:///assets",
		"WAFT_DATA_DIR":         "/data",
	}
}

func TestDefaultsFillWhatIsNotSet(t *testing.T) {
	t.Parallel()
	c, err := FromMap(valid())
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", c.ListenAddr)
	require.Equal(t, "127.0.0.1:8082", c.AdminAddr)
	require.Equal(t, int64(200<<20), c.MaxFileBytes)
	require.Equal(t, int64(1<<30), c.MaxBuildBytes)
	require.Equal(t, 5000, c.MaxBuildFiles)
	require.Equal(t, int64(512<<10), c.MaxReportBytes)
	require.Empty(t, c.WebhookAllowedNetworks)
	require.Equal(t, "[5s 5m0s 30m0s 2h0m0s 5h0m0s 10h0m0s 14h0m0s 20h0m0s 24h0m0s]", fmt.Sprint(c.WebhookRetries))
}

func TestEveryBadSettingIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := FromMap(map[string]string{
		"WAFT_LISTEN_ADDR": "nowhere",
		"WAFT_ADMIN_ADDR":  "8082",
		"WAFT_BASE_URL":    "ftp://x",

		"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318",

		"WAFT_ASSET_BASE_URL": "https://cdn.example.com?key=1",
		"WAFT_ASSET_REDIRECT": "10s",

		"WAFT_SECRET_KEY": "short",

		"WAFT_SECRET_KEY_PREVIOUS": "c2hvcnQ=",
		"WAFT_MAX_FILE_BYTES":      "0",
		"WAFT_RATE_PER_ADDRESS":    "-1",
		"WAFT_RATE_PER_DEVICE":     "NaN",
		"WAFT_RATE_PER_NETWORK":    "-0.1",
		"WAFT_RATE_UNKNOWN_KEYS":   "-2",
		"WAFT_MAX_CONNECTIONS":     "-1",
		"WAFT_MAX_STREAMS":         "-1",

		"WAFT_NEW_DEVICES_PER_MINUTE": "Inf", "WAFT_NEW_DEVICES_BURST": "0",

		"WAFT_QUOTA_FLAGS": "0", "WAFT_QUOTA_CHANNELS": "1", "WAFT_QUOTA_RULE_USERS": "50001",
		"WAFT_QUOTA_CONTEXTS": "0", "WAFT_QUOTA_APPROVALS": "0", "WAFT_APPROVAL_LIFE": "-1h",

		"WAFT_INCIDENT_INTERVAL": "-1s",
		"WAFT_TRUSTED_PROXIES":   "10.0.0.0/8,somewhere",
		"WAFT_LOG_LEVEL":         "loud",

		"WAFT_WEBHOOK_ALLOWED_NETWORKS": "10.0.0.0/8,localhost",
		"WAFT_ISSUER_ALLOWED_NETWORKS":  "10.0.0.0/8,gitlab.internal",
		"WAFT_WEBHOOK_RETRIES":          "5s,0s",

		"WAFT_LOG_FORMAT": "xml",

		"TEMPORAL_TLS_CLIENT_CERT_PATH": "/cert.pem",
		"WAFT_TEMPORAL_PAYLOAD_KEYS":    "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=,short",
		"WAFT_WORKER_BUILD_ID":          "1.0.0",
	})
	require.Error(t, err)
	for _, name := range []string{
		"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS", "WAFT_ASSET_BUCKET_URL", "WAFT_DATA_DIR",
		"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR", "WAFT_BASE_URL", "WAFT_SECRET_KEY", "WAFT_SECRET_KEY_PREVIOUS", "WAFT_ASSET_BASE_URL", "WAFT_ASSET_REDIRECT", "WAFT_MAX_FILE_BYTES", "WAFT_RATE_PER_ADDRESS", "WAFT_RATE_PER_DEVICE", "WAFT_INCIDENT_INTERVAL",
		"WAFT_RATE_PER_NETWORK", "WAFT_RATE_UNKNOWN_KEYS", "WAFT_MAX_CONNECTIONS", "WAFT_MAX_STREAMS", "WAFT_NEW_DEVICES_PER_MINUTE", "WAFT_NEW_DEVICES_BURST", "WAFT_TRUSTED_PROXIES", "WAFT_LOG_LEVEL", "WAFT_LOG_FORMAT",
		"WAFT_WEBHOOK_ALLOWED_NETWORKS", "WAFT_ISSUER_ALLOWED_NETWORKS", "WAFT_WEBHOOK_RETRIES", "WAFT_QUOTA_FLAGS", "WAFT_QUOTA_CHANNELS", "WAFT_QUOTA_RULE_USERS", "WAFT_QUOTA_CONTEXTS",
		"WAFT_QUOTA_APPROVALS", "WAFT_APPROVAL_LIFE",
		"TEMPORAL_TLS_CLIENT_KEY_PATH is required with TEMPORAL_TLS_CLIENT_CERT_PATH",
		"WAFT_TEMPORAL_PAYLOAD_KEYS has an invalid key at position 2", "WAFT_WORKER_DEPLOYMENT is required with WAFT_WORKER_BUILD_ID",
		"OTEL_EXPORTER_OTLP_ENDPOINT must be",
	} {
		require.ErrorContains(t, err, name)
	}
}

// A call may wait at most as long as the key of its requester is kept.
func TestACallMayWaitForApprovalAsLongAsAPublishersKeyIsKept(t *testing.T) {
	t.Parallel()
	vars := valid()
	for life, ok := range map[string]bool{"72h": true, "168h": true, "168h0m1s": false, "720h": false} {
		vars["WAFT_APPROVAL_LIFE"] = life
		_, err := FromMap(vars)
		require.Equal(t, ok, err == nil, life)
		if !ok {
			require.ErrorContains(t, err, "WAFT_APPROVAL_LIFE must be at most 168h0m0s, ")
		}
	}
}

func TestWhereDevicesGetAssets(t *testing.T) {
	t.Parallel()
	vars := valid()
	c, err := FromMap(vars)
	require.NoError(t, err)
	require.Zero(t, c.AssetRedirect)
	require.Empty(t, c.AssetBaseURL)
	for life, ok := range map[string]bool{"0s": true, "1m": true, "168h": true, "59s": false, "169h": false, "-1h": false, "soon": false} {
		vars["WAFT_ASSET_REDIRECT"] = life
		_, err := FromMap(vars)
		require.Equal(t, ok, err == nil, life)
	}
	vars["WAFT_ASSET_REDIRECT"] = "1h"
	for base, ok := range map[string]bool{
		"https://cdn.example.com/": true, "http://cdn.example.com/waft": true,
		"cdn.example.com": false, "ftp://cdn.example.com": false, "https://": false, "https://cdn.example.com/#x": false,
	} {
		vars["WAFT_ASSET_BASE_URL"] = base
		c, err := FromMap(vars)
		require.Equal(t, ok, err == nil, base)
		require.False(t, strings.HasSuffix(c.AssetBaseURL, "/"), base)
	}
}

func TestAValueOfTheWrongTypeIsAnError(t *testing.T) {
	t.Parallel()
	vars := valid()
	vars["WAFT_MAX_BUILD_FILES"] = "many"
	vars["WAFT_SHUTDOWN_TIMEOUT"] = "20"
	vars["WAFT_RATE_PER_DEVICE"] = "x"
	vars["WAFT_LOG_LEVEL"] = "loud"
	_, err := FromMap(vars)
	require.EqualError(t, err, "bad configuration:\n"+
		"WAFT_MAX_BUILD_FILES must be a whole number, not \"many\"\n"+
		"WAFT_RATE_PER_DEVICE must be a number, not \"x\"\n"+
		"WAFT_SHUTDOWN_TIMEOUT must be a duration such as 20s or 1h30m, not \"20\"\n"+
		"WAFT_LOG_LEVEL must be debug, info, warn or error")
	require.Equal(t, "many", vars["WAFT_MAX_BUILD_FILES"], "the caller's map stays")
}

func TestTheLogShowsNoSecret(t *testing.T) {
	t.Parallel()
	vars := valid()
	vars["WAFT_SECRET_KEY_PREVIOUS"] = "OTEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	vars["WAFT_TEMPORAL_PAYLOAD_KEYS"] = "ODEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=,NzEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	vars["TEMPORAL_API_KEY"] = "cloud-key"
	c, err := FromMap(vars)
	require.NoError(t, err)
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("settings", "config", c)
	for _, secret := range []string{
		"pg-password", "ch-password", "waft_root-key", vars["WAFT_SECRET_KEY"], vars["WAFT_SECRET_KEY_PREVIOUS"],
		"ODEyMzQ1", "NzEyMzQ1", "cloud-key",
	} {
		require.NotContains(t, out.String(), secret)
	}
	require.Contains(t, out.String(), "WAFT_ROOT_KEY=true")
	require.Contains(t, out.String(), "temporal:7233")
}

func TestEveryVariableIsDocumented(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range Variables() {
		require.NotEmpty(t, v.Name, v.field)
		require.NotEmpty(t, v.Doc, v.Name)
		require.False(t, seen[v.Name], v.Name)
		seen[v.Name] = true
	}
}

// A quota that a caller runs into names its setting, so the names must be those of settings.
func TestQuotasNameTheirSettings(t *testing.T) {
	t.Parallel()
	c, err := FromMap(valid())
	require.NoError(t, err)
	names := map[string]string{}
	for _, v := range Variables() {
		if strings.HasPrefix(v.Name, "WAFT_QUOTA_") {
			names[v.Name] = v.Default
		}
	}
	quotas := c.Quotas()
	require.Len(t, quotas, len(names))
	for quota, limit := range quotas {
		require.Equal(t, names[string(quota)], strconv.FormatInt(limit, 10), quota)
	}
}
