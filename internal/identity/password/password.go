// Package password hashes passwords with Argon2id. It limits how many are hashed at the same time, so that a flood of sign-ins cannot
// exhaust the memory or all processors.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"github.com/waft-ota/waft/models"
)

// Params are the cost of a hash.
type Params struct {
	// MemoryKiB is the memory that one computation takes.
	MemoryKiB uint32
	Passes    uint32
	Threads   uint8
}

// Current is the cost of new hashes, the first choice of OWASP's Password Storage Cheat Sheet.
var Current = Params{MemoryKiB: 19 << 10, Passes: 2, Threads: 1}

const (
	saltBytes = 16
	hashBytes = 32
	// waitTime is how long a password waits for its turn.
	waitTime = 5 * time.Second
	// maxWaiting bounds the requests that wait in each of the two lines.
	maxWaiting = 64
	// maxMemoryKiB bounds what a stored hash may ask for.
	maxMemoryKiB = 1 << 20
)

// Hasher hashes and verifies passwords. It is safe for concurrent use.
//
// Requests wait in two queues, so that a flood of requests from strangers does not delay known people. The first queue is for people
// with something that Waft knows, such as a network from which they have signed in. The number of strangers for which a request in
// the first queue waits is at most the number of turns.
type Hasher struct {
	params Params
	// turns has a place for each hash that is computed.
	turns *semaphore.Weighted
	// next has a place for each stranger that computes a hash or is the next to do so.
	next *semaphore.Weighted
	// firstLine and strangersLine have a place for each request that computes a hash or waits.
	firstLine, strangersLine *semaphore.Weighted
	// unknown is verified instead of the hash of an account that does not exist. It is random, because computing a hash would make each
	// start of a server take longer.
	unknown string
}

// New returns a Hasher that computes hashes on half of the processors, at least one and at most four: the others are for
// requests that do not sign in.
func New(params Params) *Hasher {
	return newHasher(params, int64(max(1, min(4, runtime.GOMAXPROCS(0)/2))), maxWaiting)
}

func newHasher(params Params, turns, waiting int64) *Hasher {
	h := &Hasher{
		params: params, turns: semaphore.NewWeighted(turns), next: semaphore.NewWeighted(turns),
		firstLine: semaphore.NewWeighted(turns + waiting), strangersLine: semaphore.NewWeighted(turns + waiting),
	}
	h.unknown = h.format(random(saltBytes), random(hashBytes))
	return h
}

// Hash returns the PHC string of a new password, for a person with a session or a link that is valid. It is rate_limited when too
// many wait.
func (h *Hasher) Hash(ctx context.Context, password string) (encoded string, err error) {
	err = h.inTurn(ctx, true, func() { encoded = h.encode(password) })
	return encoded, err
}

// Verify reports whether encoded is the hash of the password. For "", an account that does not exist or
// has no password, it takes as long as for a password that is wrong. first puts the request into the first line. rehashed is the
// hash by the current parameters when the password is right and encoded has others, else "". Verify is rate_limited when too
// many wait.
func (h *Hasher) Verify(ctx context.Context, encoded, password string, first bool) (ok bool, rehashed string, err error) {
	known := encoded != ""
	if !known {
		encoded = h.unknown
	}
	params, salt, sum, err := decode(encoded)
	if err != nil {
		return false, "", err
	}
	err = h.inTurn(ctx, first, func() {
		computed := key(password, salt, params, len(sum))
		ok = subtle.ConstantTimeCompare(computed, sum) == 1 && known
		if ok && params != h.params {
			rehashed = h.encode(password)
		}
	})
	return ok, rehashed, err
}

var errBusy = &models.Error{
	Code: models.CodeRateLimited, Message: "too many people are signing in; try again in a moment", RetryAfter: waitTime,
}

// inTurn runs compute when it is the turn of the request.
func (h *Hasher) inTurn(ctx context.Context, first bool, compute func()) error {
	line := h.strangersLine
	if first {
		line = h.firstLine
	}
	if !line.TryAcquire(1) {
		return errBusy
	}
	defer line.Release(1)
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	if !first {
		if h.next.Acquire(ctx, 1) != nil {
			return errBusy
		}
		defer h.next.Release(1)
	}
	if h.turns.Acquire(ctx, 1) != nil {
		return errBusy
	}
	defer h.turns.Release(1)
	compute()
	return nil
}

func (h *Hasher) encode(password string) string {
	salt := random(saltBytes)
	return h.format(salt, key(password, salt, h.params, hashBytes))
}

// format returns the PHC string of a hash.
func (h *Hasher) format(salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.params.MemoryKiB, h.params.Passes, h.params.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

func random(n int) []byte {
	bytes := make([]byte, n)
	rand.Read(bytes) // never fails: crypto/rand ends the process instead
	return bytes
}

// key takes a password in NFKC, since keyboards differ in how they compose characters.
func key(password string, salt []byte, p Params, length int) []byte {
	return argon2.IDKey([]byte(norm.NFKC.String(password)), salt, p.Passes, p.MemoryKiB, p.Threads, uint32(length))
}

var errEncoded = errors.New("a stored password hash is not one of Argon2id")

func decode(encoded string) (p Params, salt, sum []byte, err error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, nil, nil, errEncoded
	}
	_, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.MemoryKiB, &p.Passes, &p.Threads)
	if err != nil || p.MemoryKiB == 0 || p.MemoryKiB > maxMemoryKiB || p.Passes == 0 || p.Threads == 0 {
		return p, nil, nil, errEncoded
	}
	salt, err = base64.RawStdEncoding.DecodeString(parts[4])
	if err == nil {
		sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	}
	if err != nil || len(sum) < hashBytes {
		return p, nil, nil, errEncoded
	}
	return p, salt, sum, nil
}
