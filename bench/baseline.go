package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

const baselineName = "bare Gin + GORM insert"

// As many connections as Waft's own pool has.
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

// baseline is the least that a service does: bind, insert, answer.
type baseline struct {
	url    string
	server *http.Server
	closer func() error
}

func startBaseline(ctx context.Context, databaseURL string) (*baseline, error) {
	db, err := gorm.Open(postgres.Open(databaseURL), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	pool, err := db.DB()
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	pool.SetMaxOpenConns(baselineOpen)
	pool.SetMaxIdleConns(baselineIdle)
	if err := db.WithContext(ctx).AutoMigrate(&row{}); err != nil {
		return nil, errors.Join(fmt.Errorf("baseline: %w", err), pool.Close())
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.POST("/rows", func(c *gin.Context) {
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
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("baseline: %w", err), pool.Close())
	}
	b := &baseline{
		url: "http://" + listener.Addr().String(), closer: pool.Close,
		server: &http.Server{Handler: engine, ReadHeaderTimeout: time.Minute},
	}
	go func() { _ = b.server.Serve(listener) }() // it ends by close
	return b, nil
}

func (b *baseline) insert(ctx context.Context, _, n int) error {
	body := fmt.Sprintf(`{"name": "row %d", "message": "a message of some words", "share": 12.5, "isEnabled": true}`, n)
	_, err := send(ctx, http.MethodPost, b.url+"/rows", "application/json", body, nil, http.StatusCreated)
	return err
}

func (b *baseline) close() error { return errors.Join(b.server.Close(), b.closer()) }
