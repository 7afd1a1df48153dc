package unit

import (
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// LockProject reads the project of the change and locks it. Only transactions that change what the project's devices
// are served wait for the lock. A transaction that has written rows that refer to the project can still take the lock
// without a deadlock. A preview reads the project without locking it.
func (c *Change) LockProject() (err error) {
	if c.preview != nil {
		return c.ReadProject()
	}
	if c.Project, err = OneProject(c.Tx.Clauses(pg.ForChange).Where("id = ?", c.Project.ID)); err == nil {
		c.rememberOffers()
		err = c.Err
	}
	return err
}

// ReadProject reads the project of the change.
func (c *Change) ReadProject() (err error) {
	c.Project, err = OneProject(c.Tx.Where("id = ?", c.Project.ID))
	if c.preview != nil {
		c.Project.LastReleaseMillis = max(c.Project.LastReleaseMillis, c.preview.LastReleaseMillis)
	}
	return err
}

// OneProject returns the project that q finds.
func OneProject(q *gorm.DB) (models.Project, error) {
	return pg.OneOr[models.Project](q, models.Errorf(models.CodeNotFound, "this project does not exist"))
}

// SetReleaseClock sets the commit time of the project's newest release. It is stored together with the project's
// snapshot version.
func (c *Change) SetReleaseClock(millis int64) {
	c.Project.LastReleaseMillis = millis
	if c.preview != nil {
		c.preview.LastReleaseMillis = millis
	}
}

// ErrMadeWay ends a preview when a change waits for a lock that the preview holds.
var ErrMadeWay = &models.Error{
	Code: models.CodeUnavailable, RetryAfter: models.Unavailable("", nil).RetryAfter,
	Message: "the project is being changed; retry the preview",
}

// MakeWay returns ErrMadeWay if another transaction waits for a lock of this transaction.
func MakeWay(tx *gorm.DB) error {
	var awaited bool
	err := tx.Raw("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))").
		Scan(&awaited).Error
	if err == nil && awaited {
		return ErrMadeWay
	}
	return err
}

// Records names a kind of project records. They cannot be locked row by row, because records that do not exist yet
// matter too.
type Records string

const (
	// Contexts stands for the evaluation contexts.
	Contexts Records = "contexts"
	// Files stands for the stored files, including the files that uploads and cleanup are about to add or delete.
	Files Records = "files"
	// Members stands for the members.
	Members Records = "members"
	// Policies stands for the rollout policies.
	Policies Records = "policies"
	// Publishers stands for the trusted publishers.
	Publishers Records = "publishers"
)

// Alone waits until every other transaction that called Alone for these records of the project has ended. Later
// statements see everything those transactions wrote. Changes of what devices are served do not wait.
func (c *Change) Alone(of Records) {
	c.Exec("SELECT pg_advisory_xact_lock(hashtextextended(jsonb_build_array(?::bigint, ?::text)::text, 0))", c.Project.ID, of)
}
