package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/procfs"
	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/identity/password"
)

const (
	// floodTime is how long each round of a flood lasts.
	floodTime = 5 * time.Second
	// manifestEvery and listEvery are the intervals at which other clients send requests during the flood.
	manifestEvery = 5 * time.Millisecond
	listEvery     = 20 * time.Millisecond
	loginPath     = "/v1/auth/login"
)

// flooded is a server that s.clients log in to all the time, and what came of it.
type flooded struct {
	name, url              string
	child                  *child
	tries, logins, refused atomic.Int64
	took                   time.Duration
	peaks                  samples // of bytes, above what it had in use before
}

// runLogins measures a flood of sign-ins from many networks: the number of responses, the memory, and the time that other
// clients wait during the flood. It compares them with a bare Gin handler that computes the same hash for each request immediately.
func runLogins(ctx context.Context, s *session) error {
	w, err := s.start(ctx, map[string]string{"WAFT_TRUSTED_PROXIES": "127.0.0.1"}, func(settings map[string]string) (string, error) {
		return s.startProcess(ctx, "serve-api", settings)
	})
	if err != nil {
		return err
	}
	waft := &flooded{name: "Waft", url: w.url, child: s.child}
	p, err := w.project(ctx, uniqueSlug("logins"))
	if err != nil {
		return err
	}
	if err := p.publish(ctx); err != nil {
		return err
	}
	bareAddr, err := s.startProcess(ctx, "serve-hashes", nil)
	if err != nil {
		return err
	}
	bare := &flooded{name: "bare Gin, hashes immediately", url: "http://" + bareAddr, child: s.child}
	before := load()
	var quiet, meanwhile [2]samples
	for range s.rounds {
		if err := p.others(ctx, &quiet); err != nil {
			return err
		}
		g, flooding := errgroup.WithContext(ctx)
		g.Go(func() error { return p.others(flooding, &meanwhile) })
		g.Go(func() error { return waft.flood(flooding, s.clients, s.lasting(floodTime)) })
		if err := g.Wait(); err != nil {
			return err
		}
		if err := bare.flood(ctx, s.clients, s.lasting(floodTime)); err != nil {
			return err
		}
	}
	fmt.Printf("%d clients, %d rounds of %s; %s\n\n", s.clients, s.rounds, s.lasting(floodTime), machine(before))
	floods := newMarkdown("\tlogins a second\trefused a second\tmost memory MiB\tof bare Gin")
	for _, f := range []*flooded{waft, bare} {
		seconds := f.took.Seconds()
		floods.row("%s\t%.0f\t%.0f\t%.0f\t%.2f", f.name, float64(f.logins.Load())/seconds, float64(f.refused.Load())/seconds,
			f.peakMiB(), f.peakMiB()/bare.peakMiB())
	}
	if err := floods.print(); err != nil {
		return err
	}
	fmt.Println()
	others := newMarkdown("other clients\tmedian ms\tp99 ms\tmedian ms in the flood\tp99 ms in the flood\tratio of p99")
	for i, name := range []string{"a manifest", "a list of 100"} {
		others.row("%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f", name, quiet[i].ms(.5), quiet[i].ms(.99),
			meanwhile[i].ms(.5), meanwhile[i].ms(.99), meanwhile[i].ms(.99)/quiet[i].ms(.99))
	}
	return others.print()
}

// serveHashes runs the command that serves a bare Gin handler, which hashes a password for each request.
func serveHashes(ctx context.Context, s *session) error {
	p := password.Current
	return await(s.bare(ctx, http.MethodPost, loginPath, func(c *gin.Context) {
		var body struct{ Email, Password string }
		if err := c.ShouldBindJSON(&body); err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		argon2.IDKey([]byte(body.Password), []byte(body.Email), p.Passes, p.MemoryKiB, p.Threads, 32)
		c.Status(http.StatusUnauthorized)
	}))
}

// others asks for a manifest and for a list every so often, and adds how long each took.
func (p *project) others(ctx context.Context, took *[2]samples) error {
	lasting, stop := context.WithTimeout(ctx, p.w.lasting(floodTime))
	defer stop()
	g, asking := errgroup.WithContext(ctx)
	for i, kind := range []struct {
		every time.Duration
		ask   func(ctx context.Context) error
	}{
		{manifestEvery, func(ctx context.Context) error { return p.w.manifest(ctx, p.slug) }},
		{listEvery, func(ctx context.Context) error {
			return p.send(ctx, http.MethodGet, "/v1/ota/updates?limit=100", "", http.StatusOK)
		}},
	} {
		g.Go(func() error {
			return each(lasting, kind.every, func() error {
				began := time.Now()
				err := kind.ask(asking)
				took[i].add([]time.Duration{time.Since(began)}, 0)
				return err
			})
		})
	}
	return g.Wait()
}

// flood logs in from all clients for a while, each from other networks and to other accounts each time.
func (f *flooded) flood(ctx context.Context, clients int, lasting time.Duration) error {
	base, err := f.resetPeak()
	if err != nil {
		return err
	}
	began := time.Now()
	g, sending := errgroup.WithContext(ctx)
	for range clients {
		g.Go(func() error {
			for time.Since(began) < lasting && sending.Err() == nil {
				if err := f.logIn(sending); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	f.took += time.Since(began)
	peak, err := f.peak()
	f.peaks.add([]time.Duration{time.Duration(peak - base)}, 0)
	return err
}

// logIn tries to log in once.
func (f *flooded) logIn(ctx context.Context) error {
	n := f.tries.Add(1)
	body := fmt.Sprintf(`{"email": "nobody-%d@example.com", "password": "wrong"}`, n)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+loginPath, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Forwarded-For", fmt.Sprintf("%d.%d.%d.1", 11+n>>16, n>>8&0xff, n&0xff))
	res, err := connections.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	switch res.StatusCode {
	case http.StatusUnauthorized:
		f.logins.Add(1)
	case http.StatusTooManyRequests:
		f.refused.Add(1)
	default:
		return fmt.Errorf("the response to a login is %s", res.Status)
	}
	return nil
}

// peakMiB returns the median of the peak memory of all rounds.
func (f *flooded) peakMiB() float64 { return f.peaks.ms(.5) * float64(time.Millisecond) / (1 << 20) }

// resetPeak resets the peak memory of the process, and returns its present memory in bytes.
func (f *flooded) resetPeak() (uint64, error) {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", f.child.pid), []byte("5"), 0); err != nil {
		return 0, err
	}
	return f.peak()
}

// peak returns the peak memory of the process, in bytes.
func (f *flooded) peak() (uint64, error) {
	p, err := procfs.NewProc(f.child.pid)
	if err != nil {
		return 0, err
	}
	status, err := p.NewStatus()
	return status.VmHWM, err
}
