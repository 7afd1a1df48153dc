package store

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestStorableError(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ab", storableError(errors.New("a\x00b\xff")))
	long := storableError(errors.New(strings.Repeat("ä", maxLastError)))
	require.LessOrEqual(t, len(long), maxLastError)
	require.True(t, utf8.ValidString(long))
}
