package guard_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/guard"
)

type sent struct {
	method, host string
	header       map[string]string
}

func (s sent) answer(through func(http.Handler) http.Handler) int {
	if s.method == "" {
		s.method = http.MethodPost
	}
	r := httptest.NewRequest(s.method, "/", http.NoBody)
	r.Host = s.host
	for name, value := range s.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	through(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
	return w.Code
}

func TestHostsThatNameThisMachine(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]int{
		"127.0.0.1:8124": 200, "127.0.0.1": 200, "[::1]:8124": 200, "[::1]": 200, "localhost:8124": 200, "LocalHost": 200,
		"": 403, "evil.example:8124": 403, "localhost.evil.example:8124": 403, "127.0.0.1.evil.example": 403, "0.0.0.0:8124": 403,
		"192.168.0.7:8124": 403, "localhost:8124:1": 403, "127.0.0.1@evil.example": 403, "2130706433": 403,
	} {
		require.Equal(t, want, sent{host: host}.answer(guard.Programs), host)
		require.Equal(t, want, sent{host: host}.answer(guard.OwnPages), host)
	}
}

func TestPagesThatMaySend(t *testing.T) {
	t.Parallel()
	const here = "127.0.0.1:8234"
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	frame := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
	for name, c := range map[string]struct {
		request            sent
		programs, ownPages int
	}{
		"a program":                {sent{host: here}, 200, 200},
		"an address that is typed": {sent{method: "GET", host: here, header: map[string]string{"Sec-Fetch-Site": "none"}}, 200, 200},
		"an own page":              {sent{host: here, header: map[string]string{"Origin": "http://" + here, "Sec-Fetch-Site": "same-origin"}}, 403, 200},
		"an own page that reads":   {sent{method: "GET", host: here, header: map[string]string{"Sec-Fetch-Site": "same-origin"}}, 403, 200},
		"a foreign page":           {sent{host: here, header: map[string]string{"Origin": "https://evil.example"}}, 403, 403},
		"a page without a name":    {sent{host: here, header: map[string]string{"Origin": "null"}}, 403, 403},
		"a page of another port":   {sent{host: here, header: map[string]string{"Origin": "http://127.0.0.1:3000"}}, 403, 403},
		"an image of a page":       {sent{method: "GET", host: here, header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, 403},
		"an image of the site":     {sent{method: "GET", host: here, header: map[string]string{"Sec-Fetch-Site": "same-site"}}, 403, 403},
		"a link":                   {sent{method: "GET", host: here, header: link}, 403, 200},
		"a form":                   {sent{host: here, header: link}, 403, 403},
		"a frame":                  {sent{method: "GET", host: here, header: frame}, 403, 403},
	} {
		require.Equal(t, c.programs, c.request.answer(guard.Programs), name)
		require.Equal(t, c.ownPages, c.request.answer(guard.OwnPages), name)
	}
}

func TestAServerInAContainerNetworkHasItsName(t *testing.T) {
	t.Parallel()
	as := func(next http.Handler) http.Handler { return guard.ProgramsNaming([]string{"clickhouse"}, next) }
	for host, want := range map[string]int{
		"clickhouse:8123": 200, "localhost:8123": 200, "clickhouse.example.com:8123": 403, "clickhouse": 403,
	} {
		require.Equal(t, want, sent{host: host}.answer(as), host)
	}
	require.Equal(t, 403, sent{host: "clickhouse:8123", header: map[string]string{"Origin": "http://clickhouse:8123"}}.answer(as))
}
