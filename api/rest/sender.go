package rest

import (
	"net/http"
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Sender is the origin of a request, according to trusted proxies.
type Sender struct {
	// Text is the client's address as the connection or a proxy writes it.
	Text string
	// IP is the client's address, or the zero value if Text is not an address.
	IP netip.Addr
	// Address is the IPv4 address itself, or the /64 of an IPv6 address. A 6to4 or Teredo address stands for the IPv4
	// address that it contains.
	Address netip.Addr
	// Network is the first address of Address's IPv4 /24 or IPv6 /48.
	Network netip.Addr
	// Local is set if a program on this machine sends the request on its own behalf. Such requests do not count
	// against limits per address.
	Local bool
}

// SenderOf returns the origin of the request. It reads the address once per request.
func SenderOf(c *gin.Context) Sender {
	call := CallOf(c.Request.Context())
	if !call.senderRead {
		call.sender, call.senderRead = readSender(c), true
	}
	return call.sender
}

func readSender(c *gin.Context) Sender {
	s := Sender{Text: c.ClientIP()}
	s.IP, _ = netip.ParseAddr(s.Text) // all requests without an address count as one sender
	s.Address = clientNetwork(s.IP)
	s.Network = Widen(s.Address)
	s.Local = s.IP.Unmap().IsLoopback() && !Forwarded(c.Request)
	return s
}

// clientNetwork returns an IPv4 address itself, the IPv4 address inside a 6to4 or Teredo address, or the /64 of any
// other IPv6 address. An address that contains a loopback address keeps its /64, because loopback is exempt from
// limits.
func clientNetwork(at netip.Addr) netip.Addr {
	if !at.IsValid() {
		return at
	}
	at = at.Unmap().WithZone("")
	if inner := models.InnerAddr(at); !inner.IsLoopback() {
		at = inner
	}
	if at.Is4() || at.IsLoopback() {
		return at
	}
	network, _ := at.Prefix(64) // valid for every IPv6 address
	return network.Addr()
}

// Widen returns the first address of an address's network: IPv4 /24, IPv6 /48.
func Widen(at netip.Addr) netip.Addr { return models.Network(at).Addr() }

// proxyHeaders are the headers in which proxies declare that they forward a request.
var proxyHeaders = [...]string{
	"X-Forwarded-For", "Forwarded", "X-Real-Ip", "X-Forwarded-Proto", "X-Forwarded-Host", "Via",
}

// Forwarded reports whether the peer declares that it forwards the request.
func Forwarded(r *http.Request) bool {
	for _, name := range proxyHeaders {
		if len(r.Header[name]) > 0 {
			return true
		}
	}
	return false
}
