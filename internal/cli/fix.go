package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// fixFor returns the fix for a failure that the server does not explain, or "". The server explains its own refusals.
func fixFor(err error) string {
	var away *url.Error
	var refusal *client.Error
	var signIn *command.SignInError
	switch {
	case errors.As(err, &signIn): // it names the fix, or the password is wrong
		return ""
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: make space, then run the command again"
	case errors.Is(err, client.ErrNoRecord):
		return command.NotWaft
	case errors.As(err, &refusal):
		return fixForResponse(refusal)
	case errors.As(err, &away):
		return fixForConnection(away)
	}
	return ""
}

// fixForResponse returns the fix for an error response that does not come from Waft, for a refused key, and for a sign-in
// that is too old.
func fixForResponse(e *client.Error) string {
	switch {
	case e.Status == http.StatusUnauthorized && e.Code != "":
		return "the key is wrong, revoked or expired, or the session ended: use another key (`waft keys create`), or sign in with `waft login`"
	case e.Code == models.CodeReauthenticate:
		return "run `waft login`, then the command again"
	case e.Code == models.CodeNotFound && strings.HasPrefix(e.Detail, "this path does not exist"):
		return "check the path in --url; an older server lacks the paths of newer commands (`waft doctor` compares the versions)"
	case e.Code != "":
		return ""
	case e.Status == http.StatusProxyAuthRequired:
		return "the proxy asks for a name and a password: set them in HTTPS_PROXY, such as http://name:password@proxy:3128"
	case e.Status == http.StatusRequestEntityTooLarge:
		return "a proxy in between refuses large requests: raise its limit, such as client_max_body_size of nginx"
	case e.Status >= http.StatusInternalServerError:
		return "a proxy in front of Waft responded: check that Waft itself is running"
	}
	return command.NotWaft
}

// fixForConnection returns the fix for a request without a response.
func fixForConnection(err *url.Error) string {
	var (
		noName    *net.DNSError
		unsigned  x509.UnknownAuthorityError
		wrongHost x509.HostnameError
		invalid   x509.CertificateInvalidError
		noTLS     tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &noName):
		return "check the host name in --url (WAFT_URL), and that this machine has a network"
	case errors.As(err, &unsigned):
		return "if a proxy inspects your traffic, name its certificate in SSL_CERT_FILE"
	case errors.As(err, &wrongHost):
		return "check the host name in --url (WAFT_URL): the server has a certificate for another one"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "check the clock of this machine; if it is right, the server needs a new certificate"
	case errors.As(err, &noTLS), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS: use http:// in --url (WAFT_URL)"
	case err.Timeout():
		return "the server did not respond in time: check --url (WAFT_URL), and HTTPS_PROXY if this network needs a proxy"
	}
	return "check that the server is running and that --url (WAFT_URL) is correct"
}
