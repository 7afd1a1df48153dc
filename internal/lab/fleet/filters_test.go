package fleet

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFiltersCompareKeysWithoutCaseAndValuesWithType(t *testing.T) {
	t.Parallel()
	metadata := map[string]string{"branchName": "main", "count": "1"}
	for name, c := range map[string]struct {
		filters Filters
		pass    bool
	}{
		"no filters":                     {nil, true},
		"equal value":                    {Filters{"branchname": "main"}, true},
		"other value":                    {Filters{"branchname": "Main"}, false},
		"a key the metadata lacks":       {Filters{"r9": "0"}, true},
		"a number is not its text":       {Filters{"count": int64(1)}, false},
		"all must hold, one fails":       {Filters{"branchname": "main", "count": "2"}, false},
		"a filter key is compared as is": {Filters{"branchName": "other"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.pass, c.filters.Pass(metadata))
		})
	}
}

func TestHeaderDictionaries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header http.Header
		want   map[string]any
		bad    string
	}{
		"absent keeps what there is": {http.Header{}, nil, ""},
		"empty clears":               {http.Header{"X": {""}}, map[string]any{}, ""},
		"strings, numbers, booleans": {
			http.Header{"X": {`a="b", n=3, d=1.5, t`}},
			map[string]any{"a": "b", "n": int64(3), "d": 1.5, "t": true}, "",
		},
		"an upper-case key":  {http.Header{"X": {`branchName="b"`}}, nil, "not a structured dictionary"},
		"a token is dropped": {http.Header{"X": {`a=b`}}, nil, "clients drop"},
		"a list is dropped":  {http.Header{"X": {`a=("b")`}}, nil, "clients drop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := headerDictionary(c.header, "x")
			if c.bad != "" {
				require.ErrorContains(t, err, c.bad)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
