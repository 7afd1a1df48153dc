package unit

import (
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// LockProject reads the project of the change and locks it: whoever changes what its devices are served waits until the
// transaction ends, and nobody else does. A transaction that has written rows that refer to the project can still take the
// lock without a deadlock. A preview only reads the project.
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

// OneProject reads the project that q finds.
func OneProject(q *gorm.DB) (models.Project, error) {
	return pg.OneOr[models.Project](q, models.Errorf(models.CodeNotFound, "there is no such project"))
}

// SetReleaseClock sets the newest commit time of the project's releases, which is written with the project's snapshot version.
func (c *Change) SetReleaseClock(millis int64) {
	c.Project.LastReleaseMillis = millis
	if c.preview != nil {
		c.preview.LastReleaseMillis = millis
	}
}

// ErrMadeWay ends a preview that a change waits for.
var ErrMadeWay = &models.Error{
	Code: models.CodeUnavailable, RetryAfter: models.Unavailable("", nil).RetryAfter,
	Message: "the project is being changed; a preview waits for that, so ask again",
}

// MakeWay returns ErrMadeWay when somebody waits for what the transaction has locked.
func MakeWay(tx *gorm.DB) error {
	var awaited bool
	err := tx.Raw("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))").
		Scan(&awaited).Error
	if err == nil && awaited {
		return ErrMadeWay
	}
	return err
}

// Records names records of a project that cannot be locked row by row, since rows that are not there yet count, too.
type Records string

const (
	// Contexts are the evaluation contexts.
	Contexts Records = "contexts"
	// Files are the files that are stored, and those that uploads and the cleanup are about to add or delete.
	Files Records = "files"
	// Members are the members.
	Members Records = "members"
	// Policies are the rollout policies.
	Policies Records = "policies"
	// Publishers are the trusted publishers.
	Publishers Records = "publishers"
)

// Alone waits until no other transaction that called Alone for the records of the project is under way. Statements after it
// see what those before wrote. What devices are served is changed meanwhile.
func (c *Change) Alone(of Records) {
	c.Exec("SELECT pg_advisory_xact_lock(hashtextextended(jsonb_build_array(?::bigint, ?::text)::text, 0))", c.Project.ID, of)
}
