package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Idempotency remembers how requests were answered.
type Idempotency interface {
	// Answered returns how the request was answered before, if it was;
	// idempotency_mismatch when it asked for something else then.
	Answered(ctx context.Context, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error)
	// AnswerOnce answers the request by do, whose writes are committed together with
	// the answer or not at all, unless it was answered before. do must use the context
	// that it is given and write to Postgres alone, and may run again after a conflict.
	AnswerOnce(
		ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
	) (a models.IdempotentAnswer, replayed bool, err error)
	// KeepAnswer keeps how the request was answered. When another one with the same key
	// was answered meanwhile it returns that answer, and replayed is true.
	KeepAnswer(ctx context.Context, r models.IdempotentRequest, a models.IdempotentAnswer) (
		kept models.IdempotentAnswer, replayed bool, err error)
}

// Headers of a request that its caller may send again.
const (
	headerIdempotencyKey      = "Idempotency-Key"
	headerIdempotencyReplayed = "Idempotency-Replayed"
)

// maxIdempotencyKey bounds a key, in characters.
const maxIdempotencyKey = 255

var idempotencyParam = &huma.Param{
	Name: headerIdempotencyKey, In: "header", Example: "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a",
	Description: "Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, " +
		"with Idempotency-Replayed: true. Another body is idempotency_mismatch.",
	Schema: &huma.Schema{Type: huma.TypeString},
}

// keyedRequests answers a POST a single time for each Idempotency-Key.
type keyedRequests struct{ answers Idempotency }

// body puts a handler of JSON behind its Idempotency-Key, when the request has
// one.
func (k keyedRequests) body(handle gin.HandlerFunc, repeatable bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.GetHeader(headerIdempotencyKey) == "" {
			handle(c)
			return
		}
		// The whole body must be there before anything is done: half of one is no
		// request to remember.
		body, err := io.ReadAll(io.LimitReader(c.Request.Body, maxOperationBytes+1))
		if err == nil && len(body) > maxOperationBytes {
			err = refusal(http.StatusRequestEntityTooLarge, "", nil)
		} else if err != nil {
			err = refusal(http.StatusBadRequest, "the body could not be read to its end", []error{err})
		}
		if err != nil {
			fail(c, err)
			return
		}
		fingerprint := sha256.New()
		fingerprint.Write([]byte(c.Request.URL.RawQuery + "\n"))
		fingerprint.Write(body)
		answer := k.answers.AnswerOnce
		if repeatable {
			answer = k.answerRepeatable
		}
		k.run(c, fingerprint.Sum(nil), answer, func(c *gin.Context) {
			c.Request.Body = io.NopCloser(bytes.NewReader(body))
			handle(c)
		})
	}
}

// replay answers c as it was answered before and reports whether it did, or
// failed with why it cannot be answered.
func (k keyedRequests) replay(c *gin.Context, fingerprint []byte) (answered bool) {
	request, seal, err := k.request(c, fingerprint)
	if request == nil && err == nil {
		return false
	}
	var answer models.IdempotentAnswer
	found := false
	if err == nil {
		answer, found, err = k.answers.Answered(c.Request.Context(), *request)
	}
	if err == nil && found {
		err = replay(c, answer, seal)
	}
	if err != nil {
		fail(c, err)
	}
	return found || err != nil
}

// answerRequest has the signature of Idempotency.AnswerOnce.
type answerRequest func(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error)

// answerRepeatable is AnswerOnce for a do that is harmless to run again, such as a
// command that its rollout knows by the key. It holds no transaction while do waits
// for others. Of several calls at once each may run do; all get the answer of the
// first that is done.
func (k keyedRequests) answerRepeatable(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error) {
	if a, replayed, err = k.answers.Answered(ctx, r); replayed || err != nil {
		return a, replayed, err
	}
	if a, err = do(ctx); err != nil || a.Status >= 500 {
		return a, false, err
	}
	return k.answers.KeepAnswer(ctx, r, a)
}

// run answers c by handle, unless its Idempotency-Key was answered before.
// fingerprint is the SHA-256 of what is asked. handle must not answer in parts:
// its answer is held back until it is kept.
func (k keyedRequests) run(c *gin.Context, fingerprint []byte, answer answerRequest, handle gin.HandlerFunc) {
	request, seal, err := k.request(c, fingerprint)
	switch {
	case err != nil:
		fail(c, err)
		return
	case request == nil:
		handle(c)
		return
	}
	original, writer := c.Request, c.Writer
	defer func() { c.Request, c.Writer = original, writer }()
	ctx, cancel := context.WithTimeout(original.Context(), operationTime)
	defer cancel()
	callOf(ctx).idempotencyKey = request.Key
	var held *heldAnswer
	a, replayed, err := answer(ctx, *request, func(ctx context.Context) (models.IdempotentAnswer, error) {
		held = newHeldAnswer(writer)
		c.Request, c.Writer = original.WithContext(ctx), held
		handle(c)
		return models.IdempotentAnswer{
			Status: held.Status(), ContentType: held.header.Get("Content-Type"), Body: seal.seal(held.body.Bytes()),
		}, nil
	})
	c.Request, c.Writer = original, writer
	switch {
	case err == nil && replayed:
		err = replay(c, a, seal)
	case err == nil:
		held.release()
	}
	if err != nil {
		fail(c, tookEffect(c.Request.Context(), err))
	}
}

// request names the request by its Idempotency-Key; nil when it has none.
func (k keyedRequests) request(c *gin.Context, fingerprint []byte) (*models.IdempotentRequest, answerSeal, error) {
	key, err := idempotencyKey(c)
	if key == "" || err != nil {
		return nil, answerSeal{}, err
	}
	call := callOf(c.Request.Context())
	r := &models.IdempotentRequest{
		ProjectID: call.caller.project.ID, Caller: call.caller.actor.ID, Path: call.path, Key: key, Fingerprint: fingerprint,
	}
	seal, err := newAnswerSeal(c.GetHeader("Authorization"), r)
	return r, seal, err
}

// idempotencyKey is the request's key, "" when it has none.
func idempotencyKey(c *gin.Context) (string, error) {
	key := c.GetHeader(headerIdempotencyKey)
	if len(key) > maxIdempotencyKey {
		return "", invalid(headerIdempotencyKey, "must have at most %d characters", maxIdempotencyKey)
	}
	for i := range len(key) {
		if key[i] < 0x20 || key[i] > 0x7e {
			return "", invalid(headerIdempotencyKey, "must be of printable ASCII characters")
		}
	}
	return key, nil
}

// replay sends an answer that was given before.
func replay(c *gin.Context, a models.IdempotentAnswer, seal answerSeal) error {
	body, err := seal.open(a.Body)
	if err != nil {
		return fmt.Errorf("an answer that was kept cannot be read: %w", err)
	}
	c.Header(headerIdempotencyReplayed, "true")
	if len(body) == 0 {
		c.Status(a.Status)
		return nil
	}
	c.Data(a.Status, a.ContentType, body)
	return nil
}
