// Package passkey registers and verifies passkeys (WebAuthn).
package passkey

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/waft-ota/waft/models"
)

// Life is the time that an authenticator has to respond.
const Life = 5 * time.Minute

// RelyingParty is the installation's identity for authenticators. It is safe for concurrent use.
type RelyingParty struct{ library *webauthn.WebAuthn }

// New returns the relying party for the URL that people open. The error is the reason why passkeys are not possible.
func New(baseURL string) (*RelyingParty, error) {
	u, err := url.Parse(baseURL)
	switch {
	case baseURL == "":
		return nil, errors.New("WAFT_BASE_URL is not set: authenticators need the domain that people open")
	case err != nil:
		return nil, fmt.Errorf("WAFT_BASE_URL: %w", err)
	case u.Hostname() == "":
		return nil, errors.New("WAFT_BASE_URL has no domain that passkeys could work on")
	case u.Scheme != "https" && u.Hostname() != "localhost":
		return nil, errors.New("WAFT_BASE_URL is not an https URL: browsers offer passkeys over https, and on localhost")
	}
	timeout := webauthn.TimeoutConfig{Timeout: Life, TimeoutUVD: Life}
	library, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Waft", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
		// Some password managers send outputs that nobody asked for, and none is read.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, fmt.Errorf("WAFT_BASE_URL has no domain that passkeys could work on: %w", err)
	}
	return &RelyingParty{library}, nil
}

// ID returns the domain that passkeys work on.
func (r *RelyingParty) ID() string { return r.library.Config.RPID }

// Ceremony is a registration or sign-in that has begun. Clients must not be able to change it, because they could then respond for
// other users.
type Ceremony webauthn.SessionData

// challenge returns the challenge of the ceremony, which ends at the given time.
func (c Ceremony) challenge(expires time.Time) models.Challenge {
	sum := sha256.Sum256([]byte(c.Challenge))
	return models.Challenge{Hash: sum[:], Expires: expires}
}

// account is a user to the library.
type account struct {
	models.User
	passkeys []models.Passkey
}

func (a account) WebAuthnID() []byte          { return a.Handle }
func (a account) WebAuthnName() string        { return a.Email }
func (a account) WebAuthnDisplayName() string { return a.Name }

func (a account) WebAuthnCredentials() []webauthn.Credential {
	credentials := make([]webauthn.Credential, len(a.passkeys))
	for i, p := range a.passkeys {
		credentials[i] = webauthn.Credential{
			ID: p.CredentialID, PublicKey: p.PublicKey, Flags: webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(p.Flags)),
			Authenticator: webauthn.Authenticator{SignCount: p.SignCount},
		}
	}
	return credentials
}

// BeginRegistration returns the options for navigator.credentials.create, as JSON, which keep the person from registering
// an authenticator twice.
func (r *RelyingParty) BeginRegistration(u models.User, has []models.Passkey) (options json.RawMessage, _ Ceremony, err error) {
	who := account{u, has}
	creation, session, err := r.library.BeginRegistration(who,
		webauthn.WithExclusions(webauthn.Credentials(who.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, Ceremony{}, err
	}
	options, err = json.Marshal(creation.Response)
	return options, Ceremony(*session), err
}

// FinishRegistration verifies a RegistrationResponseJSON of WebAuthn and returns the new passkey of the user, without a name.
// The error is invalid_request unless the response belongs to the ceremony and its authenticator has verified the person.
func (r *RelyingParty) FinishRegistration(
	u models.User, c Ceremony, expires time.Time, answer []byte,
) (models.Passkey, models.Challenge, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	var credential *webauthn.Credential
	if err == nil {
		credential, err = r.library.CreateCredential(account{User: u}, webauthn.SessionData(c), parsed)
	}
	if err != nil {
		const message = "is not an authenticator's response to this registration; begin again"
		return models.Passkey{}, models.Challenge{}, &models.Error{
			Code: models.CodeInvalid, Message: "credential " + message, Cause: err,
			Fields: []models.FieldError{{Field: "credential", Message: message}},
		}
	}
	return models.Passkey{
		UserID: u.ID, RPID: r.ID(), CredentialID: credential.ID, PublicKey: credential.PublicKey,
		Flags: credential.Flags.MsgpByte(), SignCount: credential.Authenticator.SignCount,
	}, c.challenge(expires), nil
}

// BeginLogin returns the options for navigator.credentials.get, as JSON. They do not identify a user: the authenticator offers all of
// its passkeys for the domain.
func (r *RelyingParty) BeginLogin() (options json.RawMessage, _ Ceremony, err error) {
	assertion, session, err := r.library.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, Ceremony{}, err
	}
	options, err = json.Marshal(assertion.Response)
	return options, Ceremony(*session), err
}

// errLogin returns the error for a failed sign-in. Its cause is only for the log.
func errLogin(cause error) error {
	return &models.Error{Code: models.CodeUnauthenticated, Message: models.PasskeyRefused, Cause: cause}
}

// FinishLogin verifies an AuthenticationResponseJSON of WebAuthn. find returns the passkey with the id of an
// authenticator and its user, or not_found. The error is unauthenticated unless the response belongs to the ceremony, is signed with
// that passkey of that user, and the authenticator has verified the user.
func (r *RelyingParty) FinishLogin(
	c Ceremony, expires time.Time, answer []byte, find func(credentialID []byte) (models.Passkey, models.User, error),
) (models.PasskeyLogin, models.User, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return models.PasskeyLogin{}, models.User{}, errLogin(err)
	}
	var passkey models.Passkey
	var u models.User
	var notFound error
	_, credential, err := r.library.ValidatePasskeyLogin(func(id, _ []byte) (webauthn.User, error) {
		if passkey, u, notFound = find(id); notFound != nil {
			return nil, notFound
		}
		if passkey.RPID != r.ID() {
			return nil, fmt.Errorf("the passkey is for the domain %s", passkey.RPID)
		}
		return account{u, []models.Passkey{passkey}}, nil
	}, webauthn.SessionData(c), parsed)
	if notFound != nil && models.CodeOf(notFound) != models.CodeNotFound {
		return models.PasskeyLogin{}, models.User{}, notFound
	}
	if err != nil {
		return models.PasskeyLogin{}, models.User{}, errLogin(err)
	}
	return models.PasskeyLogin{
		Passkey: passkey, Challenge: c.challenge(expires), Flags: credential.Flags.MsgpByte(),
		SignCount: credential.Authenticator.SignCount, Cloned: credential.Authenticator.CloneWarning,
	}, u, nil
}
