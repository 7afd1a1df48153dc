package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/waft-ota/waft/internal/app"
)

// The bare handler's pool has as many connections as Waft's.
const (
	baselineOpen = 20
	baselineIdle = 10
)

// row is about as large as a release.
type row struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name" binding:"required"`
	Message   string    `json:"message"`
	Share     float64   `json:"share"`
	IsEnabled bool      `json:"isEnabled"`
	CreatedAt time.Time `json:"createdAt"`
}

// runManagement compares the management API with a bare Gin handler that inserts one row
// with GORM.
func runManagement(ctx context.Context, s *session) error {
	baseline, err := s.baseline(ctx)
	if err != nil {
		return err
	}
	server, err := s.waft(ctx, app.Role{API: true}, map[string]string{"WAFT_QUOTA_OVERRIDES": "1000000"})
	if err != nil {
		return err
	}
	kinds, err := server.kinds(ctx, s.clients)
	if err != nil {
		return err
	}
	kinds = append([]kind{baseline}, kinds...)
	before := load()
	results, err := s.measureRounds(ctx, kinds)
	if err != nil {
		return err
	}
	fmt.Printf("%d clients, %d rounds of %d requests of each kind; %s\n\n", s.clients, s.rounds, s.requests, machine(before))
	t := newTable("\trequests\tper second\tmedian ms\tp99 ms\tmedian ratio\tp99 ratio")
	base := results[0]
	for i, k := range kinds {
		r := results[i]
		t.row("%s\t%d\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f", k.name, len(r.took), r.perSecond(), r.ms(.5), r.ms(.99),
			r.ms(.5)/base.ms(.5), r.ms(.99)/base.ms(.99))
	}
	return t.print()
}

// baseline returns the minimal work of a service: bind, insert, respond.
func (s *session) baseline(ctx context.Context) (k kind, err error) {
	databaseURL, err := s.postgres(ctx)
	if err != nil {
		return k, err
	}
	db, err := gorm.Open(postgres.Open(databaseURL), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return k, fmt.Errorf("baseline: %w", err)
	}
	pool, err := db.DB()
	if err != nil {
		return k, fmt.Errorf("baseline: %w", err)
	}
	s.atEnd(pool.Close)
	pool.SetMaxOpenConns(baselineOpen)
	pool.SetMaxIdleConns(baselineIdle)
	if err := db.WithContext(ctx).AutoMigrate(&row{}); err != nil {
		return k, fmt.Errorf("baseline: %w", err)
	}
	addr, err := s.bare(ctx, http.MethodPost, "/rows", func(c *gin.Context) {
		var r row
		if err := c.ShouldBindJSON(&r); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		if err := db.WithContext(c).Create(&r).Error; err != nil {
			c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusCreated, r)
	})
	insert := func(ctx context.Context, _, n int) error {
		body := fmt.Sprintf(`{"name": "row %d", "message": "a message of some words", "share": 12.5, "isEnabled": true}`, n)
		_, err := send(ctx, http.MethodPost, "http://"+addr+"/rows", "application/json", body, nil, http.StatusCreated)
		return err
	}
	return kind{name: "bare Gin + GORM insert", request: insert}, err
}

// kinds returns the requests to measure. Changes of one project wait for each other, so
// they are measured in one project for all clients, and in one project per client.
func (w *waft) kinds(ctx context.Context, clients int) ([]kind, error) {
	own := make([]*project, clients)
	var err error
	for i := range own {
		if own[i], err = w.project(ctx, fmt.Sprint("own-", i)); err != nil {
			return nil, err
		}
	}
	shared, err := w.project(ctx, "shared")
	if err != nil {
		return nil, err
	}
	crowded, err := w.project(ctx, "crowded")
	if err != nil {
		return nil, err
	}
	err = w.fill(ctx, crowded.slug, "overrides")
	return []kind{
		{name: "publish, one project", request: func(ctx context.Context, _, _ int) error { return shared.publish(ctx) }},
		{name: "publish, a project each", request: func(ctx context.Context, client, _ int) error { return own[client].publish(ctx) }},
		{name: "patch, one project", request: func(ctx context.Context, _, n int) error { return shared.patch(ctx, n) }},
		{name: "patch, a project each", request: func(ctx context.Context, client, n int) error { return own[client].patch(ctx, n) }},
		{name: "override, one project", request: func(ctx context.Context, _, _ int) error { return shared.override(ctx) }},
		{name: fmt.Sprintf("override, beside %d", w.size(manyOverrides)), request: func(ctx context.Context, _, _ int) error {
			return crowded.override(ctx)
		}},
		{name: "list of 100", request: func(ctx context.Context, _, _ int) error {
			return shared.send(ctx, http.MethodGet, "/v1/ota/updates?limit=100", "", http.StatusOK)
		}},
	}, err
}
