package auth

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Terminals stores the sign-ins that terminals begin and people confirm in the browser.
type Terminals interface {
	// BeginTerminalLogin fails with rate_limited if too many sign-ins of the network wait, and with already_exists if
	// another one has the code.
	BeginTerminalLogin(ctx context.Context, n models.NewTerminalLogin) (models.TerminalLogin, error)
	// PollTerminalLogin fails with rate_limited for a poll that comes too early, with unauthenticated for a used or expired
	// secret, and with forbidden if the person refused. A used secret still works for two minutes, in case a response is lost.
	PollTerminalLogin(ctx context.Context, token models.SecretToken) (models.TerminalLogin, models.User, error)
	// TerminalLogin returns the sign-in that waits with the code, or not_found.
	TerminalLogin(ctx context.Context, code models.TerminalCode) (models.TerminalLogin, error)
	// ConfirmTerminalLogin gives the terminal a session of the user, if the user's confirming session still exists.
	ConfirmTerminalLogin(ctx context.Context, actor models.Actor, u models.User, confirming int64, code models.TerminalCode) error
	RefuseTerminalLogin(ctx context.Context, code models.TerminalCode) error
}

var (
	beginTerminalDoc = rest.Doc(tagSignIn, "beginTerminalLogin", "Begin a sign-in that a person confirms in the browser",
		"For programs on a terminal, such as `waft login`, in the form of OAuth's Device Authorization Grant (RFC 8628). Show the "+
			"URL and the code, and poll POST /v1/auth/terminal-session with the secret. The sign-in ends after ten minutes. A network "+
			"(IPv4 /24, IPv6 /48) may have ten sign-ins that wait.", http.StatusCreated)
	pollTerminalDoc = rest.Doc(tagSignIn, "pollTerminalLogin", "Get the session of a confirmed sign-in",
		"Returns the state pending until a person decides. Once confirmed, the response sets the cookie of a session of that "+
			"person. For two minutes the secret gives the same cookie again, because a response may be lost. A poll that comes "+
			"before intervalSeconds have passed fails with rate_limited and makes the interval 5 seconds longer; Retry-After "+
			"has the new one. A refused sign-in fails with forbidden. A secret that is unknown, used or expired fails with "+
			"unauthenticated.", http.StatusForbidden)
	showTerminalDoc = rest.Doc(tagSignIn, "getTerminalLogin", "Show the terminal that waits with a code",
		"Show it to the person, who compares it with their terminal. From the sixth wrong code of a network within 15 minutes, "+
			"the next attempt from there must wait.", http.StatusNotFound)
	confirmTerminalDoc = access.Sensitive(rest.Doc(tagSignIn, "confirmTerminalLogin", "Confirm the sign-in of a terminal",
		"Gives the terminal a session of your account, which GET /v1/auth/sessions lists. A session of a terminal cannot confirm "+
			"another terminal.", http.StatusNotFound))
	refuseTerminalDoc = rest.Doc(tagSignIn, "refuseTerminalLogin", "Refuse the sign-in of a terminal",
		"The terminal does not get a session.", http.StatusNotFound)
)

// useTerminal is the use of the tag in a terminal's secret; see access.Gate.Tagged.
const useTerminal = "terminal"

type beginTerminalBody struct {
	Name string `json:"name" doc:"Name of the machine, such as its host name. The person sees it."`
}

func (b beginTerminalBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.NewTerminalLogin{Name: b.Name}.Validate())
}

func (beginTerminalBody) Example() any { return beginTerminalBody{Name: exampleTerminal.Name} }

// BegunTerminalLogin is a sign-in that waits for a person, as its terminal sees it.
type BegunTerminalLogin struct {
	Secret          string    `json:"secret" doc:"Secret with which the terminal polls, shown only once."`
	Code            string    `json:"code" doc:"Code that the terminal shows and the person compares."`
	URL             string    `json:"url" doc:"Page where the person confirms the sign-in."`
	IntervalSeconds int       `json:"intervalSeconds" doc:"Time to wait between two polls, in seconds."`
	ExpiresAt       rest.Time `json:"expiresAt" doc:"Time at which the sign-in ends."`
}

func (BegunTerminalLogin) Example() any {
	return BegunTerminalLogin{
		Secret: exampleToken + ".AAAAAAAAAAAAAAAAAAAAAA", Code: exampleTerminal.Code,
		URL: "https://ota.example.com/app/terminal#" + exampleTerminal.Code, IntervalSeconds: 5, ExpiresAt: exampleTerminal.ExpiresAt,
	}
}

func (h *Handlers) beginTerminal(ctx context.Context, in *rest.BodyInput[beginTerminalBody]) (*rest.Output[BegunTerminalLogin], error) {
	b := access.BrowserOf(rest.CallOf(ctx))
	if err := h.Limits.UnknownKeys.Take(b.From); err != nil {
		return nil, err
	}
	n := models.NewTerminalLogin{Token: models.NewSecretToken(), Name: in.Body.Name, Address: b.From.Text, Networks: b.Networks}
	if !b.From.Local {
		n.Network = b.Networks[0]
	}
	for attempt := 1; ; attempt++ {
		n.Code = models.NewTerminalCode()
		l, err := h.Terminals.BeginTerminalLogin(ctx, n)
		if models.CodeOf(err) == models.CodeAlreadyExists && attempt < 3 {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &rest.Output[BegunTerminalLogin]{Body: BegunTerminalLogin{
			Secret: h.Gate.Tagged(useTerminal, n.Token), Code: l.Code.Shown(), URL: h.BaseURL + "/app/terminal#" + l.Code.Shown(),
			IntervalSeconds: l.PollSeconds, ExpiresAt: rest.Time{Time: l.ExpiresAt},
		}}, nil
	}
}

type pollTerminalBody struct {
	Secret string `json:"secret" doc:"Secret of the sign-in."`
}

func (pollTerminalBody) Example() any {
	return pollTerminalBody{Secret: exampleToken + ".AAAAAAAAAAAAAAAAAAAAAA"}
}

// TerminalState is the state of a sign-in, as its terminal sees it.
type TerminalState struct {
	State models.TerminalLoginStatus `json:"state" enum:"pending,confirmed" doc:"Whether the person has confirmed the sign-in."`
	User  *User                      `json:"user,omitempty" doc:"User of the session; absent while the state is pending."`
}

func (TerminalState) Example() any {
	return TerminalState{State: models.TerminalConfirmed, User: &exampleUser}
}

// terminalOutput sets the cookie of the new session, if the sign-in is confirmed.
type terminalOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"Cookie of the session, if the state is confirmed."`
	Body      TerminalState
}

func (h *Handlers) pollTerminal(ctx context.Context, in *rest.BodyInput[pollTerminalBody]) (*terminalOutput, error) {
	b := access.BrowserOf(rest.CallOf(ctx))
	if err := h.Limits.UnknownKeys.Take(b.From); err != nil {
		return nil, err
	}
	token, ok := h.Gate.Untagged(useTerminal, in.Body.Secret)
	if !ok {
		return nil, models.ErrTerminalOver
	}
	l, u, err := h.Terminals.PollTerminalLogin(ctx, token)
	if err != nil {
		return nil, err
	}
	out := &terminalOutput{Body: TerminalState{State: l.Status}}
	if l.Status == models.TerminalConfirmed {
		user := userRecord(u)
		out.Body.User, out.SetCookie = &user, h.Gate.Cookie(b, token)
	}
	return out, nil
}

// TerminalLogin is a sign-in of a terminal, as the person who confirms it sees it.
type TerminalLogin struct {
	Code        string    `json:"code" doc:"Code that the terminal shows."`
	Name        string    `json:"name" doc:"Name that the machine gives itself. It is not verified."`
	Address     string    `json:"address" doc:"IP address of the terminal."`
	SameNetwork bool      `json:"sameNetwork" doc:"Whether the terminal is in the network (IPv4 /24, IPv6 /48) of this request."`
	CreatedAt   rest.Time `json:"createdAt"`
	ExpiresAt   rest.Time `json:"expiresAt" doc:"Time at which the sign-in ends."`
}

var exampleTerminal = TerminalLogin{
	Code: "WDJB-MJHT", Name: "build-7", Address: "203.0.113.7", SameNetwork: true, CreatedAt: rest.ExampleTime,
	ExpiresAt: rest.Time{Time: rest.ExampleTime.Add(models.TerminalLoginLife)},
}

func (TerminalLogin) Example() any { return exampleTerminal }

type terminalInput struct {
	Code string `path:"code" doc:"Code that the terminal shows, with or without its hyphen." example:"WDJB-MJHT"`
}

func (h *Handlers) showTerminal(ctx context.Context, in *terminalInput) (out *rest.Output[TerminalLogin], err error) {
	err = h.withCode(ctx, in, func(code models.TerminalCode) error {
		l, err := h.Terminals.TerminalLogin(ctx, code)
		out = &rest.Output[TerminalLogin]{Body: TerminalLogin{
			Code: l.Code.Shown(), Name: l.Name, Address: l.Address, SameNetwork: sameNetwork(l.Address, access.BrowserOf(rest.CallOf(ctx)).From),
			CreatedAt: rest.Time{Time: l.CreatedAt}, ExpiresAt: rest.Time{Time: l.ExpiresAt},
		}}
		return err
	})
	return out, err
}

func (h *Handlers) confirmTerminal(ctx context.Context, in *terminalInput) (*struct{}, error) {
	p := rest.CallOf(ctx).Caller.Person
	return nil, h.withCode(ctx, in, func(code models.TerminalCode) error {
		return h.Terminals.ConfirmTerminalLogin(ctx, rest.ActorOf(ctx), p.User, p.Session.ID, code)
	})
}

func (h *Handlers) refuseTerminal(ctx context.Context, in *terminalInput) (*struct{}, error) {
	return nil, h.withCode(ctx, in, func(code models.TerminalCode) error { return h.Terminals.RefuseTerminalLogin(ctx, code) })
}

// withCode calls do with the code of the path. Wrong codes delay the caller's network.
func (h *Handlers) withCode(ctx context.Context, in *terminalInput, do func(models.TerminalCode) error) error {
	from := access.BrowserOf(rest.CallOf(ctx)).From
	var try *attempt
	if !from.Local {
		var err error
		if try, err = h.codes.beginAnswer(from.Network); err != nil {
			return err
		}
	}
	var err error = models.ErrNoTerminal
	if code, ok := models.ParseTerminalCode(in.Code); ok {
		err = do(code)
	}
	if try != nil && models.CodeOf(err) != models.CodeNotFound {
		try.withdrawn()
	}
	return err
}

var errTerminalAdds = models.Errorf(models.CodeForbidden,
	"a session of `waft login` cannot add a way to sign in; use the dashboard in your browser, where you sign in yourself")

// addsInBrowser refuses to add a way to sign in with a session of a terminal, because a thief of the session could use
// the way after the session has ended.
func addsInBrowser(p *rest.SignedIn) error {
	if p.Session.Method == models.LoginTerminal {
		return errTerminalAdds
	}
	return nil
}

// sameNetwork reports whether an address belongs to the network of a sender.
func sameNetwork(address string, from rest.Sender) bool {
	at, err := netip.ParseAddr(address)
	return err == nil && models.Network(at) == models.Network(from.IP)
}
