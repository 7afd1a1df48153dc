package temporalclient

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/base/secrets"
)

// payloadKey returns a key in base64 whose bytes are all fill.
func payloadKey(fill byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32))
}

func mustCodec(t testing.TB, keys ...string) *codec {
	t.Helper()
	c, err := newCodec(keys)
	require.NoError(t, err)
	return c
}

func TestADecryptedPayloadIsTheOneThatWasEncrypted(t *testing.T) {
	t.Parallel()
	c := mustCodec(t, payloadKey(1))
	rapid.Check(t, func(t *rapid.T) {
		plain := &commonpb.Payload{
			Metadata: map[string][]byte{converter.MetadataEncoding: []byte(rapid.String().Draw(t, "encoding"))},
			Data:     rapid.SliceOf(rapid.Byte()).Draw(t, "data"),
		}
		encrypted, err := c.Encode([]*commonpb.Payload{plain})
		require.NoError(t, err)
		decrypted, err := c.Decode(encrypted)
		require.NoError(t, err)
		require.True(t, proto.Equal(plain, decrypted[0]))
	})
}

func TestAnEncryptedPayloadShowsItsKeyAndNothingElse(t *testing.T) {
	t.Parallel()
	plain := &commonpb.Payload{Metadata: map[string][]byte{"type": []byte("secret-type")}, Data: []byte("secret-data")}
	c := mustCodec(t, payloadKey(1))
	first, err := c.Encode([]*commonpb.Payload{plain})
	require.NoError(t, err)
	second, err := c.Encode([]*commonpb.Payload{plain})
	require.NoError(t, err)
	require.NotContains(t, first[0].String(), "secret")
	require.NotEqual(t, first[0].GetData(), second[0].GetData(), "the same payload is never encrypted alike")
	require.Equal(t, secrets.Key(bytes.Repeat([]byte{1}, 32)).ID(), string(first[0].GetMetadata()[metadataKeyID]))
}

func TestKeysOfPayloadsAreRotated(t *testing.T) {
	t.Parallel()
	plain := []*commonpb.Payload{{Data: []byte("x")}}
	before, during, after := mustCodec(t, payloadKey(1)), mustCodec(t, payloadKey(2), payloadKey(1)), mustCodec(t, payloadKey(2))
	old, err := before.Encode(plain)
	require.NoError(t, err)
	decrypted, err := during.Decode(old)
	require.NoError(t, err)
	require.Equal(t, "x", string(decrypted[0].GetData()))

	current, err := during.Encode(plain)
	require.NoError(t, err)
	_, err = after.Decode(current)
	require.NoError(t, err)
	_, err = after.Decode(old)
	require.ErrorContains(t, err, "WAFT_TEMPORAL_PAYLOAD_KEYS has no key with the id")
}

func TestAChangedPayloadIsNotDecrypted(t *testing.T) {
	t.Parallel()
	c := mustCodec(t, payloadKey(1), payloadKey(2))
	encrypted, err := c.Encode([]*commonpb.Payload{{Data: []byte("x")}})
	require.NoError(t, err)
	for i := range encrypted[0].GetData() {
		changed := proto.CloneOf(encrypted[0])
		changed.Data[i] ^= 1
		_, err := c.Decode([]*commonpb.Payload{changed})
		require.Error(t, err, "byte %d", i)
	}
	_, err = c.Decode([]*commonpb.Payload{{Metadata: encrypted[0].GetMetadata()}})
	require.Error(t, err)
}

func TestPayloadsInTheClearStayReadable(t *testing.T) {
	t.Parallel()
	plain, err := converter.GetDefaultDataConverter().ToPayloads("hello")
	require.NoError(t, err)
	decrypted, err := mustCodec(t, payloadKey(1)).Decode(plain.GetPayloads())
	require.NoError(t, err)
	require.True(t, proto.Equal(plain.GetPayloads()[0], decrypted[0]))
}
