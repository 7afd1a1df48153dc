package clickhouse

import (
	"cmp"
	"crypto/subtle"
	"net/http"
)

// PasswordVariable is the environment variable with the password of the one user. Arguments
// of a process can be read by every user of the machine.
const PasswordVariable = "WAFT_CLICKHOUSE_PASSWORD"

// User is the name of the only user, unless Options have another name. The engine runs all statements as this user.
const User = "default"

// credentials returns the name and password of a request: from ClickHouse's own headers,
// else HTTP's, else the URL.
func credentials(r *http.Request) (user, password string) {
	if name, key := r.Header.Get("X-ClickHouse-User"), r.Header.Get("X-ClickHouse-Key"); name != "" || key != "" {
		return name, key
	}
	if name, key, ok := r.BasicAuth(); ok {
		return name, key
	}
	query := r.URL.Query()
	return query.Get("user"), query.Get("password")
}

// login returns a failure unless the request has the user's password.
func (h *handler) login(r *http.Request) *Failure {
	user, password := credentials(r)
	if cmp.Or(user, h.user) == h.user && subtle.ConstantTimeCompare([]byte(password), []byte(h.password)) == 1 {
		return nil
	}
	return serverFailure(codeAuthenticationFailed, "AUTHENTICATION_FAILED",
		"Authentication failed: the user is '"+h.user+"' and its password is in CLICKHOUSE_URL, which devstack status shows")
}
