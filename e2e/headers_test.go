package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a device may send is bounded, and told so: a manifest request with
// megabytes of anything is refused as clearly as one that lacks a header.
func TestHeadersOfMegabytesAreClearErrors(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	p.publish(t, madeExports(t)["stable"], "first", 0)
	long := strings.Repeat("a", 3<<20)
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
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			out := bufio.NewWriter(conn)
			fmt.Fprintf(out, "GET %s HTTP/1.1\r\n", c.path)
			for name, value := range headers {
				fmt.Fprintf(out, "%s: %s\r\n", name, value)
			}
			fmt.Fprint(out, "\r\n")
			require.NoError(t, out.Flush())
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer res.Body.Close()
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
