// Package unit has the unit of work: one transaction that changes a project and also writes its audit entry, the messages to
// webhooks, its outbox messages and, when devices could notice, the project's next snapshot version: see Change. A
// transaction of the last kind locks the project's row, so that changes of what its devices are served happen one after the
// other. Any other locks its own rows, or what Change.Alone names.
package unit

import (
	"cmp"
	"time"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Units begins units of work: transactions that change a project, or an account. It has what every noun needs for them, and the
// records that belong to no noun: the audit log, approvals and the answers to requests. It is safe for concurrent use.
type Units struct {
	db *pg.DB
	// secrets is nil when the store was opened without a key.
	secrets *secrets.Box
	// Quotas bound what each project may have.
	Quotas models.Quotas
	// approvalLife is how long a call waits for approvals.
	approvalLife time.Duration
}

// Config says what units of work are made with. The zero value will do.
type Config struct {
	// Secrets encrypts secrets. Records with secrets need it.
	Secrets *secrets.Box
	// Quotas bounds what each project may have; without it nothing is bound.
	Quotas models.Quotas
	// ApprovalLife is how long calls wait for approvals; models.ApprovalLife without it.
	ApprovalLife time.Duration
}

// New begins units of work in db.
func New(db *pg.DB, c Config) *Units {
	return &Units{db: db, secrets: c.Secrets, Quotas: c.Quotas, approvalLife: cmp.Or(c.ApprovalLife, models.ApprovalLife)}
}
