package rest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

func TestTheAddressOfASenderIsThe64OfAnIPv6Address(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"198.51.100.7": "198.51.100.7", "::ffff:198.51.100.7": "198.51.100.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::",
		"::1": "::1", "nonsense": "invalid IP",
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
		c.Request.RemoteAddr = net.JoinHostPort(ip, "4711")
		require.Equal(t, want, readSender(c).Address.String(), ip)
	}
}
