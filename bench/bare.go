package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api"
)

// bare is a Gin handler that does the least that Gin can do. startBare makes one that
// answers every manifest request alike, with headers and bytes that are ready.
type bare struct {
	addr   string
	server *http.Server
}

func startBare(ctx context.Context, a answer) (*bare, error) {
	engine := newGin()
	engine.GET("/v1/ota/manifest/:projectSlug", func(c *gin.Context) {
		h := c.Writer.Header()
		for name, values := range a.Header {
			h[name] = values
		}
		c.Writer.WriteHeader(http.StatusOK)
		_, _ = c.Writer.Write(a.Body) // a client that has left needs no answer
	})
	return serveBare(ctx, engine)
}

// startBareReports serves a handler that reads health reports into the struct that
// documents them, and forgets them.
func startBareReports(ctx context.Context) (*bare, error) {
	engine := newGin()
	engine.POST("/v1/ota/health-metrics", func(c *gin.Context) {
		var report api.HealthReport
		if err := c.ShouldBindJSON(&report); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.Status(http.StatusNoContent)
	})
	return serveBare(ctx, engine)
}

func newGin() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	return gin.New()
}

func serveBare(ctx context.Context, engine *gin.Engine) (*bare, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	b := &bare{listener.Addr().String(), &http.Server{Handler: engine, ReadHeaderTimeout: time.Minute}}
	go func() { _ = b.server.Serve(listener) }() // it ends by close
	return b, nil
}

func (b *bare) close() error { return b.server.Close() }
