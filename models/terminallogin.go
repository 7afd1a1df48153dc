package models

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
	"time"
)

const (
	// TerminalLoginLife is the time within which a person must confirm a sign-in of a terminal.
	TerminalLoginLife = 10 * time.Minute
	// TerminalRetryLife is how long a terminal whose sign-in was confirmed may poll: after the person confirmed it, and again
	// after the first response, which may be lost.
	TerminalRetryLife = 2 * time.Minute
	// MaxTerminalLogins is the maximum number of sign-ins of terminals in one network that wait for a person.
	MaxTerminalLogins = 10
	// firstPollSeconds is the time between two polls of a terminal. Each poll that comes too early makes it longer by
	// pollStep, up to maxPollSeconds.
	firstPollSeconds, pollStep, maxPollSeconds = 5, 5, 60
	// maxTerminalName is the maximum length of a terminal's name in bytes.
	maxTerminalName = 100
)

var (
	// ErrNoTerminal is the error for a code of no sign-in that waits.
	ErrNoTerminal = Errorf(CodeNotFound,
		"no terminal waits with this code: it may be mistyped, used, or older than ten minutes; run `waft login` again")
	// ErrTerminalOver is the error for a secret of no sign-in that a terminal may poll for.
	ErrTerminalOver = Errorf(CodeUnauthenticated, "this sign-in was used or is older than ten minutes; run `waft login` again")
)

// TerminalLoginStatus is the state of a sign-in of a terminal.
type TerminalLoginStatus string

const (
	TerminalPending   TerminalLoginStatus = "pending"
	TerminalConfirmed TerminalLoginStatus = "confirmed"
	TerminalRefused   TerminalLoginStatus = "refused"
)

// NewTerminalLogin is a sign-in that a terminal begins.
type NewTerminalLogin struct {
	Token SecretToken
	Code  TerminalCode
	// Name is the name that the terminal gives itself. It comes from an unknown client.
	Name    string
	Address string
	// Network is the keyed hash of the terminal's network, 0 for a program on the server's own machine. Networks lists
	// the hashes under all keys, because other sign-ins may have the hash under the previous key.
	Network  NetworkHash
	Networks []NetworkHash
}

// Validate returns an error that names the fields that are wrong.
func (n NewTerminalLogin) Validate() error {
	var p Problems
	checkRequiredText(&p, "name", n.Name, maxTerminalName)
	return p.Err()
}

// Login returns the sign-in, beginning at the given time.
func (n NewTerminalLogin) Login(at time.Time) TerminalLogin {
	return TerminalLogin{
		TokenHash: n.Token.Hash(), Code: n.Code, Status: TerminalPending, Name: n.Name, Address: StorableText(n.Address, maxUserAgent),
		Network: int64(n.Network), PollSeconds: firstPollSeconds, CreatedAt: at, ExpiresAt: at.Add(TerminalLoginLife),
	}
}

// TerminalLogin is a sign-in that a terminal has begun. A person confirms or refuses it in the browser.
type TerminalLogin struct {
	ID int64
	// TokenHash is the SHA-256 of the terminal's secret, which becomes the token of the session.
	TokenHash     []byte
	Code          TerminalCode
	Status        TerminalLoginStatus
	Name, Address string
	// Network is the terminal's NetworkHash as a signed integer.
	Network              int64
	PollSeconds          int
	PolledAt             *time.Time
	CreatedAt, ExpiresAt time.Time
}

func (TerminalLogin) TableName() string { return "terminal_logins" }

// Poll records a poll of the terminal. It returns rate_limited for a poll that comes too early, and makes the interval
// longer then. A confirmed or refused sign-in does not limit polls, because the terminal does not wait any longer.
func (l *TerminalLogin) Poll(now time.Time) error {
	if l.Status != TerminalPending {
		return nil
	}
	interval := time.Duration(l.PollSeconds) * time.Second
	if l.PolledAt != nil && now.Before(l.PolledAt.Add(interval)) {
		l.PollSeconds = min(l.PollSeconds+pollStep, maxPollSeconds)
		return &Error{
			Code: CodeRateLimited, RetryAfter: time.Duration(l.PollSeconds) * time.Second,
			Message: fmt.Sprintf("the terminal polls too often; wait %d seconds between polls", l.PollSeconds),
		}
	}
	l.PolledAt = &now
	return nil
}

// Confirm gives the sign-in the state confirmed, and the terminal enough time to get its session.
func (l *TerminalLogin) Confirm(now time.Time) {
	l.Status = TerminalConfirmed
	if least := now.Add(TerminalRetryLife); l.ExpiresAt.Before(least) {
		l.ExpiresAt = least
	}
}

// GiveSession ends a confirmed sign-in soon, but lets the terminal ask again if the response with its session is lost.
func (l *TerminalLogin) GiveSession(now time.Time) {
	if most := now.Add(TerminalRetryLife); l.ExpiresAt.After(most) {
		l.ExpiresAt = most
	}
}

// UserAgent returns the name of the terminal in the list of sessions.
func (l TerminalLogin) UserAgent() string { return "waft on " + l.Name }

// Session returns the session that a confirmed sign-in becomes. Its network does not become known for the account,
// because the person may be elsewhere.
func (l TerminalLogin) Session() NewSession {
	return NewSession{TokenHash: l.TokenHash, Method: LoginTerminal, Address: l.Address, UserAgent: l.UserAgent()}
}

// TerminalCode is the code that a person compares: eight letters of codeLetters, without the hyphen that it is shown with.
type TerminalCode string

// codeLetters has neither vowels, so that codes do not contain words, nor letters that look like digits. Eight of them
// have 34 bits.
const (
	codeLetters = "BCDFGHJKLMNPQRSTVWXZ"
	codeLength  = 8
)

// NewTerminalCode returns a random code.
func NewTerminalCode() TerminalCode {
	letters := make([]byte, codeLength)
	for i := range letters {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters)))) // never fails: see rand.Read
		letters[i] = codeLetters[n.Int64()]
	}
	return TerminalCode(letters)
}

// ParseTerminalCode parses a code as a person may type it: in small letters, with or without hyphen and spaces. ok is
// false if it does not have the form of a code.
func ParseTerminalCode(text string) (code TerminalCode, ok bool) {
	if len(text) > 4*codeLength {
		return "", false
	}
	text = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(text))
	return TerminalCode(text), len(text) == codeLength && strings.Trim(text, codeLetters) == ""
}

// Shown returns the code as people see it, such as WDJB-MJHT.
func (c TerminalCode) Shown() string {
	if len(c) != codeLength {
		return string(c)
	}
	return string(c[:codeLength/2] + "-" + c[codeLength/2:])
}
