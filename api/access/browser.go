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

// Names of the cookie that holds a session's token. The prefix makes browsers take it only over TLS, for
// this host alone and for all of it.
const (
	SessionCookie = "__Host-waft_session"
	// PlainCookie is for http on the machine itself, where there is no TLS.
	PlainCookie = "waft_session"
)

// browser is what the routes under /v1/auth know about the client.
type browser struct {
	userAgent string
	// From is what the rate limits count.
	From rest.Sender
	// Networks are the hashes of the network of From under each of Gate.NetworkKeys.
	Networks []models.NetworkHash
	// plain says that the request came over http to this machine's own name.
	plain bool
	// Presented is the token of the request's cookie; it may be of no session.
	Presented models.SecretToken
	SignedIn  bool
	// Passkey is what the browser keeps of a registration or login that has begun, sealed, or "".
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

// AboutPeople is the middleware of routes under /v1/auth: their requests come from this origin or from no
// browser, also without a cookie, since a login from elsewhere would put the visitor into a stranger's account.
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
			"requests of pages from other origins are refused; a proxy in front of Waft must keep the header Host")
	}
	return nil
}

// newCrossOrigin trusts the origin that browsers see, also behind a proxy that changes the header Host.
func newCrossOrigin(baseURL string) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		_ = protection.AddTrustedOrigin(u.Scheme + "://" + u.Host) // a scheme and a host are an origin
	}
	return protection
}

// isPlain reports whether a browser sent the request over http to a loopback name. When people reach Waft by https it never does,
// because a proxy that ends TLS on this machine may send any Host.
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

// presentedToken is the token in the request's cookie; ok is false without one that Waft made.
func (g *Gate) presentedToken(r *http.Request) (t models.SecretToken, ok bool) {
	return g.untagged(browser{plain: g.isPlain(r)}.Read(r, SessionCookie, PlainCookie))
}

// Cookie is the Set-Cookie header that gives the browser a session.
func (g *Gate) Cookie(b browser, token models.SecretToken) string {
	return b.Set(SessionCookie, PlainCookie, g.tagged(token), models.SessionLife)
}

// Read is the value of a cookie of the request, or "".
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

// NoCookie is the Set-Cookie header that takes the session from the browser.
func (b browser) NoCookie() string { return b.Set(SessionCookie, PlainCookie, "", -time.Second) }

// Set makes a Set-Cookie header; a life below 0 deletes the cookie.
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

// Login is a new session by the given method, in place of the one of the request.
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

// Names of the cookie that holds a registration or login that has begun.
const (
	PasskeyCookie      = "__Host-waft_passkey"
	PlainPasskeyCookie = "waft_passkey"
)

// NoPasskey is the Set-Cookie header that takes from the browser what it has begun.
func (b browser) NoPasskey() string {
	return b.Set(PasskeyCookie, PlainPasskeyCookie, "", -time.Second)
}
