package auth

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

const (
	// attackLogInterval is the minimum time between two log lines about the same account under attack.
	attackLogInterval = time.Minute
	// attacksTracked limits the accounts in memory to twice this number.
	attacksTracked = 10_000
)

// attackLog tells operators about accounts whose passwords someone is guessing, at most once in attackLogInterval per
// account. It is safe for concurrent use.
type attackLog struct {
	log *slog.Logger
	now func() time.Time

	mu     sync.Mutex
	logged *cache.Generations[int64, time.Time]
}

func newAttackLog(log *slog.Logger, now func() time.Time) *attackLog {
	return &attackLog{log: log, now: now, logged: cache.New[int64, time.Time](attacksTracked, attackLogInterval)}
}

// note logs that sign-ins of the user fail again and again, now from a network. It does not log addresses without an
// account, because a stranger could invent any number of them. It logs the user's ID, because logs must not contain
// addresses of people.
func (l *attackLog) note(ctx context.Context, u models.User, from netip.Addr, known bool) {
	if u.ID == 0 || !l.due(u.ID) {
		return
	}
	l.log.LogAttrs(ctx, slog.LevelWarn, "an account may be under attack: wrong passwords are sent again and again; logged "+
		"once per minute and account",
		slog.Int64("userId", u.ID), slog.String("from", from.String()), slog.Bool("knownNetwork", known))
}

func (l *attackLog) due(userID int64) bool {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.logged.Expire(now)
	if last, ok := l.logged.Peek(userID); ok && now.Sub(last) < attackLogInterval {
		return false
	}
	l.logged.Put(userID, now)
	return true
}
