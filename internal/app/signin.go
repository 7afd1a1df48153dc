package app

import (
	"crypto/hkdf"
	"crypto/sha256"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// signInKeys are derived from WAFT_SECRET_KEY. Those of WAFT_SECRET_KEY_PREVIOUS come second, so that when the key changes nobody
// has to sign in again and networks stay known.
type signInKeys struct {
	// begun encrypts in cookies what has begun.
	begun []byte
	// sessions tag the tokens of sessions, networks hash the networks from which people sign in.
	sessions, networks [][]byte
}

func deriveKeys(cfg config.Config) (keys signInKeys, err error) {
	derive := func(secret, use string) (key []byte) {
		if err == nil {
			key, err = hkdf.Key(sha256.New, []byte(secret), nil, use, 32)
		}
		return key
	}
	keys.begun = derive(cfg.SecretKey, "waft cookies of logins that have begun")
	secrets := []string{cfg.SecretKey}
	if cfg.SecretKeyPrevious != "" {
		secrets = append(secrets, cfg.SecretKeyPrevious)
	}
	for _, secret := range secrets {
		keys.sessions = append(keys.sessions, derive(secret, "waft cookies of sessions"))
		keys.networks = append(keys.networks, derive(secret, "waft networks of logins"))
	}
	return keys, err
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
