package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseAccept(t *testing.T) {
	t.Parallel()
	cases := []struct {
		header string
		want   Accept
	}{
		{"", Accept{Multipart: true, JSON: plainJSON}},
		{"*/*", Accept{Multipart: true, JSON: plainJSON}},
		{stockAccept, Accept{Multipart: true, Named: true, JSON: expoJSON}},
		{"multipart/mixed, application/expo+json, application/json", Accept{Multipart: true, Named: true, JSON: expoJSON}},
		{"MULTIPART/Mixed", Accept{Multipart: true, Named: true}},
		{"multipart/*", Accept{Multipart: true, Named: true}},
		{"application/expo+json", Accept{JSON: expoJSON}},
		{"application/expo+json;q=0.5, application/json", Accept{JSON: plainJSON}},
		{"application/*", Accept{JSON: plainJSON}},
		{"application/json; charset=utf-8; q=0", Accept{}},
		{"application/json;q=0, application/*", Accept{JSON: expoJSON}},
		{"multipart/mixed;q=0, */*;q=0.1", Accept{JSON: plainJSON}},
		{"multipart/mixed;q=0,application/json", Accept{JSON: plainJSON}},
		{"text/html,application/xhtml+xml,*/*;q=0.8", Accept{Multipart: true, JSON: plainJSON}},
		{"text/html", Accept{}},
		{"application/json;q=nonsense", Accept{}},
		{"application/json;q=nonsense, application/*", Accept{JSON: plainJSON}},
		{",,;;q=,/", Accept{}},
	}
	for _, c := range cases {
		t.Run(c.header, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, ParseAccept(c.header))
		})
	}
}
