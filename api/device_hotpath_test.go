package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
)

// stockHeader returns the headers of a stock client of a signed app.
func stockHeader() http.Header {
	h := http.Header{}
	for name, value := range map[string]string{
		"Accept":                "multipart/mixed,application/expo+json,application/json",
		"Expo-Protocol-Version": "1", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Expo-Api-Version": "1",
		"Expo-Json-Error": "true", "Eas-Client-Id": "4f1cb2ca-c237-4cd5-8506-81232e8575a8", "Expo-Channel-Name": "production",
		"Expo-Embedded-Update-Id": "0b0f6f5e-8e2b-4f0e-9a55-6a1f0f8a3c11",
		"Expo-Expect-Signature":   `sig, keyid="main", alg="rsa-v1_5-sha256"`,
	} {
		h.Set(name, value)
	}
	return h
}

// sink is a ResponseWriter that does not allocate.
type sink struct {
	header http.Header
	status int
	bytes  int
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(p []byte) (int, error) {
	s.bytes += len(p)
	return len(p), nil
}

// allocations returns the number of allocations per request, without the server's own.
func allocations(t *testing.T, handler http.Handler, header http.Header) float64 {
	t.Helper()
	out := &sink{header: http.Header{}}
	req := httptest.NewRequest(get, "/v1/ota/manifest/demo", nil)
	req.Header = header
	found := testing.AllocsPerRun(200, func() {
		clear(out.header)
		out.status, out.bytes = 0, 0
		handler.ServeHTTP(out, req)
	})
	require.Equal(t, http.StatusOK, out.status)
	require.NotZero(t, out.bytes)
	return found
}

// TestACheckAllocatesLittle does not run in parallel, because allocations are counted for the whole process.
func TestACheckAllocatesLittle(t *testing.T) {
	const most = 5
	engine := gin.New()
	engine.GET("/v1/ota/manifest/:projectSlug", func(c *gin.Context) { _, _ = c.Writer.WriteString("{}") })
	bare := allocations(t, engine, stockHeader())
	cases := []struct {
		name   string
		rates  limit.Rates
		header map[string]string
	}{
		{"an update", limit.Rates{}, nil},
		{"no update", limit.Rates{}, map[string]string{"Expo-Current-Update-Id": releasedUUID.String()}},
		{"an update of a user on a device in capitals", limit.Rates{}, map[string]string{
			"Client-User-Id": "ann", "Eas-Client-Id": "4F1CB2CA-C237-4CD5-8506-81232E8575A8",
		}},
		{"an update of a user whom the app names", limit.Rates{}, map[string]string{"Expo-Extra-Params": `client-user-id="ann", theme="dark"`}},
		{"an update after one that failed", limit.Rates{}, map[string]string{
			"Expo-Recent-Failed-Update-Ids": `"4f1cb2ca-c237-4cd5-8506-81232e8575a8"`,
		}},
		{"an update that is not signed", limit.Rates{}, map[string]string{"Expo-Expect-Signature": ""}},
		{"an update as JSON", limit.Rates{}, map[string]string{"Accept": "application/expo+json"}},
		{"an update within rates", limit.Rates{
			PerAddress: 1e6, PerNetwork: 1e6, PerDevice: 1e6, NewDevicesPerMinute: 20, NewDevicesBurst: 200,
		}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newTestAPI(t, func(d *parts) { d.Snapshots, d.Rates = signedSnapshots(t), c.rates })
			header := stockHeader()
			for name, value := range c.header {
				header.Set(name, value)
				if value == "" {
					header.Del(name)
				}
			}
			found := allocations(t, w.handler, header)
			t.Logf("%.0f allocations, of which %.0f are Gin's", found, bare)
			require.LessOrEqual(t, found-bare, float64(most))
		})
	}
}
