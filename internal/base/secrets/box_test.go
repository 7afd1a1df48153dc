package secrets_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/base/secrets"
)

const purpose = "webhooks.sealed_secret/17"

func key(fill byte) secrets.Key { return secrets.Key(bytes.Repeat([]byte{fill}, 32)) }

func box(t testing.TB, current secrets.Key, others ...secrets.Key) *secrets.Box {
	t.Helper()
	b, err := secrets.New(current, others...)
	require.NoError(t, err)
	return b
}

func TestWhatIsSealedOpens(t *testing.T) {
	t.Parallel()
	b := box(t, key(1))
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOf(rapid.Byte()).Draw(t, "secret")
		purpose := rapid.String().Draw(t, "purpose")
		sealed := b.Seal(purpose, secret)
		require.True(t, strings.HasPrefix(sealed, b.Prefix()))
		opened, err := b.Open(purpose, sealed)
		require.NoError(t, err)
		require.True(t, bytes.Equal(secret, opened))
	})
}

func TestTheSameSecretIsNeverSealedAlike(t *testing.T) {
	t.Parallel()
	b := box(t, key(1))
	seen := map[string]bool{}
	for range 1000 {
		sealed := b.Seal(purpose, []byte("secret"))
		require.NotContains(t, sealed, "secret")
		require.False(t, seen[sealed])
		seen[sealed] = true
	}
}

func TestASealedTextOpensNowhereElse(t *testing.T) {
	t.Parallel()
	b := box(t, key(1))
	sealed := b.Seal(purpose, []byte("secret"))
	_, err := b.Open("webhooks.sealed_secret/18", sealed)
	require.ErrorContains(t, err, "not a sealed secret of this record")
}

func TestNoChangedTextOpens(t *testing.T) {
	t.Parallel()
	b := box(t, key(1))
	sealed := b.Seal(purpose, []byte("secret"))
	body := strings.TrimPrefix(sealed, b.Prefix())
	raw, err := base64.RawURLEncoding.DecodeString(body)
	require.NoError(t, err)
	for i := range raw {
		changed := bytes.Clone(raw)
		changed[i] ^= 1
		_, err := b.Open(purpose, b.Prefix()+base64.RawURLEncoding.EncodeToString(changed))
		require.Error(t, err, "byte %d", i)
	}
	for _, text := range []string{"", "secret", "v1", "v1.", "v1..", b.Prefix(), b.Prefix() + "!", "v2" + sealed[2:], sealed + "A", sealed[:len(sealed)-1]} {
		_, err := b.Open(purpose, text)
		require.Error(t, err, text)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	before, during, after := box(t, key(1)), box(t, key(2), key(1)), box(t, key(2))
	sealed := before.Seal(purpose, []byte("secret"))

	opened, err := during.Open(purpose, sealed)
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened))
	require.False(t, strings.HasPrefix(sealed, during.Prefix()), "it can be told that it is under the old key")

	again := during.Seal(purpose, opened)
	opened, err = after.Open(purpose, again)
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened))
	_, err = after.Open(purpose, sealed)
	require.ErrorIs(t, err, secrets.ErrUnknownKey)
	require.ErrorContains(t, err, key(1).ID())
	_, err = before.Open(purpose, again)
	require.ErrorIs(t, err, secrets.ErrUnknownKey)
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	k := key(7)
	parsed, err := secrets.ParseKey(base64.StdEncoding.EncodeToString(k[:]))
	require.NoError(t, err)
	require.True(t, k == parsed)
	for _, text := range []string{"", "short", base64.StdEncoding.EncodeToString(k[:31]), strings.Repeat("!", 44)} {
		_, err := secrets.ParseKey(text)
		require.ErrorContains(t, err, "32 bytes in base64")
	}
}

func TestAKeyDoesNotPrint(t *testing.T) {
	t.Parallel()
	k := key(0xab)
	for _, text := range []string{fmt.Sprint(k), fmt.Sprintf("%v %+v %#v %s %x", k, k, k, k, k)} {
		require.NotContains(t, text, "171")
		require.NotContains(t, text, "abab")
		require.NotContains(t, text, "0xab")
	}
	require.Len(t, k.ID(), 8)
	require.NotEqual(t, k.ID(), key(1).ID())
	require.Equal(t, k.ID(), key(0xab).ID())
}

func FuzzOpen(f *testing.F) {
	b := box(f, key(1))
	f.Add(b.Seal(purpose, []byte("secret")))
	f.Add("v1.00000000.AAAA")
	f.Fuzz(func(t *testing.T, sealed string) {
		secret, err := b.Open("another purpose", sealed)
		require.Error(t, err)
		require.Nil(t, secret)
	})
}
