package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// bombBytes is the size of what a bomb unpacks to; packed it is not too large for a report.
	bombBytes = 400 << 20
	// nesting is the depth of a nested report.
	nesting = 50_000
)

// runBadReports measures the time that the server takes to refuse reports that a stranger makes expensive on purpose, compared with
// a report that it accepts.
func runBadReports(ctx context.Context, s *session) error {
	w, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	p, err := w.project(ctx, uniqueSlug("badreports"))
	if err != nil {
		return err
	}
	good := fmt.Sprintf(`{"projectSlug": %q, "deviceId": "device", "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", `+
		`"updateUuid": %q, "events": [{"type": "app_launch", "count": 1}]`, p.slug, uuid.NewString())
	bomb, err := gzipBomb(s.size(bombBytes))
	if err != nil {
		return err
	}
	packed := map[string]string{"Content-Encoding": "gzip"}
	report := func(name, body string, header map[string]string, status int) kind {
		return kind{name: name, request: func(ctx context.Context, _, _ int) error {
			_, err := send(ctx, http.MethodPost, w.url+"/v1/ota/health-metrics", "application/json", body, header, status)
			return err
		}}
	}
	kinds := []kind{
		report("a good report", good+"}", nil, http.StatusNoContent),
		report("no JSON", "not json", nil, http.StatusBadRequest),
		report(fmt.Sprintf("%d arrays in one another", nesting),
			good+`, "x": `+strings.Repeat("[", nesting)+strings.Repeat("]", nesting)+"}", nil, http.StatusBadRequest),
		report("too large", good+`, "x": "`+strings.Repeat("x", 512<<10)+`"}`, nil, http.StatusRequestEntityTooLarge),
		report(fmt.Sprintf("gzip of %d MiB", s.size(bombBytes)>>20), bomb, packed, http.StatusRequestEntityTooLarge),
	}
	before := load()
	results, err := s.measureRounds(ctx, kinds)
	if err != nil {
		return err
	}
	fmt.Printf("%d clients, %d rounds of %d reports of each kind; %s\n\n", s.clients, s.rounds, s.requests, machine(before))
	t := newTable("\tbytes sent\tmedian ms\tp99 ms\tmedian ratio")
	for i, size := range []int{len(good) + 1, len("not json"), len(good) + 2*nesting, len(good) + 512<<10, len(bomb)} {
		r := results[i]
		t.row("%s\t%d\t%.2f\t%.2f\t%.1f", kinds[i].name, size, r.ms(.5), r.ms(.99), r.ms(.5)/results[0].ms(.5))
	}
	return t.print()
}

// gzipBomb packs so many spaces.
func gzipBomb(size int) (string, error) {
	var out bytes.Buffer
	packing := gzip.NewWriter(&out)
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range size / len(spaces) {
		if _, err := packing.Write(spaces); err != nil {
			return "", err
		}
	}
	err := packing.Close()
	return out.String(), err
}
