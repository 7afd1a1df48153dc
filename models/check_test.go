package models

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Clients could not read a response with such a time.
func TestTimesAreInYearsOfFourDigits(t *testing.T) {
	t.Parallel()
	last, err := time.Parse(time.RFC3339, "9999-12-31T23:59:59Z")
	require.NoError(t, err)
	beyond, err := time.Parse(time.RFC3339, "9999-12-31T23:59:59-00:01")
	require.NoError(t, err)
	key := NewAPIKey{Name: "ci", Role: RoleViewer, ExpiresAt: &last}
	require.NoError(t, key.Validate(last.AddDate(-1, 0, 0)))
	key.ExpiresAt = &beyond
	require.ErrorContains(t, key.Validate(last), "expiresAt: must be in the years")

	patch := PolicyPatch{StartAt: Nullable[time.Time]{Set: true, Value: &last}}
	require.NoError(t, patch.Validate())
	patch.StartAt.Value = &beyond
	require.ErrorContains(t, patch.Validate(), "startAt: must be in the years")
}

func TestStorableText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ab", StorableText("a\x00b\xff", 100))
	long := StorableText(strings.Repeat("ä", 100), 99)
	require.Len(t, long, 98, "half a letter is left out")
	require.True(t, utf8.ValidString(long))
}
