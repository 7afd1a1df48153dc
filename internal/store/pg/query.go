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

// defaultLimit is how many records a page has unless the caller says otherwise.
const defaultLimit = 100

var (
	// ForUpdate locks the rows that a query reads. New rows with a foreign key to them wait.
	ForUpdate = clause.Locking{Strength: clause.LockingStrengthUpdate}
	// ForChange locks the rows against other changes. Rows that refer to them are still
	// written meanwhile, such as webhook messages.
	ForChange = clause.Locking{Strength: "NO KEY UPDATE"}
	// ForReference keeps the rows from being deleted, for rows that are to refer to them.
	ForReference = clause.Locking{Strength: "KEY SHARE"}
)

// One reads the row that q finds; what names it in the not_found error.
func One[T any](q *gorm.DB, what string, args ...any) (T, error) {
	return OneOr[T](q, models.Errorf(models.CodeNotFound, "there is no "+what+" in this project", args...))
}

// OneOr reads the row that q finds, and returns missing when there is none.
func OneOr[T any](q *gorm.DB, missing error) (row T, err error) {
	err = q.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = missing
	}
	return row, err
}

// All reads the rows that q finds. It never returns nil, which would be null in JSON.
func All[T any](q *gorm.DB) ([]T, error) {
	rows := []T{}
	err := q.Find(&rows).Error
	return rows, err
}

// AllWith reads the rows that q finds; load completes them from other tables.
func AllWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error) ([]T, error) {
	rows, err := All[T](q)
	if err != nil {
		return nil, err
	}
	return rows, load(tx, rows)
}

// OneWith is AllWith for one row; what names it in the not_found error.
func OneWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error, what string, args ...any) (T, error) {
	row, err := One[T](q, what, args...)
	if err != nil {
		return row, err
	}
	rows := []T{row}
	err = load(tx, rows)
	return rows[0], err
}

// Paged narrows q, whose rows come from table, to one page, newest first.
func Paged(q *gorm.DB, table string, page models.Page) *gorm.DB {
	if page.Before > 0 {
		q = q.Where(table+".id < ?", page.Before)
	}
	return q.Order(table + ".id DESC").Limit(LimitOf(page.Limit))
}

// LimitOf is how many records a page has that asks for limit.
func LimitOf(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return limit
}

// WhereSet narrows q to the rows with a value, unless it is empty.
func WhereSet(q *gorm.DB, column, value string) *gorm.DB {
	if value == "" {
		return q
	}
	return q.Where(column+" = ?", value)
}

// PageOf narrows q, whose rows come from table, to one page of a project, newest first.
//
// The project is an array of one, and part of the order, so that Postgres reads an index
// that begins with the project. With project_id = ? it may read the primary key instead,
// past all newer records of other projects.
func PageOf(q *gorm.DB, table string, projectID int64, page models.Page) *gorm.DB {
	return PageBy(q, table, "project_id", projectID, page)
}

// PageBy is PageOf for records of an owner that is not a project.
func PageBy(q *gorm.DB, table, owner string, ownerID int64, page models.Page) *gorm.DB {
	owner = table + "." + owner
	return Paged(q.Where(owner+" = ANY (ARRAY[?]::bigint[])", ownerID).Order(owner+" DESC"), table, page)
}

// Indexed maps rows by their ids, to complete all of them with one query.
func Indexed[T any](rows []T, id func(*T) int64) (at map[int64]*T, ids []int64) {
	at, ids = make(map[int64]*T, len(rows)), make([]int64, len(rows))
	for i := range rows {
		ids[i] = id(&rows[i])
		at[ids[i]] = &rows[i]
	}
	return at, ids
}

// Each applies of to every element.
func Each[T, R any](list []T, of func(T) R) []R {
	results := make([]R, len(list))
	for i, element := range list {
		results[i] = of(element)
	}
	return results
}

var arrayQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// ArrayOf returns a Postgres array as one parameter. Of a slice GORM makes one for each element.
func ArrayOf(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = `"` + arrayQuotes.Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}

// MaxReferrers is how many records an error lists.
const MaxReferrers = 20

// SomeOf joins up to MaxReferrers names.
func SomeOf(names []string) string {
	if len(names) > MaxReferrers {
		return strings.Join(names[:MaxReferrers], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// NamedIDs lists records in a message: "update 5, update 6".
func NamedIDs(what string, ids []int64) string {
	return SomeOf(Each(ids, func(id int64) string { return fmt.Sprintf("%s %d", what, id) }))
}

// IDBy finds a row by a column that identifies it; what names it in the not_found error.
func (s *DB) IDBy(ctx context.Context, projectID int64, table, column string, value any, what string) (int64, error) {
	row, err := Reading(ctx, s.ReadOne, func(db *gorm.DB) (struct{ ID int64 }, error) {
		return One[struct{ ID int64 }](db.Table(table).Select("id").
			Where("project_id = ? AND "+column+" = ?", projectID, value), "%s %v", what, value)
	})
	return row.ID, err
}

// Backlog counts rows, and returns how long ago the oldest time in a column was, at least 0.
func (s *DB) Backlog(ctx context.Context, rows, column string) (waiting int64, oldest time.Duration, err error) {
	var seconds float64
	err = s.gorm.WithContext(ctx).Raw("SELECT count(*), greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min("+column+
		")), 0)) FROM "+rows).Row().Scan(&waiting, &seconds)
	return waiting, time.Duration(seconds * float64(time.Second)), Translate(err)
}
