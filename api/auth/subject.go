package auth

import "net/netip"

// kind distinguishes the subjects whose failures are counted.
type kind uint8

// The kinds of subjects. Each has its own limit.
const (
	// ofPair is an account in a network.
	ofPair kind = iota
	// ofNetwork is a network, over all accounts.
	ofNetwork
	// ofAccount is an account, over all networks from which it has never signed in.
	ofAccount
	// ofAnswers is a network that sends responses of passkeys and of identity providers, which do not name an
	// account.
	ofAnswers
	// kinds is the number of kinds.
	kinds
)

// String returns the kind's name in metrics and the log.
func (k kind) String() string {
	switch k {
	case ofPair:
		return "account_in_network"
	case ofNetwork:
		return "network"
	case ofAccount:
		return "account"
	default:
		return "answers"
	}
}

// free returns the number of failures during failureWindow that do not delay the next attempt.
func (k kind) free() int {
	switch k {
	case ofNetwork:
		return 50
	case ofAccount:
		return 20
	default:
		return 5
	}
}

// answersOf returns the subject for the responses that a network sends.
func answersOf(network netip.Addr) subject { return subject{kind: ofAnswers, network: network} }

// subject identifies the source or target of counted failures. Fields that its kind does not use are zero.
type subject struct {
	kind    kind
	account uint64 // a hash of the email address, so that every address takes the same memory
	network netip.Addr
}
