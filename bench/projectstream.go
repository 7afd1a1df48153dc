package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
)

// runProjectStream measures how long after its commit a change reaches the clients that follow its project, all of
// them at one server.
func runProjectStream(ctx context.Context, s *session) error {
	w, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	p, err := w.project(ctx, "followed")
	if err != nil {
		return err
	}
	commits, err := w.listen(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(ctx)
	before := load()
	told := make(chan time.Time, s.clients)
	ctx, end := context.WithCancel(ctx)
	g, following := errgroup.WithContext(ctx)
	for range s.clients {
		open := make(chan struct{})
		g.Go(func() error { return p.follow(following, open, told) })
		if err := wait(following, tick(following, open)); err != nil {
			end()
			return fmt.Errorf("%w: %w", err, g.Wait())
		}
	}
	var took, last samples
	for n := range s.rounds + 1 {
		g, changing := errgroup.WithContext(following)
		g.Go(func() error { return p.patch(changing, n) })
		var committed time.Time
		g.Go(func() error {
			_, err := commits.WaitForNotification(changing)
			committed = time.Now()
			return err
		})
		if err := g.Wait(); err != nil {
			end()
			return err
		}
		var slowest time.Duration
		for range s.clients {
			select {
			case at := <-told:
				slowest = max(slowest, at.Sub(committed))
				if n > 0 { // the first one includes work of the statements
					took.add([]time.Duration{at.Sub(committed)}, 0)
				}
			case <-following.Done():
				end()
				return following.Err()
			}
		}
		if n > 0 {
			last.add([]time.Duration{slowest}, 0)
		}
	}
	end()
	_ = g.Wait() // the streams were ended
	t := newTable("open streams\tchanges\tmedian ms\tp99 ms\tthe last stream, median ms")
	t.row("%d\t%d\t%.1f\t%.1f\t%.1f", s.clients, s.rounds, took.ms(.5), took.ms(.99), last.ms(.5))
	fmt.Printf("%s\n\n", machine(before))
	return t.print()
}

// tick returns a channel of times that receives one when closed is closed.
func tick(ctx context.Context, closed <-chan struct{}) <-chan time.Time {
	at := make(chan time.Time, 1)
	go func() {
		select {
		case <-closed:
			at <- time.Now()
		case <-ctx.Done():
		}
	}()
	return at
}

// follow sends when each event of the project's stream arrived. It closes open once the stream has begun.
func (p *project) follow(ctx context.Context, open chan<- struct{}, told chan<- time.Time) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.w.url+"/v1/ota/stream", http.NoBody)
	if err != nil {
		return err
	}
	for name, value := range p.header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the response to a stream is %s", res.Status)
	}
	begun := false
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		switch line := lines.Text(); {
		case !begun && strings.HasPrefix(line, "id: "):
			begun = true
			close(open)
		case strings.HasPrefix(line, "data: "):
			told <- time.Now()
		}
	}
	return ctx.Err()
}
