package temporalclient

import (
	"crypto/cipher"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/waft-ota/waft/internal/base/secrets"
)

const (
	// metadataKeyID is the metadata of an encrypted payload with the id of its key.
	metadataKeyID = "encryption-key-id"
	// encodingEncrypted is the encoding that Temporal's samples use, so that other tools recognise it.
	encodingEncrypted = "binary/encrypted"
)

// codec encrypts payloads with AES-256-GCM under one key and decrypts payloads of several keys. The data of an
// encrypted payload is a random nonce of 96 bits and the encrypted protobuf message of the payload.
type codec struct {
	current string // id of the key that encrypts
	ciphers map[string]cipher.AEAD
}

// newCodec makes a codec of keys in base64. The first one encrypts.
func newCodec(texts []string) (*codec, error) {
	keys := make([]secrets.Key, len(texts))
	for i, text := range texts {
		var err error
		if keys[i], err = secrets.ParseKey(text); err != nil {
			return nil, err
		}
	}
	ciphers, err := secrets.Ciphers(keys...)
	return &codec{keys[0].ID(), ciphers}, err
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

// Decode decrypts payloads and leaves others as they are, so that workflows continue that began
// before encryption was turned on.
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
