package pg

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Two values of a context change what the methods of the store do with it. Inside AnswerOnce and Preview the context carries their
// transaction: every read and write becomes part of it, is neither retried nor committed by itself, and sees what the transaction
// wrote. Inside Preview the context carries the preview as well: changes that would wait for approvals are made and noted there.
// Two other facts travel in models.Actor: the approval of an approved call, and the If-Match of a request.

// outerKey is the context key of a transaction.
type outerKey struct{}

// Within returns a context whose reads and writes are part of tx, for one goroutine at a time.
func Within(ctx context.Context, tx *gorm.DB) context.Context {
	return context.WithValue(ctx, outerKey{}, tx)
}

// outerOf returns the transaction that ctx carries, or nil.
func outerOf(ctx context.Context) *gorm.DB {
	tx, _ := ctx.Value(outerKey{}).(*gorm.DB)
	return tx
}

// previewKey is the context key of the preview that changes are part of.
type previewKey struct{}

// PreviewOf returns the preview that ctx carries, or nil.
func PreviewOf(ctx context.Context) *models.PreviewedChange {
	p, _ := ctx.Value(previewKey{}).(*models.PreviewedChange)
	return p
}

// Previewing returns a context whose changes are made in tx and noted in p.
func Previewing(ctx context.Context, tx *gorm.DB, p *models.PreviewedChange) context.Context {
	return context.WithValue(Within(ctx, tx), previewKey{}, p)
}
