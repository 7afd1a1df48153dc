package access

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Names of the cookie that holds a session's token. Because of the prefix, browsers accept it only over TLS, for this
// host alone and for all of its paths.
const (
	SessionCookie = "__Host-waft_session"
	// PlainCookie is for http on the machine itself, without TLS.
	PlainCookie = "waft_session"
)

// browser is the client of a route under /v1/auth.
type browser struct {
	userAgent string
	// From is the origin that the rate limits count.
	From rest.Sender
	// Networks are the hashes of the network of From under each of Gate.NetworkKeys.
	Networks []models.NetworkHash
	// plain is set if the request came over http to this machine's own name.
	plain bool
	// Presented is the token in the request's cookie. It may not belong to any session.
	Presented models.SecretToken
	SignedIn  bool
	// Passkey is the encrypted state of a registration or sign-in that the browser has begun, or "".
	Passkey string
}

// BrowserOf returns the client of a request under /v1/auth.
func BrowserOf(c *rest.Call) browser {
	b, ok := c.Browser.(*browser)
	if !ok {
		return browser{}
	}
	return *b
}

// AboutPeople prepares requests of routes under /v1/auth. It refuses requests from pages of other origins even if
// they do not have a cookie, because a sign-in from elsewhere would put the visitor into a stranger's account.
func (g *Gate) AboutPeople(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	if err := g.sameOrigin(c.Request); err != nil {
		rest.Fail(c, err)
		return
	}
	b := &browser{
		From: rest.SenderOf(c), userAgent: c.Request.UserAgent(), plain: g.isPlain(c.Request),
	}
	for _, key := range g.NetworkKeys {
		b.Networks = append(b.Networks, models.HashNetwork(key, b.From.IP))
	}
	b.Presented, b.SignedIn = g.presentedToken(c.Request)
	b.Passkey = b.Read(c.Request, PasskeyCookie, PlainPasskeyCookie)
	rest.CallOf(c.Request.Context()).Browser = b
}

// sameOrigin refuses an unsafe request that a browser sends for a page of another origin.
func (g *Gate) sameOrigin(r *http.Request) error {
	if err := g.crossOrigin.Check(r); err != nil {
		return models.Errorf(models.CodeForbidden,
			"requests from pages of other origins are refused; a proxy in front of Waft must keep the header Host")
	}
	return nil
}

// newCrossOrigin trusts the origin that browsers see, even behind a proxy that changes the header Host.
func newCrossOrigin(baseURL string) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		_ = protection.AddTrustedOrigin(u.Scheme + "://" + u.Host) // cannot fail: a scheme and a host are an origin
	}
	return protection
}

// isPlain reports whether a browser sent the request over http to a loopback name. It returns false if people reach
// Waft by https, because a proxy that ends TLS on this machine may send any Host.
func (g *Gate) isPlain(r *http.Request) bool {
	if g.SecureCookies || r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return false
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.Unmap().IsLoopback()
}

// presentedToken returns the token in the request's cookie. ok is false without a token that Waft created.
func (g *Gate) presentedToken(r *http.Request) (t models.SecretToken, ok bool) {
	return g.untagged(browser{plain: g.isPlain(r)}.Read(r, SessionCookie, PlainCookie))
}

// Cookie returns the Set-Cookie header that gives the browser a session.
func (g *Gate) Cookie(b browser, token models.SecretToken) string {
	return b.Set(SessionCookie, PlainCookie, g.tagged(token), models.SessionLife)
}

// Read returns the value of a cookie of the request, or "".
func (b browser) Read(r *http.Request, name, plainName string) string {
	if b.plain {
		name = plainName
	}
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// NoCookie returns the Set-Cookie header that removes the session from the browser.
func (b browser) NoCookie() string { return b.Set(SessionCookie, PlainCookie, "", -time.Second) }

// Set returns a Set-Cookie header; a life below 0 deletes the cookie.
func (b browser) Set(name, plainName, value string, life time.Duration) string {
	if b.plain {
		name = plainName
	}
	cookie := http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), Secure: !b.plain, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
	return cookie.String()
}

// Login returns a new session by the given method, which replaces the session of the request.
func (b browser) Login(token models.SecretToken, method models.LoginMethod) models.NewSession {
	n := models.NewSession{TokenHash: token.Hash(), Method: method, Address: b.From.Text, UserAgent: b.userAgent}
	if len(b.Networks) > 0 {
		n.Network = b.Networks[0]
	}
	if b.SignedIn {
		n.Replaces = b.Presented.Hash()
	}
	return n
}

// Names of the cookie with the state of a registration or sign-in.
const (
	PasskeyCookie      = "__Host-waft_passkey"
	PlainPasskeyCookie = "waft_passkey"
)

// NoPasskey returns the Set-Cookie header that removes the state from the browser.
func (b browser) NoPasskey() string {
	return b.Set(PasskeyCookie, PlainPasskeyCookie, "", -time.Second)
}
