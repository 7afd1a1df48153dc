package rest

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABodyThatIsLateIsTheCallersDoing(t *testing.T) {
	t.Parallel()
	err := inputError(500, "cannot read request body", []error{os.ErrDeadlineExceeded})
	require.EqualValues(t, "invalid_request", ProblemOf(t.Context(), err).Code)
	err = inputError(500, "something else", []error{errors.New("disk")})
	require.EqualValues(t, "internal", ProblemOf(t.Context(), err).Code)
}

func TestPathToFindsTheEndOfAValue(t *testing.T) {
	t.Parallel()
	pathAt := func(text string, offset int64) string {
		path, _ := pathTo(json.NewDecoder(strings.NewReader(text)), offset)
		return path
	}
	const text = `{"a": [ {"b": 1, "c": "x"}, [2, 3] ], "d": {"e": {}, "f": 4}, "g": 5}`
	for value, path := range map[string]string{
		"1": ".a[0].b", `"x"`: ".a[0].c", "2": ".a[1][0]", "3": ".a[1][1]", "4": ".d.f", "5": ".g",
	} {
		at := len(text) - 1
		for ; text[at-len(value):at] != value; at-- {
		}
		require.Equal(t, path, pathAt(text, int64(at)), value)
	}
	require.Empty(t, pathAt(`5`, 1))
}
