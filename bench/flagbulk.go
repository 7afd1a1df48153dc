package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/decide/flags"
)

const (
	bulkPath = "/v1/ota/flag-evaluations-bulk"
	// bulkDevices is the number of devices that send requests in turn. Their exposures count in the round that is discarded.
	bulkDevices = 1000
	// bulkLimit is the most that evaluating and encoding all flags may take.
	bulkLimit = 50 * time.Microsecond
	// encodings is in how many batches of all devices that is measured.
	encodings = 100
)

// bulkBody returns the request of a device.
func bulkBody(slug, device string) string {
	return fmt.Sprintf(`{"projectSlug":%q,"channel":"production","deviceId":%q,"platform":"ios","runtimeVersion":"1.3.0",`+
		`"attributes":{"plan":"pro","country":"JP"}}`, slug, device)
}

// bulkDevice returns the ID of a device; all IDs have the same length.
func bulkDevice(i int) string { return fmt.Sprintf("device-%08d", i) }

// runBulk measures the evaluation of all flags, in this process and over HTTP.
func (s *session) runBulk(ctx context.Context, w *waft, slug string, set *flags.Set) error {
	encoding, body := encodeAll(set, s.size(encodings))
	bare, err := s.startProcess(ctx, "serve-flags", bareFlags{Bulk: string(body)})
	if err != nil {
		return err
	}
	devices := make([]string, bulkDevices)
	for i := range devices {
		devices[i] = bulkDevice(i)
	}
	kinds := make([]kind, 0, 2)
	for _, at := range []struct{ name, addr string }{
		{"bare Gin", bare}, {fmt.Sprint("Waft, ", projectFlags, " flags"), w.addr},
	} {
		body := bulkBody(slug, devices[0])
		request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: waft\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			bulkPath, len(body), body)
		wires, err := s.openWires(ctx, at.addr, [][]byte{[]byte(request)}, anySize)
		if err != nil {
			return err
		}
		wires.of(devices[0], devices)
		kinds = append(kinds, kind{name: at.name, request: wires.request})
	}
	results, err := s.measureRounds(ctx, kinds)
	if err != nil {
		return err
	}
	fmt.Printf("%d connections, %d rounds of %d requests of each kind; a response has about %d bytes\n",
		s.clients, s.rounds, s.requests, len(body))
	fmt.Printf("evaluating and encoding %d flags: %.1f µs\n\n", projectFlags, float64(encoding)/float64(time.Microsecond))
	t := newTable("\tper second\tmedian ms\tp99 ms\trate ratio\tp99 ratio")
	for i, k := range kinds {
		r, base := results[i], results[0]
		t.row("%s\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f", k.name, r.perSecond(), r.ms(.5), r.ms(.99),
			r.perSecond()/base.perSecond(), r.ms(.99)/base.ms(.99))
	}
	if err := t.print(); err != nil {
		return err
	}
	if encoding >= bulkLimit {
		return s.tooSlow("evaluating and encoding takes %v, the limit is %v", encoding, bulkLimit)
	}
	return nil
}

// encodeAll evaluates all flags as the server does, and returns the median time for a device and the last response.
func encodeAll(set *flags.Set, batches int) (took time.Duration, body []byte) {
	contexts := make([]flags.Context, bulkDevices)
	for i := range contexts {
		contexts[i] = flags.Context{
			TargetingKey: bulkDevice(i), DeviceID: bulkDevice(i), Channel: "production", Platform: "ios", RuntimeVersion: "1.3.0",
			Attributes: map[string]any{"plan": "pro", "country": "JP"},
		}
	}
	var all samples
	for range batches {
		began := time.Now()
		for i := range contexts {
			body = append(set.AppendJSON([]byte(`{"flags":`), set.Evaluate(&contexts[i], nil)), '}')
		}
		all.add([]time.Duration{time.Since(began) / bulkDevices}, 0)
	}
	return time.Duration(all.ms(.5) * float64(time.Millisecond)), body
}

// bareFlags has the responses of the bare handler.
type bareFlags struct {
	// Bulk is the response to an evaluation.
	Bulk string
	// Put begins a stream, Patches follow in turn at each change.
	Put     string
	Patches []string
}

// serveBareFlags runs the command that serves a bare Gin handler. It reads the context of an evaluation and returns the
// same response each time, and streams the events that it is sent.
func serveBareFlags(ctx context.Context, s *session) error {
	var b bareFlags
	if err := json.NewDecoder(os.Stdin).Decode(&b); err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.POST(bulkPath, func(c *gin.Context) {
		text, err := io.ReadAll(c.Request.Body)
		var request map[string]any
		if err == nil {
			err = json.Unmarshal(text, &request)
		}
		if err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		c.Data(http.StatusOK, "application/json", []byte(b.Bulk))
	})
	b.stream(engine)
	return await(s.listen(ctx, engine))
}
