package delivery

import (
	"slices"
	"testing"

	"github.com/dunglas/httpsfv"
	"github.com/stretchr/testify/require"
)

func TestPlainStructuredHeaders(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		`a="1"`: "1", `b="2", a="1"`: "1", `a="1", a="2"`: "2", `a=""`: "", `b="1"`: "", `*a="x", a="1"`: "1", `a="1",b="2"`: "1",
		`a="\"q\""`: `"q"`, `a=1`: "", `a`: "", `a="1";p`: "1", `a="1", `: "", `a="1`: "", `A="1"`: "", ` a="1" `: "1", ``: "", `a=("1")`: "",
	} {
		require.Equal(t, want, parameter(header, "a"), header)
	}
	for header, want := range map[string][]string{
		`"a"`: {"a"}, `"a", "b"`: {"a", "b"}, `"a","b", "c"`: {"a", "b"}, `"a", 7, "b"`: {"a", "b"}, `"a", "b", "c"`: {"a", "b"},
		`"a", `: nil, `"a" "b"`: nil, `a`: nil, ``: nil, `("a"), "b"`: {"b"}, `"\\", "b"`: {`\`, "b"},
	} {
		require.Equal(t, want, stringsOf(header, 2), header)
	}
}

func TestPlainStructuredHeadersTakeLittleMemory(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() { parameter(`client-user-id="user-42", other="x"`, "client-user-id") }))
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { stringsOf(`"a", "b"`, maxFailed) }), 1.0)
}

// FuzzStructured compares this package's parser with the library's parser.
func FuzzStructured(f *testing.F) {
	for _, header := range []string{`a="1"`, `a="1", b="2"`, `"a", "b"`, `a="1", a="2"`, `a="\\"`, `"a",`, `a=?1`, `a="é"`, `-a="1"`, `*a="1"`} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if value, plain := plainParameter(header, "a"); plain {
			members, err := httpsfv.UnmarshalDictionary([]string{header})
			require.NoError(t, err)
			want, _ := itemOf(members, "a").(string)
			require.Equal(t, want, value)
		}
		if values, plain := plainStrings(header, 100); plain {
			list, err := httpsfv.UnmarshalList([]string{header})
			require.NoError(t, err)
			require.Len(t, values, min(100, len(list)))
			require.True(t, slices.EqualFunc(values, list[:len(values)], func(v string, m httpsfv.Member) bool {
				return m.(httpsfv.Item).Value == v
			}))
		}
	})
}
