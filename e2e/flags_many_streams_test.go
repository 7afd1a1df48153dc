package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/decide/rollout"
)

// A change reaches every open stream, each with the values of its own device. `bench flags` measures how fast it
// reaches 10,000 streams.
func TestManyStreamsOfFlags(t *testing.T) {
	t.Parallel()
	const streams, rounds = 500, 4
	p := install(t).tenant(t)
	p.known()
	id := p.create("/v1/ota/flags", object{"key": "f", "flagType": "boolean", "defaultValue": false}).id("id")
	require.Contains(t, p.bulk(object{"deviceId": "d"}), "f")

	events := make(chan heard, streams)
	var opening errgroup.Group
	opening.SetLimit(64)
	for i := range streams {
		opening.Go(func() error { return p.hear(t, i, events) })
	}
	require.NoError(t, opening.Wait())
	ctx, stop := context.WithTimeout(t.Context(), waitLimit)
	defer stop()
	// hear waits for n events.
	hear := func(n int, want func(device string) string) {
		t.Helper()
		for i := range n {
			select {
			case e := <-events:
				require.NoError(t, e.err)
				require.Equal(t, want(e.device), e.text, e.device)
			case <-ctx.Done():
				require.FailNow(t, "an event did not reach every stream", "%d of %d", i, n)
			}
		}
	}
	put := event("put", `{"flags":{"f":{"value":false,"variant":"Off","reason":"DEFAULT"}}}`)
	hear(streams, func(string) string { return put })

	inShare := func(device string) bool { return rollout.InShare("flag:f", device, 50) }
	patch := func(value bool, variant, reason string) string {
		return event("patch", fmt.Sprintf(`{"key":"f","flag":{"value":%t,"variant":%q,"reason":%q}}`, value, variant, reason))
	}
	on := func(device string) string {
		if inShare(device) {
			return patch(true, "On", "SPLIT")
		}
		return patch(false, "Off", "DEFAULT")
	}
	off := func(string) string { return patch(false, "Off", "DISABLED") }

	inside := 0
	for i := range streams {
		if inShare(deviceOf(i)) {
			inside++
		}
	}
	p.create(path("/v1/ota/flags/%d/rules", id), object{
		"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "true", "weight": 50}}},
	})
	hear(inside, on)

	// Devices in the other half of the split got no event. Their next event says that the flag is off.
	for round := range rounds {
		enabled := round%2 == 1
		change := request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", id), body: object{"enabled": enabled}}
		require.Equal(t, http.StatusOK, p.do(change).status)
		want := off
		if enabled {
			want = on
		}
		hear(streams, want)
	}
}

// heard is an event that a stream received.
type heard struct {
	device, text string
	err          error
}

func deviceOf(i int) string { return fmt.Sprint("d", i) }

func event(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// hear opens a flag stream and sends its events to a channel until the test ends. It uses less memory than an
// http.Client.
func (p *tenant) hear(t *testing.T, i int, events chan<- heard) error {
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		return err
	}
	t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "GET /v1/ota/flag-stream/%s?deviceId=%s&channel=production HTTP/1.1\r\nHost: %s\r\n\r\n",
		p.slug, deviceOf(i), address)
	if err != nil {
		return err
	}
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 1<<10), nil)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", deviceOf(i), res.Status)
	}
	go func() {
		lines := bufio.NewReaderSize(res.Body, 1<<10)
		for e := (heard{device: deviceOf(i)}); e.err == nil; {
			e.text, e.err = readEvent(lines)
			select {
			case events <- e:
			case <-t.Context().Done():
				return
			}
		}
	}()
	return nil
}

// readEvent returns the text of the next event. It skips comments.
func readEvent(lines *bufio.Reader) (text string, err error) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return text, err
		}
		if text == "" && (line == "\n" || line[0] == ':') {
			continue
		}
		if text += line; line == "\n" {
			return text, nil
		}
	}
}
