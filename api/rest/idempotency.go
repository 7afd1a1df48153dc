package rest

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Idempotency stores the responses to requests with an Idempotency-Key.
type Idempotency interface {
	// Answered returns the stored response, if there is one. It fails with idempotency_mismatch if that is the
	// response to a different request.
	Answered(ctx context.Context, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error)
	// AnswerOnce returns the stored response, or runs do and stores its response in the transaction of do's writes.
	// do must use its context, write only to Postgres, and may run again after a conflict.
	AnswerOnce(
		ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
	) (a models.IdempotentAnswer, replayed bool, err error)
	// KeepAnswer stores the response. If the request has a stored response by now, it returns that one, and replayed
	// is true.
	KeepAnswer(ctx context.Context, r models.IdempotentRequest, a models.IdempotentAnswer) (
		kept models.IdempotentAnswer, replayed bool, err error)
}

// Headers of a request that its caller may send again.
const (
	HeaderIdempotencyKey      = "Idempotency-Key"
	headerIdempotencyReplayed = "Idempotency-Replayed"
)

// MaxIdempotencyKey is the maximum length of a key in characters.
const MaxIdempotencyKey = 255

var idempotencyParam = &huma.Param{
	Name: HeaderIdempotencyKey, In: "header", Example: "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a",
	Description: "Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first " +
		"response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch.",
	Schema: &huma.Schema{Type: huma.TypeString},
}

// KeyedRequests runs a POST once per Idempotency-Key.
type KeyedRequests struct{ Answers Idempotency }

// body wraps a handler whose requests may have an Idempotency-Key.
func (k KeyedRequests) body(handle gin.HandlerFunc, repeatable bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.GetHeader(HeaderIdempotencyKey) == "" {
			handle(c)
			return
		}
		// The fingerprint covers the whole body.
		body, err := io.ReadAll(io.LimitReader(c.Request.Body, maxOperationBytes+1))
		if err == nil && len(body) > maxOperationBytes {
			err = inputError(http.StatusRequestEntityTooLarge, "", nil)
		} else if err != nil {
			err = inputError(http.StatusBadRequest, "the body could not be read to its end", []error{err})
		}
		if err != nil {
			Fail(c, err)
			return
		}
		fingerprint := sha256.New()
		fingerprint.Write([]byte(c.Request.URL.RawQuery + "\n"))
		fingerprint.Write(body)
		answer := k.Answers.AnswerOnce
		if repeatable {
			answer = k.answerRepeatable
		}
		k.Run(c, fingerprint.Sum(nil), answer, func(c *gin.Context) {
			c.Request.Body = io.NopCloser(bytes.NewReader(body))
			handle(c)
		})
	}
}

// Replay sends the stored response, or an error. It returns false if there is neither.
func (k KeyedRequests) Replay(c *gin.Context, fingerprint []byte) (answered bool) {
	request, seal, err := k.request(c, fingerprint)
	if request == nil && err == nil {
		return false
	}
	var answer models.IdempotentAnswer
	found := false
	if err == nil {
		answer, found, err = k.Answers.Answered(c.Request.Context(), *request)
	}
	if err == nil && found {
		err = replay(c, answer, seal)
	}
	if err != nil {
		Fail(c, err)
	}
	return found || err != nil
}

// answerRequest has the signature of Idempotency.AnswerOnce.
type answerRequest func(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error)

// answerRepeatable returns a response like AnswerOnce, for a do that is harmless to run again, such as a command
// whose ID is the key. It does not hold a transaction while do waits. If several calls run at the same time, each may
// run do, and all return the response of the first one to finish.
func (k KeyedRequests) answerRepeatable(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error) {
	if a, replayed, err = k.Answers.Answered(ctx, r); replayed || err != nil {
		return a, replayed, err
	}
	if a, err = do(ctx); err != nil || !a.Final() {
		return a, false, err
	}
	return k.Answers.KeepAnswer(ctx, r, a)
}

// Run responds with the stored response of the request's Idempotency-Key, or with the response of handle. fingerprint
// is the SHA-256 of the request. The response of handle is held until it is stored.
func (k KeyedRequests) Run(c *gin.Context, fingerprint []byte, answer answerRequest, handle gin.HandlerFunc) {
	request, seal, err := k.request(c, fingerprint)
	if err != nil {
		Fail(c, err)
		return
	}
	if request == nil {
		handle(c)
		return
	}
	original, writer := c.Request, c.Writer
	defer func() { c.Request, c.Writer = original, writer }()
	ctx, cancel := context.WithTimeout(original.Context(), operationTime)
	defer cancel()
	CallOf(ctx).IdempotencyKey = request.Key
	var held *heldAnswer
	a, replayed, err := answer(ctx, *request, func(ctx context.Context) (models.IdempotentAnswer, error) {
		held = NewHeldAnswer(writer)
		c.Request, c.Writer = original.WithContext(ctx), held
		handle(c)
		return models.IdempotentAnswer{
			Status: held.Status(), ContentType: held.header.Get("Content-Type"),
			Body: seal.Seal(nil, nil, held.body.Bytes(), nil),
		}, nil
	})
	c.Request, c.Writer = original, writer
	if err == nil && replayed {
		err = replay(c, a, seal)
	} else if err == nil {
		held.Release()
	}
	if err != nil {
		Fail(c, TookEffect(c.Request.Context(), err))
	}
}

// request returns the identity of the request by its Idempotency-Key, or nil without a key.
func (k KeyedRequests) request(c *gin.Context, fingerprint []byte) (*models.IdempotentRequest, cipher.AEAD, error) {
	key, err := IdempotencyKey(c)
	if key == "" || err != nil {
		return nil, nil, err
	}
	call := CallOf(c.Request.Context())
	r := &models.IdempotentRequest{
		ProjectID: call.Caller.Project.ID, Caller: callerName(call.Caller), Path: call.Path, Key: key, Fingerprint: fingerprint,
	}
	seal, err := newAnswerSeal(credential(c), r)
	return r, seal, err
}

// IdempotencyKey returns the request's key, or "".
func IdempotencyKey(c *gin.Context) (string, error) {
	key := c.GetHeader(HeaderIdempotencyKey)
	if len(key) > MaxIdempotencyKey {
		return "", Invalid(HeaderIdempotencyKey, "must have at most %d characters", MaxIdempotencyKey)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
		return "", Invalid(HeaderIdempotencyKey, "must consist of printable ASCII characters")
	}
	return key, nil
}

// replay sends a stored response.
func replay(c *gin.Context, a models.IdempotentAnswer, seal cipher.AEAD) error {
	body, err := seal.Open(nil, nil, a.Body, nil)
	if err != nil {
		return fmt.Errorf("a stored response cannot be decrypted: %w", err)
	}
	c.Header(headerIdempotencyReplayed, "true")
	if len(body) == 0 {
		c.Status(a.Status)
		return nil
	}
	c.Data(a.Status, a.ContentType, body)
	return nil
}

// newAnswerSeal returns the cipher for the response to one request. Its key is derived from the caller's credential,
// and Waft stores only a hash of that. So only the caller can read the API keys and webhook secrets in stored
// responses.
func newAnswerSeal(authorization string, r *models.IdempotentRequest) (cipher.AEAD, error) {
	_, credential, _ := strings.Cut(authorization, " ")
	info := fmt.Sprintf("waft idempotent answer %d %q %q %q", r.ProjectID, r.Caller, r.Path, r.Key)
	key, err := hkdf.Key(sha256.New, []byte(strings.TrimSpace(credential)), nil, info, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
