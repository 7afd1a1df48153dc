// Package config reads the server's settings from the environment, reports all invalid settings together, and logs the settings
// without their secrets.
package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/waft-ota/waft/models"
)

// Config contains every setting of the server. The tag secret keeps a value out of the log: "true" hides a string, "list" hides a
// list of strings, and "url" hides the password and the query of a URL.
type Config struct {
	ListenAddr      string   `env:"WAFT_LISTEN_ADDR" envDefault:"127.0.0.1:8080" doc:"host:port the process listens on: the API, or the worker's probes"`
	AdminAddr       string   `env:"WAFT_ADMIN_ADDR" envDefault:"127.0.0.1:8082" doc:"host:port for operators only: /metrics, and /readyz with engines that do not respond and settings that look wrong"`
	OtherAdminAddrs []string `env:"WAFT_OTHER_ADMIN_ADDRS" doc:"the WAFT_ADMIN_ADDR of Waft's other processes, host:port, comma-separated; Waft never sends requests of webhooks or for identity providers to them or to its own"`
	BaseURL         string   `env:"WAFT_BASE_URL" doc:"public URL of the API, used in manifests, in the event streams of OFREP and, if it is https, for passkeys; http://<listen address> if empty"`

	DashboardAddr string `env:"WAFT_DASHBOARD_ADDR" doc:"host:port on which the API process serves only the dashboard, separate from the device endpoints. If empty, the dashboard is served only at /app/ of WAFT_LISTEN_ADDR; docs/reference/dashboard.md"`
	DashboardURL  string `env:"WAFT_DASHBOARD_URL" doc:"public URL of WAFT_DASHBOARD_ADDR, used in links for people, for passkeys and by identity providers; WAFT_BASE_URL if empty"`

	DatabaseURL       string `env:"DATABASE_URL" required:"true" secret:"url" doc:"Postgres URL"`
	ClickHouseURL     string `env:"CLICKHOUSE_URL" required:"true" secret:"url" doc:"ClickHouse URL, http://user:password@host:8123/database or clickhouse://…:9000/database"`
	ClickHouseCluster string `env:"WAFT_CLICKHOUSE_CLUSTER" doc:"name of a ClickHouse cluster with replicated, sharded tables; empty for a single server; docs/operations/clickhouse-cluster.md"`

	TemporalAddress       string   `env:"TEMPORAL_ADDRESS" required:"true" doc:"host:port of Temporal's frontend"`
	TemporalUIURL         string   `env:"WAFT_TEMPORAL_UI_URL" doc:"URL at which people reach Temporal's web UI. The dashboard links to it, and Waft never sends webhook messages to it; no links if empty"`
	TemporalNamespace     string   `env:"TEMPORAL_NAMESPACE" envDefault:"default" doc:"Temporal namespace"`
	TemporalAPIKey        string   `env:"TEMPORAL_API_KEY" secret:"true" doc:"API key of Temporal Cloud; turns TLS on"`
	TemporalTLSEnabled    bool     `env:"TEMPORAL_TLS" envDefault:"false" doc:"true to connect to Temporal over TLS; an API key or any TEMPORAL_TLS_ variable also turns TLS on"`
	TemporalTLSCA         string   `env:"TEMPORAL_TLS_SERVER_CA_CERT_PATH" doc:"PEM file with the certificate authority of Temporal's frontend; the system's authorities if empty"`
	TemporalTLSCert       string   `env:"TEMPORAL_TLS_CLIENT_CERT_PATH" doc:"PEM file with the client certificate for mTLS; read again at each connection"`
	TemporalTLSKey        string   `env:"TEMPORAL_TLS_CLIENT_KEY_PATH" doc:"PEM file with the private key of the client certificate"`
	TemporalTLSServerName string   `env:"TEMPORAL_TLS_SERVER_NAME" doc:"name that the certificate of Temporal's frontend must have; the host of TEMPORAL_ADDRESS if empty"`
	TemporalPayloadKeys   []string `env:"WAFT_TEMPORAL_PAYLOAD_KEYS" secret:"list" doc:"keys that encrypt the data that Temporal stores, comma-separated, each 32 random bytes in base64. The first key encrypts, all keys decrypt; not encrypted if empty; docs/operations/secrets.md"`
	TaskQueue             string   `env:"WAFT_TASK_QUEUE" envDefault:"waft" doc:"Temporal task queue that the workers serve"`
	WorkerDeployment      string   `env:"WAFT_WORKER_DEPLOYMENT" doc:"name of the Temporal worker deployment that the workers belong to; no worker versioning if empty; docs/operations/temporal.md"`
	WorkerBuildID         string   `env:"WAFT_WORKER_BUILD_ID" doc:"build ID of the workers in WAFT_WORKER_DEPLOYMENT; the version of waftd if empty"`

	PatchBases int `env:"WAFT_PATCH_BASES" envDefault:"5" doc:"maximum number of releases, and of embedded updates, from which Waft creates binary patches to a new release; 0 for no patches"`

	RootKey           string `env:"WAFT_ROOT_KEY" secret:"true" doc:"the installation's root key, waft_<8 characters>_<64 or more characters>; if empty, Waft creates one at the first start and prints it once"`
	SecretKey         string `env:"WAFT_SECRET_KEY" required:"true" secret:"true" doc:"32 random bytes in base64; encrypts stored secrets"`
	SecretKeyPrevious string `env:"WAFT_SECRET_KEY_PREVIOUS" secret:"true" doc:"previous key, which also decrypts stored secrets while you rotate WAFT_SECRET_KEY. At start, Waft encrypts them again with WAFT_SECRET_KEY; docs/operations/key-rotation.md"`

	OIDCProviders string `env:"WAFT_OIDC_PROVIDERS" secret:"true" doc:"identity providers that people sign in with, as a JSON array; docs/operations/sso.md"`
	SSOOnly       bool   `env:"WAFT_SSO_ONLY" envDefault:"false" doc:"true to allow sign-in only with WAFT_OIDC_PROVIDERS, without passwords and passkeys"`

	SMTPURL string `env:"WAFT_SMTP_URL" secret:"url" doc:"mail server that sends invitations and links for forgotten passwords, smtp://user:password@host:port?from=waft@example.com, or smtps:// for a server that requires TLS from the first byte. Waft does not send mail if empty; docs/operations/mail.md"`

	IssuerAllowedNetworks []string `env:"WAFT_ISSUER_ALLOWED_NETWORKS" doc:"private and other special addresses and networks from which Waft may fetch the keys of trusted publishers' issuers, in addition to the internet. Comma-separated, each with one port or for all ports, such as 10.1.0.0/16,10.2.0.7:443. Never the engines; docs/reference/trusted-publishers.md"`

	AssetBucketURL string        `env:"WAFT_ASSET_BUCKET_URL" required:"true" secret:"url" doc:"bucket that stores assets: file:///folder, s3://bucket?region=…, gs://bucket or azblob://container; docs/operations/storage.md"`
	AssetBaseURL   string        `env:"WAFT_ASSET_BASE_URL" doc:"public URL of a CDN in front of the API, used for assets in manifests; WAFT_BASE_URL if empty"`
	AssetRedirect  time.Duration `env:"WAFT_ASSET_REDIRECT" envDefault:"0s" doc:"lifetime of the signed bucket URLs that devices are redirected to for assets, such as 1h; 0s to serve assets from the API"`
	DataDir        string        `env:"WAFT_DATA_DIR" required:"true" doc:"folder for the ingest log and temporary upload files; must survive a restart"`

	MaxFileBytes   int64 `env:"WAFT_MAX_FILE_BYTES" envDefault:"209715200" doc:"maximum size of a file of a build, in bytes"`
	MaxBuildBytes  int64 `env:"WAFT_MAX_BUILD_BYTES" envDefault:"1073741824" doc:"maximum size of a build, in bytes"`
	MaxBuildFiles  int   `env:"WAFT_MAX_BUILD_FILES" envDefault:"5000" doc:"maximum number of files in a build"`
	MaxReportBytes int64 `env:"WAFT_MAX_REPORT_BYTES" envDefault:"524288" doc:"maximum size of a health report after decompression, in bytes"`
	IngestLogBytes int64 `env:"WAFT_INGEST_LOG_BYTES" envDefault:"1073741824" doc:"maximum size of the ingest log while ClickHouse is unavailable, in bytes; above it, health reports get 503"`

	MaxSourceMapBytes    int64 `env:"WAFT_MAX_SOURCEMAP_BYTES" envDefault:"104857600" doc:"maximum size of a build's source map, in bytes"`
	SourceMapMemoryBytes int64 `env:"WAFT_SOURCEMAP_MEMORY_BYTES" envDefault:"134217728" doc:"memory of an API process for source maps, in bytes; the last used source map is kept even if it is larger"`

	MaxConnections   int   `env:"WAFT_MAX_CONNECTIONS" envDefault:"2000" doc:"maximum number of open connections per IPv4 /24 or IPv6 /48; loopback and WAFT_TRUSTED_PROXIES are exempt; 0 for no limit"`
	MaxStreams       int   `env:"WAFT_MAX_STREAMS" envDefault:"2000" doc:"maximum number of open event streams per key, and per IPv4 /24 or IPv6 /48; loopback is exempt; 0 for no limit"`
	QuotaFlags       int64 `env:"WAFT_QUOTA_FLAGS" envDefault:"1000" doc:"maximum number of flags per project"`
	QuotaFlagRules   int64 `env:"WAFT_QUOTA_FLAG_RULES" envDefault:"100" doc:"maximum number of rules per flag"`
	QuotaRuleUsers   int64 `env:"WAFT_QUOTA_RULE_USERS" envDefault:"10000" doc:"maximum number of user IDs per flag rule, up to 50000"`
	QuotaSegments    int64 `env:"WAFT_QUOTA_SEGMENTS" envDefault:"500" doc:"maximum number of segments per project"`
	QuotaFlagBytes   int64 `env:"WAFT_QUOTA_FLAG_BYTES" envDefault:"8388608" doc:"maximum size of a project's flags, variations, segments and rules with their user IDs, in bytes; every API process keeps them in memory several times"`
	QuotaChannels    int64 `env:"WAFT_QUOTA_CHANNELS" envDefault:"1000" doc:"maximum number of channels per project"`
	QuotaBranches    int64 `env:"WAFT_QUOTA_BRANCHES" envDefault:"5000" doc:"maximum number of branches per project"`
	QuotaReleases    int64 `env:"WAFT_QUOTA_RELEASES" envDefault:"100000" doc:"maximum number of releases per project that are not deleted; rollbacks may exceed it"`
	QuotaLinkedFlags int64 `env:"WAFT_QUOTA_LINKED_FLAGS" envDefault:"100000" doc:"maximum number of linked flags per project, summed over all releases that are not deleted; rollbacks may exceed it"`
	QuotaPolicies    int64 `env:"WAFT_QUOTA_POLICIES" envDefault:"500" doc:"maximum number of rollout policies per project"`
	QuotaWebhooks    int64 `env:"WAFT_QUOTA_WEBHOOKS" envDefault:"50" doc:"maximum number of webhooks per project"`
	QuotaAPIKeys     int64 `env:"WAFT_QUOTA_API_KEYS" envDefault:"200" doc:"maximum number of API keys per project that are not revoked"`
	QuotaOverrides   int64 `env:"WAFT_QUOTA_OVERRIDES" envDefault:"100000" doc:"maximum number of user overrides per project"`
	QuotaBuildBytes  int64 `env:"WAFT_QUOTA_BUILD_BYTES" envDefault:"107374182400" doc:"maximum size of the files of a project's builds, in bytes: each content once, with its compressed variants, plus the received bytes of incomplete files"`
	QuotaContexts    int64 `env:"WAFT_QUOTA_CONTEXTS" envDefault:"100000" doc:"maximum number of contexts per project; above it, Waft deletes contexts recorded by evaluations, oldest first, and refuses to create more manually"`
	QuotaApprovals   int64 `env:"WAFT_QUOTA_APPROVALS" envDefault:"200" doc:"maximum number of calls per project that wait for approval at the same time"`

	ApprovalLife time.Duration `env:"WAFT_APPROVAL_LIFE" envDefault:"72h" doc:"how long a call waits for approval before it expires"`

	IncidentInterval time.Duration `env:"WAFT_INCIDENT_INTERVAL" envDefault:"10s" doc:"minimum time between two checks of a project for incidents after errors; projects with open incidents are checked every three intervals"`

	WebhookAllowedNetworks []string        `env:"WAFT_WEBHOOK_ALLOWED_NETWORKS" doc:"private and other special addresses and networks to which Waft may send webhook messages, in addition to the internet. Comma-separated, each with one port or for all ports, such as 10.1.0.0/16,10.2.0.7:8080. Never the engines; docs/reference/webhook-delivery.md"`
	WebhookRetries         []time.Duration `env:"WAFT_WEBHOOK_RETRIES" envDefault:"5s,5m,30m,2h,5h,10h,14h,20h,24h" doc:"waits after each failed attempt to deliver a webhook message, comma-separated; the delivery fails if the attempt after the last wait fails"`

	RatePerAddress float64 `env:"WAFT_RATE_PER_ADDRESS" envDefault:"1000" doc:"requests per second that one address may send to public endpoints, excluding downloads that are not recorded, and separately to management endpoints; bursts of ten times the rate; 0 for no limit"`
	RatePerNetwork float64 `env:"WAFT_RATE_PER_NETWORK" envDefault:"4000" doc:"requests per second that one IPv4 /24 or IPv6 /48 may send to public endpoints, excluding downloads that are not recorded, and separately to management endpoints. Bursts of ten times the rate; 0 for no limit"`
	RatePerDevice  float64 `env:"WAFT_RATE_PER_DEVICE" envDefault:"20" doc:"requests per second that one device may send to public endpoints; bursts of ten times the rate; 0 for no limit"`

	RateUnknownKeys float64 `env:"WAFT_RATE_UNKNOWN_KEYS" envDefault:"10" doc:"rate per second of API keys not recently seen as valid, and of CI tokens, setup links and invitations, that one address may send. Four times as many per network; bursts of ten times the rate; 0 disables the limit"`

	NewDevicesPerMinute float64 `env:"WAFT_NEW_DEVICES_PER_MINUTE" envDefault:"20" doc:"device IDs per minute, new to a project, that Waft stores for one IPv4 /24 or IPv6 /48; further new devices get updates, but their reports get 429; 0 for no limit"`
	NewDevicesBurst     int     `env:"WAFT_NEW_DEVICES_BURST" envDefault:"200" doc:"device IDs, new to a project, that Waft stores in a burst for one IPv4 /24 or IPv6 /48 before WAFT_NEW_DEVICES_PER_MINUTE applies"`

	TrustedProxies []string `env:"WAFT_TRUSTED_PROXIES" doc:"addresses and networks of proxies whose X-Forwarded-For header Waft trusts, comma-separated; required behind a load balancer, otherwise all devices count as one address"`
	OriginASTable  string   `env:"WAFT_ORIGIN_AS_TABLE" doc:"file whose lines contain a network and the number of the AS that announces it, such as 203.0.113.0/24 64500. In the votes of rollouts, the networks of one AS are then one allocation, instead of the networks of an IPv4 /16 or IPv6 /32; docs/operations/client-addresses.md"`

	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" doc:"URL of an OpenTelemetry collector that receives traces with OTLP over HTTP, such as http://localhost:4318; no tracing if empty; other OTEL_ variables apply, too; docs/operations/traces.md"`

	ShutdownTimeout time.Duration `env:"WAFT_SHUTDOWN_TIMEOUT" envDefault:"20s" doc:"time for requests and activities to finish when the process stops"`
	LogLevel        string        `env:"WAFT_LOG_LEVEL" envDefault:"info" doc:"lowest level of the log: debug, info, warn or error"`
	LogFormat       string        `env:"WAFT_LOG_FORMAT" envDefault:"text" doc:"format of the log: text or json"`
}

// Quotas returns the quotas of one project.
func (c Config) Quotas() models.Quotas {
	return models.Quotas{
		models.QuotaFlags: c.QuotaFlags, models.QuotaFlagRules: c.QuotaFlagRules, models.QuotaRuleUsers: c.QuotaRuleUsers,
		models.QuotaFlagBytes: c.QuotaFlagBytes,
		models.QuotaSegments:  c.QuotaSegments, models.QuotaChannels: c.QuotaChannels, models.QuotaBranches: c.QuotaBranches,
		models.QuotaReleases: c.QuotaReleases, models.QuotaLinkedFlags: c.QuotaLinkedFlags, models.QuotaPolicies: c.QuotaPolicies,
		models.QuotaWebhooks: c.QuotaWebhooks, models.QuotaAPIKeys: c.QuotaAPIKeys, models.QuotaOverrides: c.QuotaOverrides,
		models.QuotaBuildBytes: c.QuotaBuildBytes, models.QuotaContexts: c.QuotaContexts,
		models.QuotaApprovals: c.QuotaApprovals,
	}
}

// FromEnv returns the settings in the environment of the process.
func FromEnv() (Config, error) { return FromMap(env.ToMap(os.Environ())) }

// FromMap returns the settings in the given variables. The error names every invalid variable.
func FromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return v.Required })
}

// read returns the settings in the given variables. A variable for which needed returns true must be set.
func read(vars map[string]string, needed func(Variable) bool) (Config, error) {
	var c Config
	vars = maps.Clone(vars)
	var errs []error
	if err := env.ParseWithOptions(&c, env.Options{Environment: vars}); err != nil {
		errs = unreadable(err, vars)
		// Parse the other variables, to report their problems, too.
		c = Config{}
		if err := env.ParseWithOptions(&c, env.Options{Environment: vars}); err != nil {
			return Config{}, fmt.Errorf("bad configuration:\n%w", errors.Join(errs...))
		}
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	c.DashboardURL = strings.TrimRight(c.DashboardURL, "/")
	c.AssetBaseURL = strings.TrimRight(c.AssetBaseURL, "/")
	if errs = append(errs, c.problems(needed)...); len(errs) > 0 {
		return Config{}, fmt.Errorf("bad configuration:\n%w", errors.Join(errs...))
	}
	return c, nil
}

// unreadable returns an error for each variable whose value does not have the right type, and removes these variables from vars.
// It returns other errors of the parser unchanged.
func unreadable(parsed error, vars map[string]string) []error {
	var all env.AggregateError
	if !errors.As(parsed, &all) {
		return []error{parsed}
	}
	for i, err := range all.Errors {
		var bad env.ParseError
		if !errors.As(err, &bad) {
			continue
		}
		for _, v := range Variables() {
			if v.field == bad.Name {
				all.Errors[i] = fmt.Errorf("%s must be %s, not %q", v.Name, formOf(bad.Type), vars[v.Name])
				delete(vars, v.Name)
			}
		}
	}
	return all.Errors
}

// formOf returns a description of valid values of the type.
func formOf(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration such as 20s or 1h30m"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	default:
		return "a " + t.String()
	}
}
