package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	apidevice "github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

const (
	// ingestDevices report in no order, few of them twice; they run ingestReleases.
	ingestDevices  = 100_000
	ingestReleases = 8
	ingestSeed     = 5
)

// reporter invents health reports as apps send them: a launch, some screens and taps
// with tags, now and then an error with its stack, and the flags that were active.
type reporter struct {
	rng      *rand.Rand
	slug     string
	devices  []string
	releases []rest.UUID
}

func newReporter(slug string) *reporter {
	r := &reporter{rng: rand.New(rand.NewPCG(ingestSeed, 0)), slug: slug}
	for range ingestDevices {
		r.devices = append(r.devices, uuid.NewString())
	}
	for range ingestReleases {
		r.releases = append(r.releases, rest.UUID(uuid.NewString()))
	}
	return r
}

func (r *reporter) report() apidevice.HealthReport {
	device := r.rng.IntN(len(r.devices))
	made := apidevice.HealthReport{
		ProjectSlug: r.slug, DeviceID: r.devices[device], Channel: "production", Platform: string(models.IOS),
		RuntimeVersion: fmt.Sprintf("1.%d.0", device%3),
	}
	if device%2 == 0 {
		made.Platform = string(models.Android)
	}
	if device%10 == 0 {
		made.Channel = "staging"
	}
	if device%20 != 1 { // the others run what is inside the app
		// Few run the old releases.
		made.UpdateUUID = &r.releases[min(device%4, r.rng.IntN(len(r.releases)))]
	}
	flags := map[string]string{
		"new-checkout": []string{"true", "false"}[device%2], "theme": []string{"light", "dark", "system"}[device%3], "search": "ranked",
	}
	made.Events = append(made.Events, apidevice.HealthEvent{Type: string(models.EventAppLaunch), Count: 1, FlagStates: flags})
	// Three on average, in addition to the launch.
	for range 1 + r.rng.IntN(5) {
		made.Events = append(made.Events, r.event(flags))
	}
	return made
}

func (r *reporter) event(flags map[string]string) apidevice.HealthEvent {
	what := r.rng.IntN(1000)
	e := apidevice.HealthEvent{
		Type: string(models.EventCustom), Name: fmt.Sprintf("screen-%d", r.rng.IntN(40)), Count: 1 + r.rng.Int64N(3),
		Tags: map[string]string{"network": []string{"wifi", "4g", "5g"}[r.rng.IntN(3)], "locale": "de-CH"},
	}
	if what >= 3 { // so that one report in a hundred tells of an error
		return e
	}
	e = apidevice.HealthEvent{
		Type: string(models.EventJSError), ErrorName: "TypeError", Count: 1, FlagStates: flags, Tags: e.Tags,
		Message:    fmt.Sprintf("undefined is not an object (evaluating 'basket.items[%d]')", r.rng.IntN(200)),
		StackTrace: strings.Repeat(fmt.Sprintf("at render (index.bundle:1:%d)\n", 1000+r.rng.IntN(900)), 20),
	}
	if what == 0 {
		e.Type, e.ErrorName, e.IsFatal = string(models.EventCrash), "RangeError", true
	}
	return e
}

// reportRequest returns the bytes of the POST of a report, with key as its Idempotency-Key unless key is "".
func reportRequest(report apidevice.HealthReport, key string) ([]byte, error) {
	body, err := json.Marshal(report)
	if err != nil {
		return nil, err
	}
	var request bytes.Buffer
	fmt.Fprintf(&request, "POST /v1/ota/health-metrics HTTP/1.1\r\nHost: waft\r\nUser-Agent: Expo/1017756 "+
		"CFNetwork/1568.200.51 Darwin/24.1.0\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	if key != "" {
		fmt.Fprintf(&request, "Idempotency-Key: %s\r\n", key)
	}
	request.WriteString("\r\n")
	request.Write(body)
	return request.Bytes(), nil
}

// received returns the report as the server reads it.
func received(made apidevice.HealthReport, at time.Time) (models.HealthReport, error) {
	body, err := json.Marshal(made)
	if err != nil {
		return models.HealthReport{}, err
	}
	_, r, err := reports.ParseHealth(body)
	r.ID, r.ProjectID, r.ReceivedAt = uuid.Must(uuid.NewV7()).String(), telemetryProject, at.UTC()
	return r, err
}
