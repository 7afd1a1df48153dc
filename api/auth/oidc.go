package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/models"
)

// IdentityProviders sign people in.
type IdentityProviders interface {
	Providers() []sso.Provider
	// Begin returns the page that the browser opens to sign in, or not_found.
	Begin(ctx context.Context, id, redirectURL string) (authURL string, flow sso.Flow, err error)
	// Finish verifies the parameters with which the provider sends the browser back.
	Finish(ctx context.Context, flow sso.Flow, state, issuer, code, redirectURL string) (sso.Person, error)
}

// Names of the cookie that holds the state of a sign-in.
const (
	flowCookie      = "__Host-waft_login"
	plainFlowCookie = "waft_login"
	flowLife        = 10 * time.Minute
)

var (
	providerParam = &huma.Param{
		Name: "provider", In: "path", Required: true, Description: "ID of the identity provider.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "okta",
	}
	beginOIDCDoc = huma.Operation{
		OperationID: "beginOidc", Tags: []string{tagSignIn}, Summary: "Sign in with an identity provider",
		Description: "For browsers. Redirects to the provider, which redirects back to the callback.",
		Parameters: []*huma.Param{providerParam, {
			Name: "returnTo", In: "query", Description: "Path under /app/ that the browser opens at the end.",
			Schema: &huma.Schema{Type: huma.TypeString}, Example: "/app/demo/overview",
		}},
		Responses: map[string]*huma.Response{"303": {Description: "Redirect to the provider."}},
		Errors:    []int{http.StatusNotFound},
	}
	finishOIDCDoc = huma.Operation{
		OperationID: "finishOidc", Tags: []string{tagSignIn}, Summary: "Return from an identity provider",
		Description: "Sets the session's cookie. Waft finds the account by issuer and subject. Otherwise it creates an " +
			"account if groups give access or the verified address is invited. Errors redirect browsers to " +
			"/app/login#error=<code>." +
			"/app/login#error=<code>.",
		Parameters: []*huma.Param{
			providerParam,
			{Name: "state", In: "query", Schema: &huma.Schema{Type: huma.TypeString}, Example: "VKD6…"},
			{Name: "code", In: "query", Schema: &huma.Schema{Type: huma.TypeString}, Example: "SplxlOBeZQQYbYS6WxSbIA"},
		},
		Responses: map[string]*huma.Response{"303": {Description: "Redirect to the page that the sign-in was begun for."}},
		Errors:    []int{http.StatusNotFound, http.StatusConflict},
	}
)

// begunLogin is the state of a sign-in, which the browser keeps in an encrypted cookie.
type begunLogin struct {
	Flow     sso.Flow
	ReturnTo string
	// Link is the account to link the identity with and the session that began, or nil.
	Link    *models.Linking
	Expires time.Time
}

func (h *Handlers) beginOIDC(c *gin.Context) {
	ctx := c.Request.Context()
	authURL, cookie, err := h.beginFlow(ctx, c.Param("provider"), begunLogin{ReturnTo: localPath(c.Query("returnTo"))})
	if err != nil {
		failPage(c, err)
		return
	}
	c.Writer.Header().Add("Set-Cookie", cookie)
	c.Redirect(http.StatusSeeOther, authURL)
}

// beginFlow returns the page that the browser opens to sign in, and the Set-Cookie header with the state of the
// sign-in.
func (h *Handlers) beginFlow(ctx context.Context, provider string, begun begunLogin) (authURL, cookie string, err error) {
	begun.Expires = h.Now().Add(flowLife)
	if authURL, begun.Flow, err = h.IdentityProviders.Begin(ctx, provider, h.callbackURL(provider)); err != nil {
		return "", "", err
	}
	sealed, err := h.Gate.Seal(flowCookie, begun)
	return authURL, access.BrowserOf(rest.CallOf(ctx)).Set(flowCookie, plainFlowCookie, sealed, flowLife), err
}

func (h *Handlers) finishOIDC(c *gin.Context) {
	call := rest.CallOf(c.Request.Context())
	b := access.BrowserOf(call)
	c.Writer.Header().Add("Set-Cookie", b.Set(flowCookie, plainFlowCookie, "", -time.Second))
	begun, person, err := h.returned(c)
	if err != nil {
		failPage(c, err)
		return
	}
	session := models.NewSecretToken()
	_, err = h.People.LogInWith(call, call.ID, models.IdentityLogin(person), begun.Link, b.Login(session, models.LoginOIDC))
	if err != nil {
		failPage(c, err)
		return
	}
	h.logins.known.changed(b.From.Network)
	c.Writer.Header().Add("Set-Cookie", h.Gate.Cookie(b, session))
	c.Redirect(http.StatusSeeOther, begun.ReturnTo)
}

// returned decrypts the browser's cookie and verifies the provider's response.
func (h *Handlers) returned(c *gin.Context) (begun begunLogin, person sso.Person, err error) {
	id := c.Param("provider")
	known := false
	for _, p := range h.IdentityProviders.Providers() {
		known = known || p.ID == id
	}
	if !known {
		return begun, person, models.Errorf(models.CodeNotFound, "identity provider %q is not configured on this server",
			rest.Clipped(id, rest.MaxFieldName))
	}
	sealed := access.BrowserOf(rest.CallOf(c.Request.Context())).Read(c.Request, flowCookie, plainFlowCookie)
	if err := h.Gate.Open(flowCookie, sealed, &begun); err != nil || begun.Flow.Provider != id || !h.Now().Before(begun.Expires) {
		return begun, person, models.Errorf(models.CodeUnauthenticated,
			"this browser has not begun this sign-in, or began it too long ago; begin again")
	}
	if c.Query("error") != "" {
		return begun, person, models.Errorf(models.CodeUnauthenticated, "the identity provider has refused the sign-in")
	}
	// Each finish sends a request to the provider, so attempts are limited to protect the provider from a flood.
	try, err := h.logins.beginAnswer(access.BrowserOf(rest.CallOf(c.Request.Context())).From.Network)
	if err != nil {
		return begun, person, err
	}
	person, err = h.IdentityProviders.Finish(
		c.Request.Context(), begun.Flow, c.Query("state"), c.Query("iss"), c.Query("code"), h.callbackURL(id))
	if models.CodeOf(err) != models.CodeUnauthenticated {
		try.withdrawn()
	}
	return begun, person, err
}

func (h *Handlers) callbackURL(id string) string {
	return h.BaseURL + "/v1/auth/oidc/" + url.PathEscape(id) + "/callback"
}

// localPath returns path if it is a page of the dashboard, otherwise the start page. Any other path would let a link
// lead through the sign-in to a stranger's site.
func localPath(path string) string {
	const home = "/app/"
	parsed, err := url.Parse(path)
	if err != nil || parsed.Host != "" || parsed.Scheme != "" || !strings.HasPrefix(path, home) || strings.ContainsAny(path, "\\\r\n\t") {
		return home
	}
	return path
}

// failPage shows the error to a browser on the sign-in page, and the problem to other clients.
func failPage(c *gin.Context, err error) {
	if !strings.Contains(c.GetHeader("Accept"), "text/html") {
		rest.Fail(c, err)
		return
	}
	p := rest.ProblemOf(c.Request.Context(), err)
	c.Redirect(http.StatusSeeOther, "/app/login#error="+string(p.Code))
	c.Abort()
}
