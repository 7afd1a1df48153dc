package delivery

import (
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// FuzzManifestRequest sends raw header lines and a query through the whole path from request to response. It must not
// panic, and every response must be well formed.
func FuzzManifestRequest(f *testing.F) {
	tp := newTestProject()
	minimum := "0.9"
	tp.production().MinRuntimeVersion = &minimum
	tp.publish("production")
	tp.publish("production", disabled)
	tp.publish("production", percentage(30))
	tp.publish("next", toEmbedded)
	tp.rollOut("next", 40)
	tp.channel("paused", tp.branchID("production"))
	tp.state.Channels[1].IsPaused = true
	s := tp.snapshot(f)

	stock := "accept: " + stockAccept + "\nexpo-protocol-version: 1\nexpo-platform: android\nexpo-runtime-version: 1.0.0\n"
	f.Add(stock+"eas-client-id: A\nexpo-channel-name: production", "")
	f.Add(stock+"expo-extra-params: client-user-id=\"ann\"\nexpo-recent-failed-update-ids: \"a\", \"b\"", "channel=paused")
	f.Add(strings.Replace(stock, ": 1\n", ": 0\n", 1)+"client-channel-name: production\naccept: text/html", "")
	f.Add("client-platform: ios\nclient-runtime-version: 0.1\nclient-channel-name: production\naccept: application/json;q=0.1", "")
	f.Add("expo-extra-params: (\nexpo-recent-failed-update-ids: ?1;a=\":", "channel=%ff")
	f.Fuzz(func(t *testing.T, lines, rawQuery string) {
		h := http.Header{}
		for line := range strings.SplitSeq(lines, "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				h.Add(textproto.TrimString(name), textproto.TrimString(value))
			}
		}
		r, err := ParseRequest(h, rawQuery)
		if err != nil {
			require.Equal(t, models.CodeInvalid, models.CodeOf(err))
			return
		}
		d := s.Resolve(r)
		_, err = readWire(s.Respond(r), r.Protocol)
		require.NoError(t, err)
		require.Equal(t, d.Outcome, s.Explain(r).Outcome)
	})
}
