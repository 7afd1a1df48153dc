package rest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestEntityTags(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]models.IfMatch{
		"": nil, "*": nil, " * ": nil, `"a"`: {`"a"`}, `"a", "b"`: {`"a"`, `"b"`}, `W/"a"`: {}, `W/"a","b"`: {`"b"`}, ",": {},
		`"a,b"`: {`"a,b"`}, `""`: {`""`}, `"a",, "b",`: {`"a"`, `"b"`},
	} {
		got, err := entityTags(header)
		require.NoError(t, err, header)
		require.Equal(t, want, got, header)
	}
	for _, header := range []string{"a", `"a`, `"a" "b"`, `*, "a"`, `w/"a"`, `W/a`} {
		_, err := entityTags(header)
		require.Equal(t, models.CodeInvalid, models.CodeOf(err), header)
	}
}
