package restorestore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Facts describe a restore.
type Facts struct {
	// Source is the name of the backup, such as its folder. Together with RestoredAt it identifies the restore.
	Source string
	// BackedUpAt is the moment of the backup's state of Postgres, and RestoredAt the moment at which the restore began.
	BackedUpAt, RestoredAt time.Time
	// SecretKeyLost is true if the installation no longer has the WAFT_SECRET_KEY of the backup.
	SecretKeyLost bool
}

func (f Facts) check() error {
	switch {
	case f.Source == "":
		return errors.New("the restore needs the name of its backup")
	case f.BackedUpAt.IsZero() || f.RestoredAt.Before(f.BackedUpAt):
		return fmt.Errorf("the backup's time %s is not before the time of the restore %s; set the clock of this machine right and "+
			"restore again", f.BackedUpAt.UTC().Format(time.RFC3339), f.RestoredAt.UTC().Format(time.RFC3339))
	default:
		return nil
	}
}

// actor is the author of everything that Settle changes.
var actor = models.SystemActor("restore")

// Settle brings the records of a restored backup into a state with which a server can start, in one transaction. db has
// the restored records in the current schema, and no server uses it. A call for a restore that is already settled only
// returns the report of the first call. It returns an error if the times are impossible or Postgres fails.
func Settle(ctx context.Context, db *gorm.DB, facts Facts) (report Report, err error) {
	// Postgres stores microseconds.
	facts.BackedUpAt, facts.RestoredAt = facts.BackedUpAt.UTC().Truncate(time.Microsecond), facts.RestoredAt.UTC().Truncate(time.Microsecond)
	if err := facts.check(); err != nil {
		return report, err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		report, err = settled(tx, facts)
		return err
	})
	return report, err
}

// settled returns the report of a restore that was settled before, and otherwise settles it.
func settled(tx *gorm.DB, facts Facts) (report Report, err error) {
	// A second call waits until the first has ended.
	if err := tx.Exec("LOCK TABLE restores IN EXCLUSIVE MODE").Error; err != nil {
		return report, err
	}
	before, err := pg.All[models.Restore](tx.Where("source = ? AND restored_at = ?", facts.Source, facts.RestoredAt))
	if err != nil {
		return report, err
	}
	if len(before) > 0 {
		return report, json.Unmarshal(before[0].Report, &report)
	}
	s := settling{Facts: facts, Change: unit.Change{Tx: tx, Actor: actor}}
	s.report = Report{Source: facts.Source, BackedUpAt: facts.BackedUpAt, RestoredAt: facts.RestoredAt, SecretKeyLost: facts.SecretKeyLost}
	for _, step := range []func() error{
		s.moveNumbers, s.forgetSecrets, s.endAccess, s.listKeys, s.startWork, s.settleProjects, s.record,
	} {
		if err := cmp.Or(step(), s.Err); err != nil {
			return report, err
		}
	}
	return s.report, nil
}

// settling is a restore that is being settled.
type settling struct {
	Facts
	unit.Change
	report Report
}

// record writes the row of the restore.
func (s *settling) record() error {
	report, err := json.Marshal(s.report)
	if err != nil {
		return fmt.Errorf("the report of the restore: %w", err)
	}
	return s.Tx.Create(&models.Restore{
		Source: s.Source, BackedUpAt: s.BackedUpAt, RestoredAt: s.RestoredAt, Version: version.String(), Report: report,
	}).Error
}
