// Package unit has the unit of work: one transaction that changes a project. It also writes the change's audit entry,
// webhook messages and outbox messages, and the project's next snapshot version if devices could notice the change: see
// Change. A transaction that writes a snapshot version locks the project's row, so that changes of what its devices are
// served happen one after the other. Any other transaction locks its own rows, or the records that it passes to
// Change.Alone.
package unit

import (
	"cmp"
	"time"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Units begins units of work: transactions that change a project or an account. It provides what all record types need,
// and stores the audit log, approvals and responses to idempotent requests. It is safe for concurrent use.
type Units struct {
	db *pg.DB
	// secrets is nil if the store was opened without a key.
	secrets *secrets.Box
	// Quotas limits the number of records of each project.
	Quotas models.Quotas
	// approvalLife is how long a call waits for approvals.
	approvalLife time.Duration
}

// Config configures Units. The zero value is usable.
type Config struct {
	// Secrets encrypts secrets. It is required to store records with secrets.
	Secrets *secrets.Box
	// Quotas limits the number of records of each project. Without quotas, records are not limited.
	Quotas models.Quotas
	// ApprovalLife is how long calls wait for approvals. The default is models.ApprovalLife.
	ApprovalLife time.Duration
}

// New returns Units that work in db.
func New(db *pg.DB, c Config) *Units {
	return &Units{db: db, secrets: c.Secrets, Quotas: c.Quotas, approvalLife: cmp.Or(c.ApprovalLife, models.ApprovalLife)}
}
