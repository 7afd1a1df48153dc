package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/passkey"
	"github.com/waft-ota/waft/models"
)

// Passkeys stores the passkeys of accounts.
type Passkeys interface {
	// Passkeys returns the passkeys of a user, newest first.
	Passkeys(ctx context.Context, userID int64) ([]models.Passkey, error)
	// PasskeyByCredential finds a passkey with its user by the authenticator's ID, or returns not_found.
	PasskeyByCredential(ctx context.Context, id []byte) (models.Passkey, models.User, error)
	// AddPasskey invalidates the challenge.
	AddPasskey(ctx context.Context, actor models.Actor, p models.Passkey, answered models.Challenge) (models.Passkey, error)
	// RenamePasskey leaves the name as it is if name is nil.
	RenamePasskey(ctx context.Context, actor models.Actor, u models.User, id int64, name *string) (models.Passkey, error)
	// RemovePasskey fails with in_use if the user cannot sign in with any other of the ways.
	RemovePasskey(ctx context.Context, actor models.Actor, u models.User, id int64, ways models.LoginWays) error
	// LogInWithPasskey begins a session, unless the authenticator's response was used before.
	LogInWithPasskey(ctx context.Context, requestID string, u models.User, verified models.PasskeyLogin, login models.NewSession) error
}

var (
	listPasskeysDoc = rest.Doc(tagSignIn, "listPasskeys", "List your passkeys", "Returns your passkeys, newest first.")
	beginPasskeyDoc = access.Sensitive(rest.Doc(tagSignIn, "beginPasskeyRegistration", "Begin to add a passkey",
		"Pass publicKey to PublicKeyCredential.parseCreationOptionsFromJSON, pass the result to navigator.credentials.create, "+
			"and finish in the same browser within five minutes. A session of a terminal cannot add a passkey."))
	addPasskeyDoc = access.Sensitive(rest.Doc(tagSignIn, "finishPasskeyRegistration", "Add a passkey",
		"An account has at most 20 passkeys. A response of an authenticator is accepted once.", http.StatusCreated, http.StatusConflict))
	patchPasskeyDoc  = rest.Doc(tagSignIn, "patchPasskey", "Rename a passkey", "Renames one of your passkeys.")
	removePasskeyDoc = access.Sensitive(rest.Doc(tagSignIn, "deletePasskey", "Delete a passkey",
		"Deletes one of your passkeys. You cannot delete your last sign-in method.", http.StatusConflict))
	beginPasskeyLoginDoc = rest.Doc(tagSignIn, "beginPasskeyLogin", "Begin to sign in with a passkey",
		"An email address is not required: the browser offers the passkeys that it has. Pass publicKey to "+
			"PublicKeyCredential.parseRequestOptionsFromJSON, pass the result to navigator.credentials.get, and finish in the "+
			"same browser within five minutes.", http.StatusForbidden)
	passkeyLoginDoc = rest.Doc(tagSignIn, "finishPasskeyLogin", "Sign in with a passkey",
		"The response sets the session's cookie and ends the session that the request had. A response of an authenticator is "+
			"accepted once. From the sixth failure of a network within 15 minutes, the next attempt from there must wait.", http.StatusForbidden)
)

var (
	errNoPasskeys = models.Errorf(models.CodeForbidden,
		"passkeys are off on this server: set WAFT_BASE_URL to an https URL with a domain; the server's log has details")
	errPasskeysElsewhere = models.Errorf(models.CodeForbidden, "passkeys are off on this server: sign in with an identity provider")
	errNotBegun          = models.Errorf(models.CodeUnauthenticated,
		"this browser has not begun a sign-in with a passkey, or began it too long ago; begin again")
	errNotRegistering = rest.Invalid("credential",
		"does not belong to a registration that this session and browser began recently; begin again")
)

// passkeysOff returns an error with the reason why passkeys cannot be used, or nil.
func (h *Handlers) passkeysOff() error {
	switch {
	case h.SSOOnly:
		return errPasskeysElsewhere
	case h.RelyingParty == nil:
		return errNoPasskeys
	default:
		return nil
	}
}

// begunPasskey is the state of a registration or sign-in, which the browser keeps in an encrypted cookie.
type begunPasskey struct {
	Ceremony passkey.Ceremony
	// Session is the ID of the session that registers, or 0 for a sign-in.
	Session int64
	Expires time.Time
}

// Passkey is a passkey of a person.
type Passkey struct {
	ID           int64      `json:"id"`
	Name         string     `json:"name"`
	Domain       string     `json:"domain" doc:"Domain that the passkey works on: the domain of the installation's URL when the passkey was created."`
	CloneWarning bool       `json:"cloneWarning" doc:"Whether a sign-in with the passkey was refused because a copy of it may exist."`
	CreatedAt    rest.Time  `json:"createdAt"`
	LastUsedAt   *rest.Time `json:"lastUsedAt" nullable:"true" doc:"Time of the last sign-in with the passkey; null before the first one."`
}

func passkeyRecord(p models.Passkey) Passkey {
	return Passkey{
		ID: p.ID, Name: p.Name, Domain: p.RPID, CloneWarning: p.CloneWarning, CreatedAt: rest.Time{Time: p.CreatedAt},
		LastUsedAt: rest.TimeOrNull(p.LastUsedAt),
	}
}

func (Passkey) Example() any {
	return Passkey{ID: 71, Name: "MacBook", Domain: "ota.example.com", CreatedAt: rest.ExampleTime, LastUsedAt: &rest.ExampleTime}
}

func (h *Handlers) listPasskeys(ctx context.Context, _ *struct{}) (*rest.Output[[]Passkey], error) {
	found, err := h.Passkeys.Passkeys(ctx, rest.CallOf(ctx).Caller.Person.User.ID)
	return &rest.Output[[]Passkey]{Body: rest.Rendered(found, passkeyRecord)}, err
}

// PasskeyOptions are the options that a browser passes to an authenticator.
type PasskeyOptions struct {
	PublicKey map[string]any `json:"publicKey" doc:"WebAuthn's PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON."`
}

func (PasskeyOptions) Example() any {
	return PasskeyOptions{map[string]any{
		"challenge": "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "rpId": "ota.example.com", "timeout": 300000, "userVerification": "required",
	}}
}

// optionsOutput sets the cookie with the state of the registration or sign-in.
type optionsOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"Cookie with the state that the finish needs."`
	Body      PasskeyOptions
}

// begun returns the response that begins a registration or sign-in.
func (h *Handlers) begun(ctx context.Context, options json.RawMessage, ceremony passkey.Ceremony, session int64) (*optionsOutput, error) {
	out := &optionsOutput{}
	if err := json.Unmarshal(options, &out.Body.PublicKey); err != nil {
		return nil, err
	}
	sealed, err := h.Gate.Seal(access.PasskeyCookie, begunPasskey{ceremony, session, h.Now().Add(passkey.Life)})
	out.SetCookie = access.BrowserOf(rest.CallOf(ctx)).Set(access.PasskeyCookie, access.PlainPasskeyCookie, sealed, passkey.Life)
	return out, err
}

// resumed returns the state that the browser began in the session. ok is false if it did not begin recently.
func (h *Handlers) resumed(ctx context.Context, session int64) (begun begunPasskey, ok bool) {
	err := h.Gate.Open(access.PasskeyCookie, access.BrowserOf(rest.CallOf(ctx)).Passkey, &begun)
	return begun, err == nil && begun.Session == session && h.Now().Before(begun.Expires)
}

func (h *Handlers) beginPasskey(ctx context.Context, _ *struct{}) (*optionsOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	p := rest.CallOf(ctx).Caller.Person
	if err := addsInBrowser(p); err != nil {
		return nil, err
	}
	has, err := h.Passkeys.Passkeys(ctx, p.User.ID)
	if err != nil {
		return nil, err
	}
	options, ceremony, err := h.RelyingParty.BeginRegistration(p.User, has)
	if err != nil {
		return nil, err
	}
	return h.begun(ctx, options, ceremony, p.Session.ID)
}

type addPasskeyBody struct {
	Name       string         `json:"name" doc:"Name of the passkey, to distinguish it from others."`
	Credential map[string]any `json:"credential" doc:"RegistrationResponseJSON of WebAuthn, as toJSON() of the new credential returns it."`
}

func (b addPasskeyBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.ValidatePasskeyName(b.Name))
}

func (addPasskeyBody) Example() any {
	return addPasskeyBody{Name: "MacBook", Credential: map[string]any{
		"id": "8m0eRzTfQk6", "rawId": "8m0eRzTfQk6", "type": "public-key",
		"response": map[string]any{"clientDataJSON": "eyJ0eXBlIjoi…", "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVi…"},
	}}
}

// passkeyOutput removes the state from the browser.
type passkeyOutput struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Passkey
}

func (h *Handlers) addPasskey(ctx context.Context, in *rest.BodyInput[addPasskeyBody]) (*passkeyOutput, error) {
	if err := h.passkeysOff(); err != nil {
		return nil, err
	}
	who := rest.CallOf(ctx).Caller.Person
	if err := addsInBrowser(who); err != nil {
		return nil, err
	}
	begun, ok := h.resumed(ctx, who.Session.ID)
	if !ok {
		return nil, errNotRegistering
	}
	answer, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	p, answered, err := h.RelyingParty.FinishRegistration(who.User, begun.Ceremony, begun.Expires, answer)
	if err != nil {
		return nil, err
	}
	p.Name = in.Body.Name
	p, err = h.Passkeys.AddPasskey(ctx, rest.ActorOf(ctx), p, answered)
	return &passkeyOutput{access.BrowserOf(rest.CallOf(ctx)).NoPasskey(), passkeyRecord(p)}, err
}

type patchPasskeyBody struct {
	Name rest.Patch[string] `json:"name,omitzero" doc:"Name of the passkey, to distinguish it from others."`
}

func (b patchPasskeyBody) Model() (name *string, p models.Problems) {
	name = b.Name.NotNull(&p, "name")
	if name != nil {
		models.CheckName(&p, "name", *name)
	}
	return name, p
}

func (b patchPasskeyBody) Resolve(huma.Context) []error {
	_, p := b.Model()
	return rest.BodyErrors(p.Err())
}

func (patchPasskeyBody) Example() any { return patchPasskeyBody{Name: rest.PatchTo("Work laptop")} }

func (h *Handlers) patchPasskey(ctx context.Context, in *rest.IDBodyInput[patchPasskeyBody]) (*rest.Output[Passkey], error) {
	name, _ := in.Body.Model()
	p, err := h.Passkeys.RenamePasskey(ctx, rest.ActorOf(ctx), rest.CallOf(ctx).Caller.Person.User, in.ID, name)
	return &rest.Output[Passkey]{Body: passkeyRecord(p)}, err
}

func (h *Handlers) removePasskey(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return nil, h.Passkeys.RemovePasskey(ctx, rest.ActorOf(ctx), rest.CallOf(ctx).Caller.Person.User, in.ID, h.loginWays())
}

// beginPasskeyLogin begins a sign-in. It neither stores nor looks up anything, so that a flood of requests is as
// cheap as possible.
func (h *Handlers) beginPasskeyLogin(ctx context.Context, _ *struct{}) (*optionsOutput, error) {
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
	Credential map[string]any `json:"credential" doc:"AuthenticationResponseJSON of WebAuthn, as toJSON() of the credential returns it."`
}

func (passkeyLoginBody) Example() any {
	return passkeyLoginBody{map[string]any{
		"id": "8m0eRzTfQk6", "rawId": "8m0eRzTfQk6", "type": "public-key",
		"response": map[string]any{
			"clientDataJSON": "eyJ0eXBlIjoi…", "authenticatorData": "SZYN5YgOjGh0NBcP…", "signature": "MEUCIQDk…", "userHandle": "Zm9vYmFy",
		},
	}}
}

// passkeyLoginOutput sets the session's cookie and removes the cookie with the state.
type passkeyLoginOutput struct {
	SetCookie []string `header:"Set-Cookie" doc:"Cookie of the session."`
	Body      Login
}

func (h *Handlers) logInWithPasskey(ctx context.Context, in *rest.BodyInput[passkeyLoginBody]) (*passkeyLoginOutput, error) {
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
	c := rest.CallOf(ctx)
	b, session := access.BrowserOf(c), models.NewSecretToken()
	try, err := h.logins.beginAnswer(b.From.Network)
	if err != nil {
		return nil, err
	}
	verified, u, err := h.RelyingParty.FinishLogin(begun.Ceremony, begun.Expires, answer,
		func(id []byte) (models.Passkey, models.User, error) { return h.Passkeys.PasskeyByCredential(ctx, id) })
	if err == nil {
		err = h.Passkeys.LogInWithPasskey(ctx, c.ID, u, verified, b.Login(session, models.LoginPasskey))
	}
	if models.CodeOf(err) != models.CodeUnauthenticated {
		try.withdrawn()
	}
	if err != nil {
		return nil, err
	}
	h.logins.known.changed(b.From.Network)
	return &passkeyLoginOutput{[]string{h.Gate.Cookie(b, session), b.NoPasskey()}, Login{userRecord(u)}}, nil
}
