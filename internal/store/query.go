package store

import (
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// defaultLimit is how many records a page holds when the caller does not say.
const defaultLimit = 100

// forUpdate locks the rows read until the transaction ends, foreign keys to them
// included.
var forUpdate = clause.Locking{Strength: clause.LockingStrengthUpdate}

// one reads the row that q finds; what names it in the not_found error.
func one[T any](q *gorm.DB, what string, args ...any) (row T, err error) {
	err = q.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = models.Errorf(models.CodeNotFound, "there is no "+what+" in this project", args...)
	}
	return row, err
}

// all reads the rows that q finds. It never returns nil without an error, so that
// an empty list is one in JSON, too.
func all[T any](q *gorm.DB) ([]T, error) {
	rows := []T{}
	err := q.Find(&rows).Error
	return rows, err
}

// allWith reads the rows that q finds and has load complete them from other tables.
func allWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error) ([]T, error) {
	rows, err := all[T](q)
	if err != nil {
		return nil, err
	}
	return rows, load(tx, rows)
}

// oneWith is allWith for one row; what names it in the not_found error.
func oneWith[T any](tx, q *gorm.DB, load func(tx *gorm.DB, rows []T) error, what string, args ...any) (T, error) {
	row, err := one[T](q, what, args...)
	if err != nil {
		return row, err
	}
	rows := []T{row}
	err = load(tx, rows)
	return rows[0], err
}

// execEach runs statements whose only parameter is id.
func execEach(tx *gorm.DB, id int64, statements ...string) error {
	for _, statement := range statements {
		if err := tx.Exec(statement, id).Error; err != nil {
			return err
		}
	}
	return nil
}

// paged narrows q, whose rows come from table, to one page, newest first.
func paged(q *gorm.DB, table string, page models.Page) *gorm.DB {
	limit := page.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	if page.Before > 0 {
		q = q.Where(table+".id < ?", page.Before)
	}
	return q.Order(table + ".id DESC").Limit(limit)
}

// pageOf narrows q, whose rows come from table, to one page of a project, newest
// first.
//
// The project is an array of one, and part of the order, so that Postgres reads an
// index that begins with it. Told project_id = ? it knows that the order by id is
// all that is asked for, and likes to walk the primary key: past every newer record
// of all other projects.
func pageOf(q *gorm.DB, table string, projectID int64, page models.Page) *gorm.DB {
	return pageBy(q, table, "project_id", projectID, page)
}

// pageBy is pageOf for the records that belong to another record than a project.
func pageBy(q *gorm.DB, table, owner string, ownerID int64, page models.Page) *gorm.DB {
	owner = table + "." + owner
	return paged(q.Where(owner+" = ANY (ARRAY[?]::bigint[])", ownerID).Order(owner+" DESC"), table, page)
}

// indexed finds rows by their ids, for what is loaded for all of them at once.
func indexed[T any](rows []T, id func(*T) int64) (at map[int64]*T, ids []int64) {
	at, ids = make(map[int64]*T, len(rows)), make([]int64, len(rows))
	for i := range rows {
		ids[i] = id(&rows[i])
		at[ids[i]] = &rows[i]
	}
	return at, ids
}

// each returns what of makes of every element.
func each[T, R any](list []T, of func(T) R) []R {
	results := make([]R, len(list))
	for i, element := range list {
		results[i] = of(element)
	}
	return results
}

// nextID takes an id for a record that must know it before it is written.
func nextID(tx *gorm.DB) (id int64, err error) {
	err = tx.Raw("SELECT nextval('waft_ids')").Scan(&id).Error
	return id, err
}
