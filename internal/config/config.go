// Package config reads the server's settings from the environment, checks all of them at once, and logs
// them without their secrets.
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

// Config is every setting of the server. The tag secret keeps a value out of the log: "true" for a text,
// "list" for a list of texts, "url" for the password and the query of a URL.
type Config struct {
	ListenAddr      string   `env:"WAFT_LISTEN_ADDR" envDefault:"127.0.0.1:8080" doc:"host:port the process listens on: the API, or the worker's probes"`
	AdminAddr       string   `env:"WAFT_ADMIN_ADDR" envDefault:"127.0.0.1:8082" doc:"host:port for operators only: /metrics, and /readyz with what does not answer and what seems to be set wrongly"`
	OtherAdminAddrs []string `env:"WAFT_OTHER_ADMIN_ADDRS" doc:"the WAFT_ADMIN_ADDR of Waft's other processes, host:port, comma-separated: like this process's own they are never the target of a webhook or an identity provider"`
	BaseURL         string   `env:"WAFT_BASE_URL" doc:"public URL of the API, used in manifests and, when it is https, for passkeys; http://<listen address> when empty"`

	DashboardAddr string `env:"WAFT_DASHBOARD_ADDR" doc:"host:port where the API process serves the dashboard alone, apart from what devices are served; empty for only at /app/ of WAFT_LISTEN_ADDR; docs/dashboard.md"`
	DashboardURL  string `env:"WAFT_DASHBOARD_URL" doc:"public URL of WAFT_DASHBOARD_ADDR, used in links for people, for passkeys and by identity providers; WAFT_BASE_URL when empty"`

	DatabaseURL       string `env:"DATABASE_URL" required:"true" secret:"url" doc:"Postgres URL"`
	ClickHouseURL     string `env:"CLICKHOUSE_URL" required:"true" secret:"url" doc:"ClickHouse URL, http://user:password@host:8123/database or clickhouse://…:9000/database"`
	ClickHouseCluster string `env:"WAFT_CLICKHOUSE_CLUSTER" doc:"name of a ClickHouse cluster with replicated, sharded tables; empty for a single server; docs/analytics.md"`

	TemporalAddress       string   `env:"TEMPORAL_ADDRESS" required:"true" doc:"host:port of Temporal's frontend"`
	TemporalUIURL         string   `env:"TEMPORAL_UI_URL" doc:"URL of Temporal's web UI, so that webhooks never reach it"`
	TemporalNamespace     string   `env:"TEMPORAL_NAMESPACE" envDefault:"default" doc:"Temporal namespace"`
	TemporalAPIKey        string   `env:"TEMPORAL_API_KEY" secret:"true" doc:"API key of Temporal Cloud; turns TLS on"`
	TemporalTLSEnabled    bool     `env:"TEMPORAL_TLS" envDefault:"false" doc:"true to connect to Temporal over TLS; an API key or any TEMPORAL_TLS_ variable turns it on too"`
	TemporalTLSCA         string   `env:"TEMPORAL_TLS_SERVER_CA_CERT_PATH" doc:"PEM file with the certificate authority of Temporal's frontend; the system's authorities when empty"`
	TemporalTLSCert       string   `env:"TEMPORAL_TLS_CLIENT_CERT_PATH" doc:"PEM file with the client certificate for mTLS; read again at each connection"`
	TemporalTLSKey        string   `env:"TEMPORAL_TLS_CLIENT_KEY_PATH" doc:"PEM file with the private key of the client certificate"`
	TemporalTLSServerName string   `env:"TEMPORAL_TLS_SERVER_NAME" doc:"name that the certificate of Temporal's frontend must have; the host of TEMPORAL_ADDRESS when empty"`
	TemporalPayloadKeys   []string `env:"WAFT_TEMPORAL_PAYLOAD_KEYS" secret:"list" doc:"keys that encrypt what Temporal stores, comma-separated, each 32 random bytes in base64: the first encrypts, all decrypt; not encrypted when empty; docs/secrets.md"`
	TaskQueue             string   `env:"WAFT_TASK_QUEUE" envDefault:"waft" doc:"Temporal task queue that the workers serve"`
	WorkerDeployment      string   `env:"WAFT_WORKER_DEPLOYMENT" doc:"name of the Temporal worker deployment that the workers are versions of; no worker versioning when empty; docs/temporal.md"`
	WorkerBuildID         string   `env:"WAFT_WORKER_BUILD_ID" doc:"build id of the workers in WAFT_WORKER_DEPLOYMENT; the version of waftd when empty"`

	PatchBases int `env:"WAFT_PATCH_BASES" envDefault:"5" doc:"number of releases, and of embedded updates, from which binary patches to a new release are made; 0 for none"`

	RootKey           string `env:"WAFT_ROOT_KEY" secret:"true" doc:"the installation's root key, waft_<8 characters>_<64 or more characters>; when empty, the first start makes one and prints it once"`
	SecretKey         string `env:"WAFT_SECRET_KEY" required:"true" secret:"true" doc:"32 random bytes in base64; encrypts secrets at rest"`
	SecretKeyPrevious string `env:"WAFT_SECRET_KEY_PREVIOUS" secret:"true" doc:"second key that decrypts stored secrets while WAFT_SECRET_KEY changes; a start encrypts them with WAFT_SECRET_KEY; docs/secrets.md"`

	OIDCProviders string `env:"WAFT_OIDC_PROVIDERS" secret:"true" doc:"identity providers that people sign in with, as a JSON array; docs/people.md"`
	SSOOnly       bool   `env:"WAFT_SSO_ONLY" envDefault:"false" doc:"true to have people sign in with WAFT_OIDC_PROVIDERS only, without passwords"`

	SMTPURL string `env:"WAFT_SMTP_URL" secret:"url" doc:"mail server that sends invitations and links for forgotten passwords, smtp://user:password@host:port?from=waft@example.com, or smtps:// for one that begins with TLS; no mail when empty; docs/people.md"`

	IssuerAllowedNetworks []string `env:"WAFT_ISSUER_ALLOWED_NETWORKS" doc:"private and other special addresses and networks that the keys of trusted publishers' issuers may be fetched from besides the internet, each at every port or at one, comma-separated, such as 10.1.0.0/16,10.2.0.7:443; never the engines; docs/trusted-publishing.md"`

	AssetBucketURL string        `env:"WAFT_ASSET_BUCKET_URL" required:"true" secret:"url" doc:"where assets are stored: file:///folder, s3://bucket?region=…, gs://bucket or azblob://container; docs/assets.md"`
	AssetBaseURL   string        `env:"WAFT_ASSET_BASE_URL" doc:"public URL of a CDN in front of the API, used for assets in manifests; WAFT_BASE_URL when empty"`
	AssetRedirect  time.Duration `env:"WAFT_ASSET_REDIRECT" envDefault:"0s" doc:"lifetime of the signed bucket URLs that devices are redirected to for assets, such as 1h; 0s to serve assets from the API"`
	DataDir        string        `env:"WAFT_DATA_DIR" required:"true" doc:"folder for the ingest log and temporary upload files; must survive a restart"`

	MaxFileBytes   int64 `env:"WAFT_MAX_FILE_BYTES" envDefault:"209715200" doc:"largest file of a build, in bytes"`
	MaxBuildBytes  int64 `env:"WAFT_MAX_BUILD_BYTES" envDefault:"1073741824" doc:"largest build, in bytes"`
	MaxBuildFiles  int   `env:"WAFT_MAX_BUILD_FILES" envDefault:"5000" doc:"most files in a build"`
	MaxReportBytes int64 `env:"WAFT_MAX_REPORT_BYTES" envDefault:"524288" doc:"largest health report, in bytes, after decompression"`
	IngestLogBytes int64 `env:"WAFT_INGEST_LOG_BYTES" envDefault:"1073741824" doc:"largest size of the ingest log while ClickHouse is away, in bytes; above it health reports get 503"`

	MaxSourceMapBytes    int64 `env:"WAFT_MAX_SOURCEMAP_BYTES" envDefault:"104857600" doc:"largest source map of a build, in bytes"`
	SourceMapMemoryBytes int64 `env:"WAFT_SOURCEMAP_MEMORY_BYTES" envDefault:"134217728" doc:"memory that an API process keeps source maps in, in bytes; the one used last stays, also when it is larger"`

	MaxConnections   int   `env:"WAFT_MAX_CONNECTIONS" envDefault:"2000" doc:"connections that an IPv4 /24 or IPv6 /48 may have open; loopback and WAFT_TRUSTED_PROXIES are exempt; 0 for no limit"`
	MaxStreams       int   `env:"WAFT_MAX_STREAMS" envDefault:"2000" doc:"event streams that a key, and an IPv4 /24 or IPv6 /48, may have open; loopback is exempt; 0 for no limit"`
	QuotaFlags       int64 `env:"WAFT_QUOTA_FLAGS" envDefault:"1000" doc:"most flags of a project"`
	QuotaFlagRules   int64 `env:"WAFT_QUOTA_FLAG_RULES" envDefault:"100" doc:"most rules of a flag"`
	QuotaRuleUsers   int64 `env:"WAFT_QUOTA_RULE_USERS" envDefault:"10000" doc:"most user ids of a flag's rule, up to 50000"`
	QuotaSegments    int64 `env:"WAFT_QUOTA_SEGMENTS" envDefault:"500" doc:"most segments of a project"`
	QuotaFlagBytes   int64 `env:"WAFT_QUOTA_FLAG_BYTES" envDefault:"8388608" doc:"most bytes of a project's flags, variations, rules with their user ids, and segments, which every API process keeps in memory several times"`
	QuotaChannels    int64 `env:"WAFT_QUOTA_CHANNELS" envDefault:"1000" doc:"most channels of a project"`
	QuotaBranches    int64 `env:"WAFT_QUOTA_BRANCHES" envDefault:"5000" doc:"most branches of a project"`
	QuotaReleases    int64 `env:"WAFT_QUOTA_RELEASES" envDefault:"100000" doc:"most releases of a project that are not deleted; rollbacks go beyond it"`
	QuotaLinkedFlags int64 `env:"WAFT_QUOTA_LINKED_FLAGS" envDefault:"100000" doc:"most flags that the releases of a project link, counted for each release that is not deleted; rollbacks go beyond it"`
	QuotaPolicies    int64 `env:"WAFT_QUOTA_POLICIES" envDefault:"500" doc:"most rollout policies of a project"`
	QuotaWebhooks    int64 `env:"WAFT_QUOTA_WEBHOOKS" envDefault:"50" doc:"most webhooks of a project"`
	QuotaAPIKeys     int64 `env:"WAFT_QUOTA_API_KEYS" envDefault:"200" doc:"most API keys of a project that are not revoked"`
	QuotaOverrides   int64 `env:"WAFT_QUOTA_OVERRIDES" envDefault:"100000" doc:"most user overrides of a project"`
	QuotaBuildBytes  int64 `env:"WAFT_QUOTA_BUILD_BYTES" envDefault:"107374182400" doc:"most bytes of files of a project's builds, each content once, with its compressed variants, and of what arrived of files that are not complete"`
	QuotaContexts    int64 `env:"WAFT_QUOTA_CONTEXTS" envDefault:"100000" doc:"most contexts of a project; above it those that only evaluated flags go, oldest first, and making one more by hand is refused"`
	QuotaApprovals   int64 `env:"WAFT_QUOTA_APPROVALS" envDefault:"200" doc:"most calls of a project that wait for approval at once"`

	ApprovalLife time.Duration `env:"WAFT_APPROVAL_LIFE" envDefault:"72h" doc:"how long a call waits for approval before it expires"`

	IncidentInterval time.Duration `env:"WAFT_INCIDENT_INTERVAL" envDefault:"10s" doc:"shortest time between two checks of a project for incidents after errors; projects with open incidents are checked every six intervals"`

	WebhookAllowedNetworks []string        `env:"WAFT_WEBHOOK_ALLOWED_NETWORKS" doc:"private and other special addresses and networks that webhooks may be sent to besides the internet, each at every port or at one, comma-separated, such as 10.1.0.0/16,10.2.0.7:8080; never the engines; docs/webhooks.md"`
	WebhookRetries         []time.Duration `env:"WAFT_WEBHOOK_RETRIES" envDefault:"5s,5m,30m,2h,5h,10h,14h,20h,24h" doc:"waits after each failed attempt to deliver to a webhook, comma-separated; the delivery fails with the attempt after the last wait"`

	RatePerAddress float64 `env:"WAFT_RATE_PER_ADDRESS" envDefault:"1000" doc:"requests a second that an address may send to public endpoints, without downloads that are not recorded, and as many to management; ten times as many in a burst; 0 for no limit"`
	RatePerNetwork float64 `env:"WAFT_RATE_PER_NETWORK" envDefault:"4000" doc:"requests a second that an IPv4 /24 or IPv6 /48 may send to public endpoints, without downloads that are not recorded, and as many to management; ten times as many in a burst; 0 for no limit"`
	RatePerDevice  float64 `env:"WAFT_RATE_PER_DEVICE" envDefault:"20" doc:"requests a second that a device may send to public endpoints; ten times as many in a burst; 0 for no limit"`

	RateUnknownKeys float64 `env:"WAFT_RATE_UNKNOWN_KEYS" envDefault:"10" doc:"API keys a second that were not valid lately, and tokens of CI jobs, setup links and invitations, that an address may send, and its network four times as many; ten times as many in a burst; 0 for no limit"`

	NewDevicesPerMinute float64 `env:"WAFT_NEW_DEVICES_PER_MINUTE" envDefault:"20" doc:"device ids new to a project that an IPv4 /24 or IPv6 /48 may have stored a minute; a new device above it is served, but its reports get 429; 0 for no limit"`
	NewDevicesBurst     int     `env:"WAFT_NEW_DEVICES_BURST" envDefault:"200" doc:"device ids new to a project that an IPv4 /24 or IPv6 /48 may have stored at once; then WAFT_NEW_DEVICES_PER_MINUTE"`

	TrustedProxies []string `env:"WAFT_TRUSTED_PROXIES" doc:"addresses and networks of proxies whose X-Forwarded-For names the client, comma-separated; set it behind a load balancer, or all devices count as one address"`
	OriginASTable  string   `env:"WAFT_ORIGIN_AS_TABLE" doc:"file of which each line has a network and the number of the AS that announces it, such as 203.0.113.0/24 64500; the networks of one AS then weigh together in the votes of rollouts, in place of those of an IPv4 /16 or IPv6 /32; docs/rollouts.md"`

	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" doc:"URL of an OpenTelemetry collector that gets traces with OTLP over HTTP, such as http://localhost:4318; no tracing when empty. The other OTEL_ variables hold too; docs/operations.md"`

	ShutdownTimeout time.Duration `env:"WAFT_SHUTDOWN_TIMEOUT" envDefault:"20s" doc:"time for requests and activities to finish at a stop"`
	LogLevel        string        `env:"WAFT_LOG_LEVEL" envDefault:"info" doc:"debug, info, warn or error"`
	LogFormat       string        `env:"WAFT_LOG_FORMAT" envDefault:"text" doc:"text or json"`
}

// Quotas are what one project may have.
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

// FromEnv reads the environment of the process.
func FromEnv() (Config, error) { return FromMap(env.ToMap(os.Environ())) }

// FromMap reads the given variables. The error names every bad one.
func FromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return v.Required })
}

// read reads the given variables, of which needed ones must be there.
func read(vars map[string]string, needed func(Variable) bool) (Config, error) {
	var c Config
	vars = maps.Clone(vars)
	var errs []error
	if err := env.ParseWithOptions(&c, env.Options{Environment: vars}); err != nil {
		errs = unreadable(err, vars)
		// Parse the other variables, to report their problems too.
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

// unreadable returns an error for each variable whose value is not of its type, and removes these
// variables from vars. It returns other errors of the parser as they are.
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

// formOf describes how to write a value of the type.
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
