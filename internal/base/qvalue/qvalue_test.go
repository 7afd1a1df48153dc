package qvalue_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/qvalue"
)

func TestElements(t *testing.T) {
	t.Parallel()
	type list = []qvalue.Element
	for header, want := range map[string]list{
		"":                       nil,
		",, ,":                   nil,
		"gzip":                   {{Name: "gzip", Weight: 1}},
		"br;q=0.5, GZIP":         {{Name: "br", Weight: 0.5}, {Name: "gzip", Weight: 1}},
		" gzip ;\tQ=0.25 ,\tfoo": {{Name: "gzip", Weight: 0.25}, {Name: "foo", Weight: 1}},
		"br;q=0,gzip;q=0.000":    {{Name: "br"}, {Name: "gzip"}},
		"br;q=1.000,gzip;q=1.":   {{Name: "br", Weight: 1}, {Name: "gzip", Weight: 1}},
		"gzip;q=1, gzip;q=0":     {{Name: "gzip", Weight: 1}, {Name: "gzip"}},
		"Application/Expo+JSON; charset=utf-8; q=0.5": {{Name: "application/expo+json", Weight: 0.5, Parameterized: true}},
		"br;level=3":       {{Name: "br", Weight: 1, Parameterized: true}},
		"br;":              {{Name: "br", Weight: 1, Parameterized: true}},
		";q=0.5":           nil,
		"br;q=":            nil,
		"br;q=2":           nil,
		"br;q=-1":          nil,
		"br;q=.5":          nil,
		"br;q=NaN":         nil,
		"br;q=0x1p-1":      nil,
		"br;q=0.1234":      nil,
		"br;q=1;q=0":       nil,
		"br;q=nonsense, x": {{Name: "x", Weight: 1}},
	} {
		require.Equal(t, want, slices.Collect(qvalue.Elements(header)), "%q", header)
	}
	for e := range qvalue.Elements("a, b") {
		require.Equal(t, "a", e.Name)
		break
	}
}
