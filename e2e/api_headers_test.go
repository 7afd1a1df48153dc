package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The length of a device's headers is limited. A manifest request with an overlong header gets an error as clear as a
// request with a missing header.
func TestLongHeadersAreClearErrors(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	p.requireServed(t, p.publish(t, madeExports(t)["stable"], "first", 0)[0])
	long := strings.Repeat("a", 60_000)
	path := "/v1/ota/manifest/" + p.slug
	for name, c := range map[string]struct {
		path, header, value string
		status              int
	}{
		"channel":                  {path, "expo-channel-name", long, 400},
		"runtime version":          {path, "expo-runtime-version", long, 400},
		"platform":                 {path, "expo-platform", long, 400},
		"protocol version":         {path, "expo-protocol-version", long, 400},
		"device":                   {path, "eas-client-id", long, 400},
		"user":                     {path, "client-user-id", long, 400},
		"parameters":               {path, "expo-extra-params", long, 400},
		"failed updates":           {path, "expo-recent-failed-update-ids", long, 400},
		"signature":                {path, "expo-expect-signature", long, 400},
		"forms":                    {path, "accept", long, 400},
		"channel in the query":     {path + "?channel=" + long, "", "", 400},
		"project":                  {path + long, "", "", 404},
		"bytes that are no text":   {path, "expo-runtime-version", "\xff\xfe", 400},
		"a version beyond measure": {path, "expo-runtime-version", strings.Repeat("9", 200) + ".0.0", 200},
		"an unknown header":        {path, "x-anything", long, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			headers := map[string]string{
				"host": "waft", "expo-platform": "ios", "expo-runtime-version": "1.0.0", "expo-protocol-version": "1",
				"expo-channel-name": "production",
			}
			if strings.Contains(c.path, "?channel=") {
				delete(headers, "expo-channel-name")
			}
			if c.header != "" {
				headers[c.header] = c.value
			}
			var request strings.Builder
			fmt.Fprintf(&request, "GET %s HTTP/1.1\r\n", c.path)
			for name, value := range headers {
				fmt.Fprintf(&request, "%s: %s\r\n", name, value)
			}
			res := send(t, p.url, request.String()+"\r\n")
			require.Equal(t, c.status, res.StatusCode)
			if c.status == http.StatusOK {
				return
			}
			require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
			var problem struct{ Code, Detail string }
			require.NoError(t, json.NewDecoder(res.Body).Decode(&problem))
			require.NotEmpty(t, problem.Code)
			require.Less(t, len(problem.Detail), 1000)
		})
	}
}

// TestHeadersAreAtMost64KiB counts the request line and the headers, each with its line end. Without this limit a few
// requests could fill the server's memory.
func TestHeadersAreAtMost64KiB(t *testing.T) {
	t.Parallel()
	url := serveAPI(t, settings(t))
	const start, end, limit = "GET /healthz HTTP/1.1\r\nHost: waft\r\n", "\r\n\r\n", 64 << 10
	for name, header := range map[string]string{"one long header": "x-anything: ", "many headers": "x: y\r\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := func(size int) string {
				text := start
				if strings.HasSuffix(header, "\r\n") {
					text += strings.Repeat(header, (size-len(start)-len(end))/len(header)-2)
				}
				text += "x-anything: "
				return text + strings.Repeat("a", size-len(text)-len(end)) + end
			}
			require.Equal(t, http.StatusOK, send(t, url, request(limit)).StatusCode)
			require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, send(t, url, request(limit+1)).StatusCode)
			require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, send(t, url, request(8<<20)).StatusCode)
		})
	}
}

// send sends the text of a request on its own connection, which is closed when the test ends.
func send(t *testing.T, url, request string) *http.Response {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	go func() { _, _ = io.WriteString(conn, request) }() // the server may respond and close the connection before everything is sent
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	t.Cleanup(func() { res.Body.Close() })
	return res
}
