package auth

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/models"
)

// People stores accounts and their sessions.
type People interface {
	// SetupRequired reports whether no account exists.
	SetupRequired(ctx context.Context) (bool, error)
	// CheckSetupLink returns unauthenticated unless the token belongs to the setup link, and already_exists if there
	// is an owner.
	CheckSetupLink(ctx context.Context, token models.SecretToken) error
	// SetUp creates the first owner and invalidates the link.
	SetUp(ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession) (models.User, error)
	// UserByEmail finds an account, or returns not_found.
	UserByEmail(ctx context.Context, email string) (models.User, error)
	// LogIn begins a session, unless the password was changed since u was read. It stores rehashed unless that is "".
	LogIn(ctx context.Context, requestID string, u models.User, login models.NewSession, rehashed string) error
	// LogInWith begins a session of an identity's account, which it creates if necessary. With link, it links the
	// identity with the account of that session, which the new session replaces.
	LogInWith(ctx context.Context, requestID string, p models.IdentityLogin, link *models.Linking,
		login models.NewSession) (models.User, error)
	// ChangePassword ends all sessions except the kept one.
	ChangePassword(ctx context.Context, actor models.Actor, u models.User, hash string, kept int64) error
	// ForgetPassword mails a link to the address if it has an account. It takes the same steps for every address.
	ForgetPassword(ctx context.Context, requestID, email string) error
	// CheckResetLink returns unauthenticated unless the token belongs to a working link.
	CheckResetLink(ctx context.Context, token models.SecretToken) error
	// ResetPasswordByLink invalidates the link. It ends all sessions, and removes passkeys and identities.
	ResetPasswordByLink(ctx context.Context, requestID string, token models.SecretToken, hash string) error
	UpdateUser(ctx context.Context, actor models.Actor, id int64, name string) (models.User, error)
	Sessions(ctx context.Context, userID int64) ([]models.Session, error)
	// Identities returns the identities at providers that are linked with the user.
	Identities(ctx context.Context, userID int64) ([]models.UserIdentity, error)
	// RemoveIdentity fails with in_use if the user cannot sign in with any other of the ways.
	RemoveIdentity(ctx context.Context, actor models.Actor, u models.User, id int64, ways models.LoginWays) error
	EndSession(ctx context.Context, actor models.Actor, u models.User, id int64) error
	Memberships(ctx context.Context, u models.User) ([]models.Membership, error)
}

// Passwords hashes passwords, as many at the same time as the process can bear. Its methods fail with rate_limited
// above that.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	// Verify takes as long for "" as for a hash. Callers with first go before other callers. rehashed is "" unless
	// the hash has old parameters.
	Verify(ctx context.Context, hash, password string, first bool) (ok bool, rehashed string, err error)
}

var (
	methodsDoc = rest.Doc(tagSignIn, "getLoginMethods", "List sign-in methods",
		"Returns the sign-in methods of the installation. setupRequired means that no account exists: `waftd setup-link` "+
			"prints the link to create the first account.")
	setUpDoc = rest.Doc(tagSignIn, "setUp", "Create the first account",
		"The account is an owner: an admin of every project. The link works once, for one hour. A refused attempt does not "+
			"invalidate it.",
		http.StatusCreated, http.StatusConflict)
	logInDoc = rest.Doc(tagSignIn, "logIn", "Sign in with a password",
		"The response sets the session's cookie and ends the session that the request had. The response to an unknown address "+
			"is the same as to a wrong password. From the sixth failure of the account in the network (IPv4 /24, IPv6 /48) "+
			"within 15 minutes, the next attempt must wait. Two more limits apply to networks in which the account has never "+
			"signed in: 50 failures of the network over all accounts, and 20 failures of the account over all such networks. "+
			"Neither delays an account in a network in which it has signed in.")
	logOutDoc         = rest.Doc(tagSignIn, "logOut", "Sign out", "Ends the session of the request.")
	changePasswordDoc = rest.Doc(tagSignIn, "changePassword", "Change your password",
		"Ends all your other sessions. If your account does not have a password yet, you can omit the current one, but you "+
			"must have signed in within the last 15 minutes, and not on a terminal.",
		http.StatusNoContent, http.StatusTooManyRequests)
)

// LoginMethods lists the sign-in methods of the installation.
type LoginMethods struct {
	SetupRequired  bool               `json:"setupRequired" doc:"Whether no account exists yet."`
	Password       bool               `json:"password" doc:"Whether people can sign in with an email address and a password."`
	ForgotPassword bool               `json:"forgotPassword" doc:"Whether Waft mails a link to people who forgot their password, which requires WAFT_SMTP_URL."`
	Passkeys       bool               `json:"passkeys" doc:"Whether people can sign in with a passkey, which requires WAFT_BASE_URL."`
	OIDC           []IdentityProvider `json:"oidc" doc:"Identity providers, where sign-in begins at /v1/auth/oidc/{provider}."`
}

// IdentityProvider is an identity provider that people can sign in with.
type IdentityProvider struct {
	ID   string `json:"id" doc:"ID of the provider in paths."`
	Name string `json:"name" doc:"Display name of the provider."`
}

func (LoginMethods) Example() any {
	return LoginMethods{Password: true, ForgotPassword: true, Passkeys: true, OIDC: []IdentityProvider{{ID: "okta", Name: "Okta"}}}
}

func (h *Handlers) loginMethods(ctx context.Context, _ *struct{}) (*rest.Output[LoginMethods], error) {
	required, err := h.People.SetupRequired(ctx)
	return &rest.Output[LoginMethods]{Body: LoginMethods{
		SetupRequired: required, Password: !h.SSOOnly, ForgotPassword: h.ByMail && !h.SSOOnly, Passkeys: h.passkeysOff() == nil,
		OIDC: rest.Rendered(h.IdentityProviders.Providers(), func(p sso.Provider) IdentityProvider { return IdentityProvider{p.ID, p.Name} }),
	}}, err
}

// User is a person with an account.
type User struct {
	ID      int64  `json:"id"`
	Email   string `json:"email"`
	Name    string `json:"name"`
	IsOwner bool   `json:"isOwner" doc:"Whether the user is an owner, who is an admin of every project."`
}

func userRecord(u models.User) User {
	return User{ID: u.ID, Email: u.Email, Name: u.Name, IsOwner: u.IsOwner}
}

var exampleUser = User{ID: 3, Email: "jo@example.com", Name: "Jo Doe", IsOwner: true}

// Login is the response to a sign-in.
type Login struct {
	User User `json:"user"`
}

func (Login) Example() any { return Login{exampleUser} }

// loginOutput sets the cookie of the new session.
type loginOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"Cookie of the session."`
	Body      Login
}

// errNoPasswords is the error for passwords if people sign in only with an identity provider.
var errNoPasswords = models.Errorf(models.CodeForbidden, "people sign in with an identity provider here, not with a password")

type setUpBody struct {
	Token    string `json:"token" doc:"Token: the part of the setup link after the #."`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Password string `json:"password" doc:"Password of at least 12 characters."`
}

func (b setUpBody) Resolve(huma.Context) []error {
	return append(rest.BodyErrors(models.NewUser{Email: b.Email, Name: b.Name}.Validate()), newPasswordErrors("password", b.Password)...)
}

func (setUpBody) Example() any {
	return setUpBody{
		Token: exampleToken, Email: exampleUser.Email, Name: exampleUser.Name, Password: "correct horse battery staple",
	}
}

const exampleToken = "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func newPasswordErrors(field, password string) []error {
	var p models.Problems
	models.CheckPassword(&p, field, password)
	return rest.BodyErrors(p.Err())
}

func (h *Handlers) setUp(ctx context.Context, in *rest.BodyInput[setUpBody]) (*loginOutput, error) {
	if err := h.Limits.UnknownKeys.Take(access.BrowserOf(rest.CallOf(ctx)).From); err != nil {
		return nil, err
	}
	token, ok := models.ParseSecretToken(in.Body.Token)
	if !ok {
		token = models.NewSecretToken() // a token that does not belong to the link
	}
	// The link is checked before the password is hashed, which is expensive.
	if err := h.People.CheckSetupLink(ctx, token); err != nil {
		return nil, err
	}
	hash, err := h.Passwords.Hash(ctx, in.Body.Password)
	if err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	b, session := access.BrowserOf(c), models.NewSecretToken()
	n := models.NewUser{Email: in.Body.Email, Name: in.Body.Name, PasswordHash: hash}
	u, err := h.People.SetUp(ctx, c.ID, token, n, b.Login(session, models.LoginSetup))
	return &loginOutput{h.Gate.Cookie(b, session), Login{userRecord(u)}}, err
}

type logInBody struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func (b logInBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.Credentials(b).Validate())
}

func (logInBody) Example() any {
	return logInBody{Email: exampleUser.Email, Password: "correct horse battery staple"}
}

// errLogin is the same for every reason, because a reason would help to guess accounts.
var errLogin = models.Errorf(models.CodeUnauthenticated, "the email address or the password is wrong")

func (h *Handlers) logIn(ctx context.Context, in *rest.BodyInput[logInBody]) (*loginOutput, error) {
	u, rehashed, err := h.verify(ctx, in.Body.Email, in.Body.Password)
	if err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	b, session := access.BrowserOf(c), models.NewSecretToken()
	if err := h.People.LogIn(ctx, c.ID, u, b.Login(session, models.LoginPassword), rehashed); err != nil {
		return nil, err
	}
	h.logins.known.changed(b.From.Network)
	return &loginOutput{h.Gate.Cookie(b, session), Login{userRecord(u)}}, nil
}

// verify finds the account with an address and a password. It takes the same time whether or not the account exists.
func (h *Handlers) verify(ctx context.Context, email, password string) (u models.User, rehashed string, err error) {
	if h.SSOOnly {
		return u, "", errNoPasswords
	}
	try, err := h.logins.begin(ctx, email, placeOf(ctx))
	if err != nil {
		return u, "", err
	}
	u, err = h.People.UserByEmail(ctx, email)
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		try.withdrawn()
		return u, "", err
	}
	ok, rehashed, err := h.Passwords.Verify(ctx, u.PasswordHash, password, try.known)
	switch {
	case err != nil: // the password was not compared
		try.withdrawn()
	case ok:
		try.succeeded()
	default:
		if try.repeated {
			h.attacks.note(ctx, u, placeOf(ctx).network, try.known)
		}
		err = errLogin
	}
	return u, rehashed, err
}

// signedOut removes the session from the browser.
type signedOut struct {
	SetCookie string `header:"Set-Cookie"`
}

func (h *Handlers) logOut(ctx context.Context, _ *struct{}) (*signedOut, error) {
	c := rest.CallOf(ctx)
	p := c.Caller.Person
	err := h.People.EndSession(ctx, c.Caller.Actor, p.User, p.Session.ID)
	if models.CodeOf(err) == models.CodeNotFound {
		err = nil // the session ended at the same moment
	}
	return &signedOut{access.BrowserOf(c).NoCookie()}, err
}

type changePasswordBody struct {
	Current string `json:"current,omitempty" doc:"Current password; absent if the account does not have one."`
	New     string `json:"new" doc:"New password of at least 12 characters."`
}

func (b changePasswordBody) Resolve(huma.Context) []error { return newPasswordErrors("new", b.New) }

func (changePasswordBody) Example() any {
	return changePasswordBody{Current: "correct horse battery staple", New: "staple battery horse correct"}
}

func (h *Handlers) changePassword(ctx context.Context, in *rest.BodyInput[changePasswordBody]) (*struct{}, error) {
	if h.SSOOnly {
		return nil, errNoPasswords
	}
	p := rest.CallOf(ctx).Caller.Person
	if p.User.PasswordHash == "" {
		if err := cmp.Or(addsInBrowser(p), h.Gate.CheckRecent(ctx)); err != nil {
			return nil, err
		}
	} else if _, _, err := h.verify(ctx, p.User.Email, in.Body.Current); errors.Is(err, errLogin) {
		return nil, rest.Invalid("current", "is not your password")
	} else if err != nil {
		return nil, err
	}
	hash, err := h.Passwords.Hash(ctx, in.Body.New)
	if err != nil {
		return nil, err
	}
	return nil, h.People.ChangePassword(ctx, rest.ActorOf(ctx), p.User, hash, p.Session.ID)
}
