package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/internal/identity/passkey"
	"github.com/waft-ota/waft/models"
)

// Passkeys stores the passkeys of accounts.
type Passkeys interface {
	// Passkeys lists those of a user, newest first.
	Passkeys(ctx context.Context, userID int64) ([]models.Passkey, error)
	// PasskeyByCredential finds a passkey by its authenticator's id, with its user, or answers not_found.
	PasskeyByCredential(ctx context.Context, id []byte) (models.Passkey, models.User, error)
	// AddPasskey uses the challenge up.
	AddPasskey(ctx context.Context, actor models.Actor, p models.Passkey, answered models.Challenge) (models.Passkey, error)
	// RenamePasskey changes nothing for the name nil.
	RenamePasskey(ctx context.Context, actor models.Actor, u models.User, id int64, name *string) (models.Passkey, error)
	// RemovePasskey is in_use when the user can sign in on the domain in no other way.
	RemovePasskey(ctx context.Context, actor models.Actor, u models.User, id int64, domain string) error
	// LogInWithPasskey begins a session, unless the answer was used before.
	LogInWithPasskey(ctx context.Context, requestID string, u models.User, verified models.PasskeyLogin, login models.NewSession) error
}

var (
	listPasskeysDoc = doc(tagSignIn, "listPasskeys", "List one's passkeys", "Newest first.")
	beginPasskeyDoc = sensitive(doc(tagSignIn, "beginPasskeyRegistration", "Begin to add a passkey",
		"Give publicKey to PublicKeyCredential.parseCreationOptionsFromJSON and the result to navigator.credentials.create, and "+
			"finish in the same browser within five minutes."))
	addPasskeyDoc = sensitive(doc(tagSignIn, "finishPasskeyRegistration", "Add a passkey",
		"An account has at most 20. An answer of an authenticator is taken once.", http.StatusCreated, http.StatusConflict))
	patchPasskeyDoc  = doc(tagSignIn, "patchPasskey", "Rename a passkey", "Of one's own.")
	removePasskeyDoc = sensitive(doc(tagSignIn, "deletePasskey", "Delete a passkey",
		"Of one's own. The last way to sign in stays.", http.StatusConflict))
	beginPasskeyLoginDoc = doc(tagSignIn, "beginPasskeyLogin", "Begin to sign in with a passkey",
		"Needs no e-mail address: the browser offers the passkeys that it has. Give publicKey to "+
			"PublicKeyCredential.parseRequestOptionsFromJSON and the result to navigator.credentials.get, and finish in the same "+
			"browser within five minutes.", http.StatusForbidden)
	passkeyLoginDoc = doc(tagSignIn, "finishPasskeyLogin", "Sign in with a passkey",
		"The answer sets the session's cookie, and ends the session that the request had. An answer of an authenticator is taken "+
			"once. Failures count as those of passwords do, by network.", http.StatusForbidden)
)

var (
	errNoPasskeys = models.Errorf(models.CodeForbidden,
		"passkeys are off here: the server needs WAFT_BASE_URL, an https URL with a domain; its log says more")
	errPasskeysElsewhere = models.Errorf(models.CodeForbidden, "passkeys are off here: sign in with an identity provider")
	errNotBegun          = models.Errorf(models.CodeUnauthenticated,
		"this browser has begun no login with a passkey, or too long ago; begin again")
	errNotRegistering = invalid("credential", "is of no registration that this session and browser have begun lately; begin again")
)

// passkeysOff says why passkeys cannot be used, or nil.
func (h *AuthHandlers) passkeysOff() error {
	switch {
	case h.SSOOnly:
		return errPasskeysElsewhere
	case h.RelyingParty == nil:
		return errNoPasskeys
	default:
		return nil
	}
}

// begunPasskey is what the browser keeps, encrypted, of a registration or login that has begun.
type begunPasskey struct {
	Ceremony passkey.Ceremony
	// Session is the id of the session that registers, 0 for a login.
	Session int64
	Expires time.Time
}

// Passkey is a passkey of a person.
type Passkey struct {
	ID           int64  `json:"id"`
	Name         string `json:"name"`
	Domain       string `json:"domain" doc:"The domain that it works on: that of the installation's URL when it was made."`
	CloneWarning bool   `json:"cloneWarning" doc:"A login with it was refused, since a copy of it may exist."`
	CreatedAt    Time   `json:"createdAt"`
	LastUsedAt   *Time  `json:"lastUsedAt" nullable:"true" doc:"When it last signed the person in."`
}

func passkeyRecord(p models.Passkey) Passkey {
	return Passkey{
		ID: p.ID, Name: p.Name, Domain: p.RPID, CloneWarning: p.CloneWarning, CreatedAt: Time{p.CreatedAt}, LastUsedAt: timeOrNull(p.LastUsedAt),
	}
}

func (Passkey) example() any {
	return Passkey{ID: 71, Name: "MacBook", Domain: "ota.example.com", CreatedAt: exampleTime, LastUsedAt: &exampleTime}
}

func (h *AuthHandlers) listPasskeys(ctx context.Context, _ *struct{}) (*output[[]Passkey], error) {
	found, err := h.Passkeys.Passkeys(ctx, callOf(ctx).caller.person.user.ID)
	return &output[[]Passkey]{rendered(found, passkeyRecord)}, err
}

// PasskeyOptions are what a browser asks an authenticator.
type PasskeyOptions struct {
	PublicKey map[string]any `json:"publicKey" doc:"WebAuthn's PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON."`
}

func (PasskeyOptions) example() any {
	return PasskeyOptions{map[string]any{
		"challenge": "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "rpId": "ota.example.com", "timeout": 300000, "userVerification": "required",
	}}
}

// optionsOutput sets the cookie of what has begun.
type optionsOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"What the finish needs."`
	Body      PasskeyOptions
}

// begun is the answer that begins a ceremony.
func (h *AuthHandlers) begun(ctx context.Context, options json.RawMessage, ceremony passkey.Ceremony, session int64) (*optionsOutput, error) {
	out := &optionsOutput{}
	if err := json.Unmarshal(options, &out.Body.PublicKey); err != nil {
		return nil, err
	}
	sealed, err := h.Gate.seal(passkeyCookie, begunPasskey{ceremony, session, h.Now().Add(passkey.Life)})
	out.SetCookie = browserOf(callOf(ctx)).set(passkeyCookie, plainPasskeyCookie, sealed, passkey.Life)
	return out, err
}

// resumed is what the browser has begun in the session; ok is false when it has begun nothing lately.
func (h *AuthHandlers) resumed(ctx context.Context, session int64) (begun begunPasskey, ok bool) {
	err := h.Gate.open(passkeyCookie, browserOf(callOf(ctx)).passkey, &begun)
	return begun, err == nil && begun.Session == session && h.Now().Before(begun.Expires)
}

func (h *AuthHandlers) beginPasskey(ctx context.Context, _ *struct{}) (*optionsOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	p := callOf(ctx).caller.person
	has, err := h.Passkeys.Passkeys(ctx, p.user.ID)
	if err != nil {
		return nil, err
	}
	options, ceremony, err := h.RelyingParty.BeginRegistration(p.user, has)
	if err != nil {
		return nil, err
	}
	return h.begun(ctx, options, ceremony, p.session.ID)
}

type addPasskeyBody struct {
	Name       string         `json:"name" doc:"To tell it from others."`
	Credential map[string]any `json:"credential" doc:"RegistrationResponseJSON of WebAuthn: what toJSON() of the new credential returns."`
}

func (b addPasskeyBody) Resolve(huma.Context) []error {
	return bodyErrors(models.ValidatePasskeyName(b.Name))
}

func (addPasskeyBody) example() any {
	return addPasskeyBody{Name: "MacBook", Credential: map[string]any{
		"id": "8m0eRzTfQk6", "rawId": "8m0eRzTfQk6", "type": "public-key",
		"response": map[string]any{"clientDataJSON": "eyJ0eXBlIjoi…", "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVi…"},
	}}
}

// passkeyOutput takes from the browser what had begun.
type passkeyOutput struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Passkey
}

func (h *AuthHandlers) addPasskey(ctx context.Context, in *bodyInput[addPasskeyBody]) (*passkeyOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	who := callOf(ctx).caller.person
	begun, ok := h.resumed(ctx, who.session.ID)
	if !ok {
		return nil, errNotRegistering
	}
	answer, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	p, answered, err := h.RelyingParty.FinishRegistration(who.user, begun.Ceremony, begun.Expires, answer)
	if err != nil {
		return nil, err
	}
	p.Name = in.Body.Name
	p, err = h.Passkeys.AddPasskey(ctx, actorOf(ctx), p, answered)
	return &passkeyOutput{browserOf(callOf(ctx)).noPasskey(), passkeyRecord(p)}, err
}

type patchPasskeyBody struct {
	Name Patch[string] `json:"name,omitzero" doc:"To tell it from others."`
}

func (b patchPasskeyBody) model() (name *string, p models.Problems) {
	name = b.Name.notNull(&p, "name")
	if name != nil {
		models.CheckName(&p, "name", *name)
	}
	return name, p
}

func (b patchPasskeyBody) Resolve(huma.Context) []error {
	_, p := b.model()
	return bodyErrors(p.Err())
}

func (patchPasskeyBody) example() any { return patchPasskeyBody{Name: patchTo("Work laptop")} }

func (h *AuthHandlers) patchPasskey(ctx context.Context, in *idBodyInput[patchPasskeyBody]) (*output[Passkey], error) {
	name, _ := in.Body.model()
	p, err := h.Passkeys.RenamePasskey(ctx, actorOf(ctx), callOf(ctx).caller.person.user, in.ID, name)
	return &output[Passkey]{passkeyRecord(p)}, err
}

func (h *AuthHandlers) removePasskey(ctx context.Context, in *idInput) (*struct{}, error) {
	domain := ""
	if h.RelyingParty != nil {
		domain = h.RelyingParty.ID()
	}
	return nil, h.Passkeys.RemovePasskey(ctx, actorOf(ctx), callOf(ctx).caller.person.user, in.ID, domain)
}

// beginPasskeyLogin stores nothing and looks nothing up, so that a flood of it costs no more than its requests.
func (h *AuthHandlers) beginPasskeyLogin(ctx context.Context, _ *struct{}) (*optionsOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	options, ceremony, err := h.RelyingParty.BeginLogin()
	if err != nil {
		return nil, err
	}
	return h.begun(ctx, options, ceremony, 0)
}

type passkeyLoginBody struct {
	Credential map[string]any `json:"credential" doc:"AuthenticationResponseJSON of WebAuthn: what toJSON() of the credential returns."`
}

func (passkeyLoginBody) example() any {
	return passkeyLoginBody{map[string]any{
		"id": "8m0eRzTfQk6", "rawId": "8m0eRzTfQk6", "type": "public-key",
		"response": map[string]any{
			"clientDataJSON": "eyJ0eXBlIjoi…", "authenticatorData": "SZYN5YgOjGh0NBcP…", "signature": "MEUCIQDk…", "userHandle": "Zm9vYmFy",
		},
	}}
}

// passkeyLoginOutput sets the cookie of the session, and takes the one of what had begun.
type passkeyLoginOutput struct {
	SetCookie []string `header:"Set-Cookie" doc:"The session."`
	Body      Login
}

func (h *AuthHandlers) logInWithPasskey(ctx context.Context, in *bodyInput[passkeyLoginBody]) (*passkeyLoginOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	begun, ok := h.resumed(ctx, 0)
	if !ok {
		return nil, errNotBegun
	}
	answer, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	b, session := browserOf(c), models.NewSecretToken()
	ended, err := h.logins.beginFrom(b.network)
	if err != nil {
		return nil, err
	}
	verified, u, err := h.RelyingParty.FinishLogin(begun.Ceremony, begun.Expires, answer,
		func(id []byte) (models.Passkey, models.User, error) { return h.Passkeys.PasskeyByCredential(ctx, id) })
	if err == nil {
		err = h.Passkeys.LogInWithPasskey(ctx, c.id, u, verified, b.login(session, models.LoginPasskey))
	}
	ended(err == nil || models.CodeOf(err) != models.CodeUnauthenticated) // else nothing was guessed
	if err != nil {
		return nil, err
	}
	h.logins.met(u.Email, b.network)
	return &passkeyLoginOutput{[]string{h.Gate.cookie(b, session), b.noPasskey()}, Login{userRecord(u)}}, nil
}
