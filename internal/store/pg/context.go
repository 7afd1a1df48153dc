package pg

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// A context can carry two values that change how the methods of the store work. Inside AnswerOnce and Preview, it
// carries their transaction: every read and write becomes part of that transaction, sees its writes, and is neither
// retried nor committed on its own. Inside Preview, it also carries the preview: changes that would need approval are
// made and recorded in the preview. Two other facts are part of models.Actor: the approval of an approved call, and the
// If-Match of a request.

// outerKey is the context key of a transaction.
type outerKey struct{}

// Within returns a context whose reads and writes are part of tx. It may be used by one goroutine at a time.
func Within(ctx context.Context, tx *gorm.DB) context.Context {
	return context.WithValue(ctx, outerKey{}, tx)
}

// outerOf returns the transaction that ctx carries, or nil.
func outerOf(ctx context.Context) *gorm.DB {
	tx, _ := ctx.Value(outerKey{}).(*gorm.DB)
	return tx
}

// previewKey is the context key of a preview.
type previewKey struct{}

// PreviewOf returns the preview that ctx carries, or nil.
func PreviewOf(ctx context.Context) *models.PreviewedChange {
	p, _ := ctx.Value(previewKey{}).(*models.PreviewedChange)
	return p
}

// Previewing returns a context whose changes are made in tx and recorded in p.
func Previewing(ctx context.Context, tx *gorm.DB, p *models.PreviewedChange) context.Context {
	return context.WithValue(Within(ctx, tx), previewKey{}, p)
}
