package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Accounts are the settings that the account commands need, a part of Config.
type Accounts struct {
	ListenAddr  string `env:"WAFT_LISTEN_ADDR"`
	BaseURL     string `env:"WAFT_BASE_URL"`
	Dashboard   string `env:"WAFT_DASHBOARD_URL"`
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
}

// AccountsFromEnv returns the settings in the environment of the process.
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

// URL returns the URL of Waft for people; see PeopleURL. It fails without a setting that names an address, because only the server
// knows the port on which it listens.
func (a Accounts) URL() (string, error) {
	if cmp.Or(a.Dashboard, a.BaseURL, a.ListenAddr) == "" {
		return "", errors.New("the address of the server is unknown: set WAFT_BASE_URL to its URL, or WAFT_LISTEN_ADDR to the value that the " +
			"server has, which is 127.0.0.1:8080 by default; in a checkout, run `make setup-link`")
	}
	return PeopleURL(cmp.Or(a.Dashboard, a.BaseURL), a.ListenAddr), nil
}

// PeopleURL returns the URL of Waft for people, without a slash at its end: the base URL or, if that is empty, the URL of the
// listen address. It replaces a loopback address with localhost, because passkeys require a host name.
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

// ReachedByTLS reports whether WAFT_BASE_URL is an https URL.
func (c Config) ReachedByTLS() bool {
	u, err := url.Parse(c.BaseURL)
	return err == nil && u.Scheme == "https"
}
