package store

// Accounts has the records of who may call: people, their sessions, passkeys and memberships, invitations, API keys and trusted publishers.
// It is safe for concurrent use.
type Accounts struct {
	db    *DB
	units *Units
}

// newAccounts reads from db, and changes records in units of work.
func newAccounts(db *DB, units *Units) *Accounts { return &Accounts{db, units} }
