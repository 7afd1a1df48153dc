package config

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/internal/identity/mail"
	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/models"
)

const (
	// maxPatchBases limits the work of one publish.
	maxPatchBases = 50
	// A signed URL must stay valid until a slow download begins. S3 allows at most a week.
	minRedirect = time.Minute
	maxRedirect = 7 * 24 * time.Hour
	// maxWebhookRetries and maxWebhookRetry limit the history of a delivery in Temporal.
	maxWebhookRetries = 50
	maxWebhookRetry   = 7 * 24 * time.Hour
)

// problems returns an error for each setting that is missing or invalid, sorted by name.
func (c Config) problems(needed func(Variable) bool) (errs []error) {
	check := func(ok bool, name, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s %s", name, fmt.Sprintf(format, args...)))
		}
	}
	for _, v := range Variables() {
		missing := needed(v) && reflect.ValueOf(c).FieldByName(v.field).IsZero()
		check(!missing, v.Name, "is required: %s", v.Doc)
	}
	for name, address := range map[string]string{"WAFT_LISTEN_ADDR": c.ListenAddr, "WAFT_ADMIN_ADDR": c.AdminAddr} {
		_, _, err := net.SplitHostPort(address)
		check(err == nil, name, "must be host:port: %v", err)
	}
	for _, address := range c.OtherAdminAddrs {
		host, _, err := net.SplitHostPort(address)
		check(err == nil && host != "", "WAFT_OTHER_ADMIN_ADDRS", "must list host:port, not %q", address)
	}
	if c.DashboardAddr != "" {
		_, _, err := net.SplitHostPort(c.DashboardAddr)
		check(err == nil, "WAFT_DASHBOARD_ADDR", "must be host:port: %v", err)
	}
	check(emptyOrURL(c.BaseURL), "WAFT_BASE_URL", "must be an absolute http or https URL")
	check(emptyOrURL(c.DashboardURL), "WAFT_DASHBOARD_URL", "must be an absolute http or https URL")
	check(emptyOrURL(c.TemporalUIURL) && !strings.ContainsAny(c.TemporalUIURL, "?#@"), "WAFT_TEMPORAL_UI_URL",
		"must be an absolute http or https URL without a query and without credentials")
	check(emptyOrURL(c.OTLPEndpoint), "OTEL_EXPORTER_OTLP_ENDPOINT",
		"must be an absolute http or https URL, such as http://localhost:4318")
	check(emptyOrURL(c.AssetBaseURL) && !strings.ContainsAny(c.AssetBaseURL, "?#"), "WAFT_ASSET_BASE_URL",
		"must be an absolute http or https URL without a query")
	check(c.AssetRedirect == 0 || c.AssetRedirect >= minRedirect && c.AssetRedirect <= maxRedirect, "WAFT_ASSET_REDIRECT",
		"must be 0s or from %v to %v", minRedirect, maxRedirect)
	for name, v := range map[string]string{"WAFT_SECRET_KEY": c.SecretKey, "WAFT_SECRET_KEY_PREVIOUS": c.SecretKeyPrevious} {
		_, err := secrets.ParseKey(v)
		check(v == "" || err == nil, name, "%v", err)
	}
	for name, v := range map[string]int64{
		"WAFT_MAX_FILE_BYTES": c.MaxFileBytes, "WAFT_MAX_BUILD_BYTES": c.MaxBuildBytes,
		"WAFT_MAX_BUILD_FILES": int64(c.MaxBuildFiles), "WAFT_MAX_REPORT_BYTES": c.MaxReportBytes,
		"WAFT_MAX_SOURCEMAP_BYTES": c.MaxSourceMapBytes, "WAFT_SOURCEMAP_MEMORY_BYTES": c.SourceMapMemoryBytes,
		"WAFT_INGEST_LOG_BYTES": c.IngestLogBytes, "WAFT_SHUTDOWN_TIMEOUT": int64(c.ShutdownTimeout),
		"WAFT_INCIDENT_INTERVAL": int64(c.IncidentInterval), "WAFT_APPROVAL_LIFE": int64(c.ApprovalLife),
		"WAFT_NEW_DEVICES_BURST": int64(c.NewDevicesBurst),
	} {
		check(v > 0, name, "must be above 0")
	}
	check(c.ApprovalLife <= models.PublisherKeyKept, "WAFT_APPROVAL_LIFE",
		"must be at most %v, because Waft then deletes the key of a trusted publisher and can no longer apply its call", models.PublisherKeyKept)
	for quota, limit := range c.Quotas() {
		check(limit > 0, string(quota), "must be above 0")
	}
	for quota, limit := range map[models.Quota]int64{models.QuotaChannels: c.QuotaChannels, models.QuotaBranches: c.QuotaBranches} {
		check(limit <= 0 || limit >= int64(len(models.DefaultStreams)), string(quota), "must be at least %d, because a new project has that many",
			len(models.DefaultStreams))
	}
	check(c.QuotaRuleUsers <= models.MaxUserIDs, string(models.QuotaRuleUsers), "must be at most %d", models.MaxUserIDs)
	check(c.PatchBases >= 0 && c.PatchBases <= maxPatchBases, "WAFT_PATCH_BASES", "must be 0 to %d", maxPatchBases)
	for name, v := range map[string]int{"WAFT_MAX_CONNECTIONS": c.MaxConnections, "WAFT_MAX_STREAMS": c.MaxStreams} {
		check(v >= 0, name, "must be 0 or above")
	}
	for name, v := range map[string]float64{
		"WAFT_RATE_PER_ADDRESS": c.RatePerAddress, "WAFT_RATE_PER_NETWORK": c.RatePerNetwork,
		"WAFT_RATE_PER_DEVICE": c.RatePerDevice, "WAFT_NEW_DEVICES_PER_MINUTE": c.NewDevicesPerMinute,
		"WAFT_RATE_UNKNOWN_KEYS": c.RateUnknownKeys,
	} {
		check(v >= 0 && !math.IsInf(v, 0), name, "must be 0 or above")
	}
	_, err := models.ParseNetworks(c.TrustedProxies)
	check(err == nil, "WAFT_TRUSTED_PROXIES", "must list addresses and networks: %v", err)
	providers, err := sso.ParseProviders(c.OIDCProviders)
	check(err == nil, "WAFT_OIDC_PROVIDERS", "%v", err)
	check(err != nil || !c.SSOOnly || len(providers) > 0, "WAFT_OIDC_PROVIDERS", "is required with WAFT_SSO_ONLY, which disables all other ways to sign in")
	if c.SMTPURL != "" {
		_, err := mail.ParseURL(c.SMTPURL)
		check(err == nil, "WAFT_SMTP_URL", "%v", err)
		check(c.BaseURL != "" || c.DashboardURL != "", "WAFT_BASE_URL", "is required with WAFT_SMTP_URL, because links in mails begin with it")
	}
	for name, networks := range map[string][]string{
		"WAFT_WEBHOOK_ALLOWED_NETWORKS": c.WebhookAllowedNetworks, "WAFT_ISSUER_ALLOWED_NETWORKS": c.IssuerAllowedNetworks,
	} {
		_, err = outbound.ParseAllowed(networks)
		check(err == nil, name, "must list addresses and networks, with or without a port: %v", err)
	}
	badWait := func(wait time.Duration) bool { return wait <= 0 || wait > maxWebhookRetry }
	check(len(c.WebhookRetries) <= maxWebhookRetries && !slices.ContainsFunc(c.WebhookRetries, badWait),
		"WAFT_WEBHOOK_RETRIES", "must list at most %d waits above 0 and up to %s", maxWebhookRetries, maxWebhookRetry)
	check(c.TemporalTLSCert == "" || c.TemporalTLSKey != "", "TEMPORAL_TLS_CLIENT_KEY_PATH",
		"is required with TEMPORAL_TLS_CLIENT_CERT_PATH; set it to the private key of the certificate")
	check(c.TemporalTLSKey == "" || c.TemporalTLSCert != "", "TEMPORAL_TLS_CLIENT_CERT_PATH",
		"is required with TEMPORAL_TLS_CLIENT_KEY_PATH; set it to the certificate of the key")
	for i, text := range c.TemporalPayloadKeys {
		_, err := secrets.ParseKey(text)
		check(err == nil, "WAFT_TEMPORAL_PAYLOAD_KEYS", "has an invalid key at position %d: each key %v", i+1, err)
	}
	check(!strings.ContainsAny(c.WorkerDeployment, ".:"), "WAFT_WORKER_DEPLOYMENT",
		"must not contain a dot or a colon, which Temporal uses to separate the name from the build ID")
	check(c.WorkerBuildID == "" || c.WorkerDeployment != "", "WAFT_WORKER_DEPLOYMENT",
		"is required with WAFT_WORKER_BUILD_ID; set it to the name of the worker deployment")
	check(slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel), "WAFT_LOG_LEVEL",
		"must be debug, info, warn or error")
	check(slices.Contains([]string{"text", "json"}, c.LogFormat), "WAFT_LOG_FORMAT", "must be text or json")
	slices.SortStableFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

// emptyOrURL reports whether text is empty or an absolute http or https URL.
func emptyOrURL(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
