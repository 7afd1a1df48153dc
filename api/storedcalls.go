package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/manage/approvals"
	"github.com/waft-ota/waft/api/manage/flags"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// StoredCalls makes stored calls as their authors, through the handlers of the API: the input is
// checked anew, and so are the rights of the author.
type StoredCalls struct{ routes http.Handler }

// StoredCallDeps are what the operations use that ask for approvals.
type StoredCallDeps struct {
	AuthorKeys      access.AuthorKeys
	Sessions        access.Sessions
	Projects        access.Projects
	Builds          releases.BuildIDs
	Releases        releases.Releases
	Channels        releases.Channels
	UserOverrides   releases.UserOverrides
	Executions      rollouts.Executions
	RolloutCommands rollouts.RolloutCommands
	EmergencyStops  rollouts.EmergencyStops
	Flags           flags.Flags
	Segments        flags.Segments
	SegmentDevices  flags.SegmentDevices
	Names           releases.UpdateNames
	Log             *slog.Logger
	Now             func() time.Time
}

// NewStoredCalls makes one. It fails when a dependency is missing.
func NewStoredCalls(s StoredCallDeps) (*StoredCalls, error) {
	if err := rest.Complete("stored calls", s); err != nil {
		return nil, err
	}
	d := Deps{Log: s.Log, Now: utc(s.Now), Metrics: prometheus.NewRegistry()}
	d.Readiness = NewReadiness(nil, d.Log, d.Now)
	// The call was counted when it came, so nothing limits it here.
	limits := limit.New(limit.Settings{}, nil, d.Metrics, d.Log, d.Now)
	gate := &access.Gate{AuthorKeys: s.AuthorKeys, Sessions: s.Sessions, Projects: s.Projects, Limits: limits, Log: s.Log, Now: d.Now}
	releases := &releases.Handlers{Releases: s.Releases, Builds: s.Builds, Channels: s.Channels, UserOverrides: s.UserOverrides}
	nouns := []noun{
		onlyAsking{releases},
		onlyAsking{&rollouts.Handlers{
			Executions: s.Executions, RolloutCommands: s.RolloutCommands, EmergencyStops: s.EmergencyStops, Releases: releases, Gate: gate,
			Log: s.Log, Now: d.Now,
		}},
		onlyAsking{&flags.Handlers{
			Flags: s.Flags, Segments: s.Segments, SegmentDevices: s.SegmentDevices, Names: s.Names, Now: d.Now,
		}},
	}
	m, err := mount(d, guardsOf(gate, limits, &device.Handlers{}, &approvals.Handlers{}), nouns)
	if err != nil {
		return nil, err
	}
	return &StoredCalls{m}, nil
}

// onlyAsking is a noun without the routes whose calls never wait for approvals.
type onlyAsking struct{ noun }

// Routes are the routes whose calls may have to wait for approvals.
func (o onlyAsking) Routes() []rest.Route {
	return slices.DeleteFunc(o.noun.Routes(), func(r rest.Route) bool { return !r.Asks })
}

// CarryOut makes an approved call. A refusal of the call is an outcome; an error is one of the
// server's, after which the call may be made again.
func (s *StoredCalls) CarryOut(ctx context.Context, a models.Approval) (models.CallOutcome, error) {
	ctx = context.WithValue(ctx, access.ApprovedKey{}, a)
	r, err := http.NewRequestWithContext(ctx, a.Method, a.Path, bytes.NewReader(a.Body))
	if err != nil {
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d: %w", a.ID, err)
	}
	r.RemoteAddr = "127.0.0.1:0" // as one from this machine
	r.Header.Set("X-Project", a.ProjectSlug)
	r.Header.Set("X-Request-Id", a.RequestID)
	if len(a.Body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := &recordedAnswer{header: http.Header{}, status: http.StatusOK}
	s.routes.ServeHTTP(answer, r)
	switch {
	case answer.status < http.StatusMultipleChoices:
		return models.CallOutcome{Done: true}, nil
	case answer.status >= http.StatusInternalServerError, answer.status == http.StatusTooManyRequests,
		answer.status == models.StatusClientClosed: // this process stops
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d was answered with %d: %s", a.ID, answer.status, answer.problem())
	default:
		return models.CallOutcome{Refusal: answer.problem()}, nil
	}
}

// recordedAnswer keeps an answer in memory.
type recordedAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recordedAnswer) Header() http.Header         { return a.header }
func (a *recordedAnswer) WriteHeader(status int)      { a.status = status }
func (a *recordedAnswer) Write(p []byte) (int, error) { return a.body.Write(p) }

// problem is what the answer says went wrong.
func (a *recordedAnswer) problem() string {
	var p rest.Problem
	if json.Unmarshal(a.body.Bytes(), &p) != nil || p.Detail == "" {
		return http.StatusText(a.status)
	}
	text := p.Detail
	for _, f := range p.Errors {
		if line := f.Field + ": " + f.Message; !strings.Contains(text, line) {
			text += "; " + line
		}
	}
	return text
}
