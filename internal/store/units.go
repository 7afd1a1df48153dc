package store

import (
	"cmp"
	"time"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/models"
)

// Units begins units of work: transactions that change a project, or an account. It has what every noun needs for them, and the
// records that belong to no noun: the audit log, approvals and the answers to requests. It is safe for concurrent use.
type Units struct {
	db *DB
	// secrets is nil when the store was opened without a key.
	secrets *secrets.Box
	quotas  models.Quotas
	// approvalLife is how long a call waits for approvals.
	approvalLife time.Duration
}

// unitConfig says what units of work are made with. The zero value will do.
type unitConfig struct {
	// Secrets encrypts secrets. Records with secrets need it.
	Secrets *secrets.Box
	// Quotas bounds what each project may have; without it nothing is bound.
	Quotas models.Quotas
	// ApprovalLife is how long calls wait for approvals; models.ApprovalLife without it.
	ApprovalLife time.Duration
}

// newUnits begins units of work in db.
func newUnits(db *DB, c unitConfig) *Units {
	return &Units{db: db, secrets: c.Secrets, quotas: c.Quotas, approvalLife: cmp.Or(c.ApprovalLife, models.ApprovalLife)}
}
