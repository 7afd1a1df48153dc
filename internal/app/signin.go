package app

import (
	"crypto/hkdf"
	"crypto/sha256"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// cookieKeys derives the keys of cookies: one encrypts what has begun, the others tag sessions' tokens. Tags of the
// secret key before are taken, so that nobody has to sign in again when it changes.
func cookieKeys(cfg config.Config) (begun []byte, sessions [][]byte, err error) {
	derive := func(secret, use string) (key []byte) {
		if err == nil {
			key, err = hkdf.Key(sha256.New, []byte(secret), nil, use, 32)
		}
		return key
	}
	const session = "waft cookies of sessions"
	begun = derive(cfg.SecretKey, "waft cookies of logins that have begun")
	sessions = [][]byte{derive(cfg.SecretKey, session)}
	if cfg.SecretKeyPrevious != "" {
		sessions = append(sessions, derive(cfg.SecretKeyPrevious, session))
	}
	return begun, sessions, err
}

// relyingParty is what authenticators know the installation as; nil when it can have no passkeys.
func (a *App) relyingParty() *passkey.RelyingParty {
	url := ""
	if a.publicURL() != "" {
		url = a.peopleURL() // which calls loopback addresses localhost
	}
	party, err := passkey.New(url)
	if err != nil {
		a.log.Info("nobody can sign in with a passkey here", "reason", err)
	}
	return party
}
