package temporalclient

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/waft-ota/waft/internal/secrets"
)

const (
	// metadataKeyID is the metadata of an encrypted payload that names its key.
	metadataKeyID = "encryption-key-id"
	// encodingEncrypted is the encoding of an encrypted payload. Temporal's samples use
	// the same, so tools that know them show such a payload as encrypted.
	encodingEncrypted = "binary/encrypted"
)

// codec encrypts payloads with AES-256-GCM under one key and decrypts those of several. An
// encrypted payload's data is a random nonce of 96 bits and the encrypted protobuf message
// of the payload.
type codec struct {
	current string // id of the key that encrypts
	ciphers map[string]cipher.AEAD
}

// newCodec makes a codec of keys in base64, of which the first encrypts.
func newCodec(keys []string) (*codec, error) {
	c := &codec{ciphers: map[string]cipher.AEAD{}}
	for _, text := range keys {
		key, err := secrets.ParseKey(text)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(key[:])
		if err != nil {
			return nil, err
		}
		if c.ciphers[key.ID()], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, err
		}
		if c.current == "" {
			c.current = key.ID()
		}
	}
	return c, nil
}

// Encode encrypts payloads.
func (c *codec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	encrypted := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encrypt a payload: %w", err)
		}
		encrypted[i] = &commonpb.Payload{
			Metadata: map[string][]byte{
				converter.MetadataEncoding: []byte(encodingEncrypted),
				metadataKeyID:              []byte(c.current),
			},
			Data: c.ciphers[c.current].Seal(nil, nil, plain, []byte(c.current)),
		}
	}
	return encrypted, nil
}

// Decode decrypts payloads. It leaves those that are not encrypted as they are, so that
// workflows that began before encryption was turned on go on.
func (c *codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	decrypted := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encodingEncrypted {
			decrypted[i] = p
			continue
		}
		id := string(p.GetMetadata()[metadataKeyID])
		key, ok := c.ciphers[id]
		if !ok {
			return nil, fmt.Errorf("decrypt a payload: WAFT_TEMPORAL_PAYLOAD_KEYS has no key with the id %q", id)
		}
		plain, err := key.Open(nil, nil, p.GetData(), []byte(id))
		if err != nil {
			return nil, fmt.Errorf("decrypt a payload: %w", err)
		}
		decrypted[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(plain, decrypted[i]); err != nil {
			return nil, fmt.Errorf("decrypt a payload: %w", err)
		}
	}
	return decrypted, nil
}
