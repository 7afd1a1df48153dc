package delivery

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// headers returns a complete request's headers, changed by alternating names and values.
func headers(namesAndValues ...string) http.Header {
	h := http.Header{}
	h.Set("client-channel-name", "production")
	h.Set("client-runtime-version", "1.0.0")
	h.Set("client-platform", "ios")
	for i := 0; i < len(namesAndValues); i += 2 {
		if namesAndValues[i+1] == "" {
			h.Del(namesAndValues[i])
			continue
		}
		h.Set(namesAndValues[i], namesAndValues[i+1])
	}
	return h
}

func TestParseRequestMapsHeaders(t *testing.T) {
	t.Parallel()
	params := `client-device-id="From-Params", client-user-id="ann"`
	cases := []struct {
		name  string
		h     http.Header
		query string
		want  func(r *Request)
	}{
		{"the three that are required", headers(), "", func(*Request) {}},
		{"expo twins", headers(
			"client-channel-name", "", "expo-channel-name", "beta",
			"client-runtime-version", "", "expo-runtime-version", "2",
			"client-platform", "", "expo-platform", "android",
			"expo-device-id", "DEV", "expo-user-id", "Bob",
		), "", func(r *Request) {
			r.Channel, r.RuntimeVersion, r.Platform, r.DeviceID, r.UserID = "beta", "2", models.Android, "dev", "Bob"
		}},
		{"client headers before expo twins", headers(
			"expo-channel-name", "x", "expo-runtime-version", "x", "expo-platform", "x",
			"client-device-id", "A", "expo-device-id", "x", "eas-client-id", "x",
			"client-user-id", "Ann", "expo-user-id", "x", "expo-extra-params", params,
		), "channel=x", func(r *Request) { r.DeviceID, r.UserID = "a", "Ann" }},
		{"the channel from the query", headers("client-channel-name", ""), "channel=beta", func(r *Request) { r.Channel = "beta" }},
		{"ids from extra params before the EAS id", headers("expo-extra-params", params, "eas-client-id", "x"), "", func(r *Request) {
			r.DeviceID, r.UserID = "from-params", "ann"
		}},
		{"the EAS id in lower case", headers("eas-client-id", "4F1C-AB"), "", func(r *Request) { r.DeviceID = "4f1c-ab" }},
		{"extra params that do not parse", headers("expo-extra-params", `Client-User-Id="x"`), "", func(*Request) {}},
		{"extra params of other types", headers("expo-extra-params", `client-user-id=7, client-device-id=("a")`), "", func(*Request) {}},
		{"running and embedded update", headers("expo-current-update-id", "AB", "expo-embedded-update-id", "CD"), "", func(r *Request) {
			r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = "ab", "cd"
		}},
		{"failed updates", headers("expo-recent-failed-update-ids", `"A", 7, "b", ("c")`), "", func(r *Request) {
			r.RecentFailed = []string{"a", "b"}
		}},
		{"failed updates that do not parse", headers("expo-recent-failed-update-ids", `"a`), "", func(*Request) {}},
		{"protocol 1", headers("expo-protocol-version", "1"), "", func(r *Request) { r.Protocol = 1 }},
		{"protocol 0", headers("expo-protocol-version", "0"), "", func(*Request) {}},
		{"a query that does not parse", headers("client-channel-name", ""), "%zz&channel=beta", func(r *Request) { r.Channel = "beta" }},
		{"the signature that it expects", headers("expo-expect-signature", `sig, keyid="main"`), "", func(r *Request) {
			r.ExpectSignature = `sig, keyid="main"`
		}},
		{"accept", headers("accept", stockAccept), "", func(r *Request) { r.Accept = ParseAccept(stockAccept) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := Request{Channel: "production", RuntimeVersion: "1.0.0", Platform: models.IOS, Accept: ParseAccept("")}
			c.want(&want)
			got, err := ParseRequest(c.h, c.query)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestParseRequestReadsHeadersOfSeveralLines(t *testing.T) {
	t.Parallel()
	h := headers()
	h["Expo-Recent-Failed-Update-Ids"] = []string{`"a"`, `"b"`}
	h["Accept"] = []string{"application/json", "multipart/mixed"}
	r, err := ParseRequest(h, "")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, r.RecentFailed)
	require.True(t, r.Accept.Named)
}

func TestParseRequestBoundsFailedUpdates(t *testing.T) {
	t.Parallel()
	r, err := ParseRequest(headers("expo-recent-failed-update-ids", `"a"`+strings.Repeat(`, "a"`, 100)), "")
	require.NoError(t, err)
	require.Len(t, r.RecentFailed, maxFailed)
}

func TestParseRequestNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		h    http.Header
		want []string
	}{
		{"nothing at all", http.Header{}, []string{"client-channel-name", "client-platform", "client-runtime-version"}},
		{"no channel", headers("client-channel-name", ""), []string{"client-channel-name"}},
		{"no runtime version", headers("client-runtime-version", ""), []string{"client-runtime-version"}},
		{"no platform", headers("client-platform", ""), []string{"client-platform"}},
		{"another platform", headers("client-platform", "web"), []string{"client-platform"}},
		{"another protocol", headers("expo-protocol-version", "2"), []string{"expo-protocol-version"}},
		{"no number as protocol", headers("expo-protocol-version", "one"), []string{"expo-protocol-version"}},
		{"a long value", headers("client-device-id", strings.Repeat("a", maxValueBytes+1)), []string{"client-device-id"}},
		{"bytes that are no text", headers("client-runtime-version", "\xff"), []string{"client-runtime-version"}},
		{"a control character", headers("client-channel-name", "a\x00b"), []string{"client-channel-name"}},
		{"a long list", headers("expo-recent-failed-update-ids", strings.Repeat("a", maxStructuredBytes+1)), []string{"expo-recent-failed-update-ids"}},
		{"long params", headers("expo-extra-params", strings.Repeat("a", maxStructuredBytes+1)), []string{"expo-extra-params"}},
		{"a long id in params", headers("expo-extra-params", `client-user-id="`+strings.Repeat("a", maxValueBytes+1)+`"`), []string{"expo-extra-params client-user-id"}},
		{"a long signature", headers("expo-expect-signature", strings.Repeat("a", maxStructuredBytes+1)), []string{"expo-expect-signature"}},
		{"a long accept", headers("accept", strings.Repeat("a", maxStructuredBytes+1)), []string{"accept"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseRequest(c.h, "")
			var problem *models.Error
			require.True(t, errors.As(err, &problem))
			require.Equal(t, models.CodeInvalid, problem.Code)
			var fields []string
			for _, f := range problem.Fields {
				fields = append(fields, f.Field)
			}
			require.ElementsMatch(t, c.want, fields)
		})
	}
}

func TestParseRequestTellsHowToSendWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := ParseRequest(headers("client-channel-name", ""), "")
	require.ErrorContains(t, err, "client-channel-name: is missing: send the header client-channel-name, or expo-channel-name or the query parameter channel")
}
