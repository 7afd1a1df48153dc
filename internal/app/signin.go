package app

import (
	"crypto/hkdf"
	"crypto/sha256"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// derivedKeys are derived from WAFT_SECRET_KEY, followed by keys derived from WAFT_SECRET_KEY_PREVIOUS. Because of the latter,
// sessions, known networks and streams stay valid when the key changes.
type derivedKeys struct {
	// begun encrypts in cookies what has begun.
	begun []byte
	// sessions tag the tokens of sessions, networks hash the networks from which people sign in, streams encrypt the
	// tokens of OFREP's event streams.
	sessions, networks, streams [][]byte
}

func deriveKeys(cfg config.Config) (keys derivedKeys, err error) {
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
		keys.streams = append(keys.streams, derive(secret, "waft event streams of OFREP"))
	}
	return keys, err
}

// relyingParty returns the installation's identity for authenticators, or nil if passkeys are not possible.
func (a *App) relyingParty() *passkey.RelyingParty {
	url := ""
	if a.publicURL() != "" {
		url = a.peopleURL() // which calls loopback addresses localhost
	}
	party, err := passkey.New(url)
	if err != nil {
		a.log.Info("signing in with passkeys is not possible", "reason", err)
	}
	return party
}
