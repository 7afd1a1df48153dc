package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// defaultLimit is the number of records per page if the caller does not set one.
const defaultLimit = 100

var (
	// ForUpdate locks the rows that a query reads. New rows with a foreign key to them must wait.
	ForUpdate = clause.Locking{Strength: clause.LockingStrengthUpdate}
	// ForChange locks the rows against other changes. New rows that refer to them, such as webhook messages, can still
	// be written.
	ForChange = clause.Locking{Strength: "NO KEY UPDATE"}
	// ForReference keeps the rows from being deleted, so that new rows can refer to them.
	ForReference = clause.Locking{Strength: "KEY SHARE"}
)

// One returns the row that q finds. what names the row in the not_found error.
func One[T any](q *gorm.DB, what string, args ...any) (T, error) {
	return OneOr[T](q, models.Errorf(models.CodeNotFound, what+" does not exist in this project", args...))
}

// OneOr returns the row that q finds, or the error missing if there is no row.
func OneOr[T any](q *gorm.DB, missing error) (row T, err error) {
	err = q.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = missing
	}
	return row, err
}

// All returns the rows that q finds. It never returns a nil slice, which would be null in JSON.
func All[T any](q *gorm.DB) ([]T, error) {
	rows := []T{}
	err := q.Find(&rows).Error
	return rows, err
}

// AllWith returns the rows that q finds. load completes them from other tables.
func AllWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error) ([]T, error) {
	rows, err := All[T](q)
	if err != nil {
		return nil, err
	}
	return rows, load(tx, rows)
}

// OneWith returns one row, like AllWith. what names the row in the not_found error.
func OneWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error, what string, args ...any) (T, error) {
	row, err := One[T](q, what, args...)
	if err != nil {
		return row, err
	}
	rows := []T{row}
	err = load(tx, rows)
	return rows[0], err
}

// LimitOf returns the number of records per page for a requested limit.
func LimitOf(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return limit
}

// WhereSet narrows q to the rows with a value in a column. If value is empty, q stays as it is.
func WhereSet(q *gorm.DB, column, value string) *gorm.DB {
	if value == "" {
		return q
	}
	return q.Where(column+" = ?", value)
}

// Indexed returns rows by ID, and the IDs, so that one query can complete all rows.
func Indexed[T any](rows []T, id func(*T) int64) (at map[int64]*T, ids []int64) {
	at, ids = make(map[int64]*T, len(rows)), make([]int64, len(rows))
	for i := range rows {
		ids[i] = id(&rows[i])
		at[ids[i]] = &rows[i]
	}
	return at, ids
}

// Each applies of to every element and returns the results.
func Each[T, R any](list []T, of func(T) R) []R {
	results := make([]R, len(list))
	for i, element := range list {
		results[i] = of(element)
	}
	return results
}

var arrayQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// ArrayOf returns a Postgres array as a single parameter. For a slice, GORM would create one parameter per element.
func ArrayOf(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = `"` + arrayQuotes.Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}

// MaxReferrers is the maximum number of records that an error lists.
const MaxReferrers = 20

// SomeOf joins up to MaxReferrers names.
func SomeOf(names []string) string {
	if len(names) > MaxReferrers {
		return strings.Join(names[:MaxReferrers], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// NamedIDs returns a list of records for a message: "release 5, release 6".
func NamedIDs(what string, ids []int64) string {
	return SomeOf(Each(ids, func(id int64) string { return fmt.Sprintf("%s %d", what, id) }))
}

// IDBy returns the ID of the row with an identifying value in a column. what names the row in the not_found error.
func (s *DB) IDBy(ctx context.Context, projectID int64, table, column string, value any, what string) (int64, error) {
	row, err := Reading(ctx, s.ReadOne, func(db *gorm.DB) (struct{ ID int64 }, error) {
		return One[struct{ ID int64 }](db.Table(table).Select("id").
			Where("project_id = ? AND "+column+" = ?", projectID, value), "%s %v", what, value)
	})
	return row.ID, err
}

// Backlog returns the number of rows, and how long ago the oldest time in the column was. The age is never negative.
func (s *DB) Backlog(ctx context.Context, rows, column string) (waiting int64, oldest time.Duration, err error) {
	var seconds float64
	err = s.gorm.WithContext(ctx).Raw("SELECT count(*), greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min("+column+
		")), 0)) FROM "+rows).Row().Scan(&waiting, &seconds)
	return waiting, time.Duration(seconds * float64(time.Second)), Translate(err)
}
