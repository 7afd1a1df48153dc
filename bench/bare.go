package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// bare is a Gin handler that answers every manifest request alike, with headers
// and bytes that are ready: the least that Gin can do.
type bare struct {
	addr   string
	server *http.Server
}

func startBare(ctx context.Context, a answer) (*bare, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/v1/ota/manifest/:projectSlug", func(c *gin.Context) {
		h := c.Writer.Header()
		for name, values := range a.header {
			h[name] = values
		}
		c.Writer.WriteHeader(http.StatusOK)
		_, _ = c.Writer.Write(a.body) // a client that has left needs no answer
	})
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	b := &bare{listener.Addr().String(), &http.Server{Handler: engine, ReadHeaderTimeout: time.Minute}}
	go func() { _ = b.server.Serve(listener) }() // it ends by close
	return b, nil
}

func (b *bare) close() error { return b.server.Close() }
