// Package mail sends the mails of accounts over SMTP. It does not depend on the store or Temporal.
package mail

import (
	"cmp"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
)

const (
	submissionPort = 587 // RFC 6409
	tlsPort        = 465 // RFC 8314
)

// Settings contains the mail server and the sender of Waft's mails.
type Settings struct {
	Host string
	Port int
	// User and Password are "" for a server that asks for none.
	User, Password string
	// From is the sender, such as "Waft <waft@example.com>".
	From string
	// Implicit begins with TLS. Otherwise the connection must change to TLS before Waft says anything, unless Plain.
	Implicit, Plain bool
}

// ParseURL parses smtp://user:password@host:port?from=address, or smtps:// for a server that requires TLS from the first byte. The
// default port is 587, or 465 with smtps. tls=none permits an smtp server without TLS. The error describes the expected form.
func ParseURL(text string) (s Settings, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Opaque != "" || u.Path != "" || u.Fragment != "" {
		return s, errors.New("must be smtp://user:password@host:port?from=waft@example.com, or the same with smtps://")
	}
	s = Settings{Host: u.Hostname(), Port: submissionPort, User: u.User.Username(), Implicit: u.Scheme == "smtps"}
	s.Password, _ = u.User.Password()
	if s.Implicit {
		s.Port = tlsPort
	}
	if s.Port, err = strconv.Atoi(cmp.Or(u.Port(), strconv.Itoa(s.Port))); err != nil || s.Port < 1 || s.Port > 65535 {
		return s, errors.New("must have a port from 1 to 65535")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return s, errors.New("has a malformed query: write ?from=waft@example.com")
	}
	for name := range query {
		if name != "from" && name != "tls" {
			return s, fmt.Errorf("has the unknown parameter %q: it may have from and tls", name)
		}
	}
	from, err := mail.ParseAddress(query.Get("from"))
	if err != nil {
		return s, errors.New("must name the sender: add ?from=waft@example.com, or ?from=Waft%20%3Cwaft@example.com%3E for a name")
	}
	s.From = from.String()
	return s, s.checkTLS(query)
}

// checkTLS reads the parameter tls. A password never leaves without TLS.
func (s *Settings) checkTLS(query url.Values) error {
	s.Plain = query.Get("tls") == "none"
	switch {
	case query.Has("tls") && (!s.Plain || s.Implicit):
		return errors.New("may have tls=none only, and only with smtp://")
	case s.Plain && s.User != "":
		return errors.New("has a password and tls=none: remove tls=none, so that the password is encrypted")
	default:
		return nil
	}
}
