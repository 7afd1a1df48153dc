package config

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Accounts are the settings that the commands about accounts need, a part of Config.
type Accounts struct {
	ListenAddr  string `env:"WAFT_LISTEN_ADDR" envDefault:"127.0.0.1:8080"`
	BaseURL     string `env:"WAFT_BASE_URL"`
	Dashboard   string `env:"WAFT_DASHBOARD_URL"`
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
}

// AccountsFromEnv reads the environment of the process.
func AccountsFromEnv() (Accounts, error) {
	a, err := env.ParseAs[Accounts]()
	if err == nil && !emptyOrURL(a.BaseURL) {
		err = fmt.Errorf("WAFT_BASE_URL must be an absolute http or https URL")
	}
	if err == nil && !emptyOrURL(a.Dashboard) {
		err = fmt.Errorf("WAFT_DASHBOARD_URL must be an absolute http or https URL")
	}
	return a, err
}

// URL is where people reach Waft: see PeopleURL.
func (a Accounts) URL() string { return PeopleURL(cmp.Or(a.Dashboard, a.BaseURL), a.ListenAddr) }

// PeopleURL is the URL that people reach Waft at, without a slash at its end: the base URL, else that of the
// address that it listens on. A loopback address is called localhost, since passkeys need a name.
func PeopleURL(baseURL, listenAddr string) string {
	u, err := url.Parse(cmp.Or(strings.TrimRight(baseURL, "/"), "http://"+listenAddr))
	if err != nil {
		return baseURL
	}
	address, err := netip.ParseAddr(u.Hostname())
	if u.Hostname() == "" || err == nil && (address.IsLoopback() || address.IsUnspecified()) {
		port := u.Port()
		u.Host = "localhost"
		if port != "" {
			u.Host += ":" + port
		}
	}
	return u.String()
}

// ReachedByTLS reports whether WAFT_BASE_URL says that people reach Waft by https.
func (c Config) ReachedByTLS() bool {
	u, err := url.Parse(c.BaseURL)
	return err == nil && u.Scheme == "https"
}
