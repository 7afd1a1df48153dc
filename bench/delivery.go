package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// device is the header of every request of the benchmark, apart from the device's ID. It is the header of
// a stock client whose app signs and names its users.
var device = map[string]string{
	"Accept":                  "multipart/mixed,application/expo+json,application/json",
	"Expo-Protocol-Version":   "1",
	"Expo-Platform":           "ios",
	"Expo-Runtime-Version":    "1.0.0",
	"Expo-Api-Version":        "1",
	"Expo-Json-Error":         "true",
	"Expo-Channel-Name":       "production",
	"Expo-Embedded-Update-Id": "0b0f6f5e-8e2b-4f0e-9a55-6a1f0f8a3c11",
	"Expo-Expect-Signature":   `sig, keyid="main", alg="rsa-v1_5-sha256"`,
	"Client-User-Id":          "nobody-in-particular",
	"User-Agent":              "Expo/1017756 CFNetwork/1568.200.51 Darwin/24.1.0",
}

// check is a manifest request of one project, and the kind of request that it is
// compared with.
type check struct {
	kind
	against int
}

// runDelivery measures the responses to a device. It compares them with a bare Gin handler that returns the same header and bytes,
// and with projects of other sizes. Both servers and the devices are separate processes. Limits are checked, but high, because one
// machine sends for all devices.
func runDelivery(ctx context.Context, s *session) error {
	const high = "1000000"
	server, err := s.startWaftProcess(ctx, map[string]string{
		"WAFT_RATE_PER_ADDRESS": high, "WAFT_RATE_PER_NETWORK": high, "WAFT_RATE_PER_DEVICE": high, "WAFT_NEW_DEVICES_PER_MINUTE": high,
	})
	if err != nil {
		return err
	}
	d := &deliveryBench{session: s, waft: server, process: s.child.pid}
	if err := d.prepare(ctx); err != nil {
		return err
	}
	before := load()
	kinds := make([]kind, len(d.checks))
	for i, c := range d.checks {
		kinds[i] = c.kind
	}
	results, err := s.measureRounds(ctx, kinds)
	if err != nil {
		return err
	}
	fmt.Printf("%d connections, %d rounds of %d requests of each kind; %s\n\n", s.clients, s.rounds, s.requests, machine(before))
	t := newTable("\tper second\tmedian ms\tp99 ms\tserver CPU µs\tbeside\trate ratio\tp99 ratio\tCPU ratio")
	for i, c := range d.checks {
		r, base := results[i], results[c.against]
		t.row("%s\t%.0f\t%.2f\t%.2f\t%.1f\t%s\t%.2f\t%.2f\t%.2f", c.name, r.perSecond(), r.ms(.5), r.ms(.99), r.cpuEach(),
			strings.Split(d.checks[c.against].name, ", ")[0], r.perSecond()/base.perSecond(), r.ms(.99)/base.ms(.99),
			base.cpuEach()/r.cpuEach())
	}
	return t.print()
}

// serveAnswer runs the command that serves a bare Gin handler.
func serveAnswer(ctx context.Context, s *session) error {
	var a answer
	if err := json.NewDecoder(os.Stdin).Decode(&a); err != nil {
		return err
	}
	return await(s.bare(ctx, http.MethodGet, manifestPath(":projectSlug"), func(c *gin.Context) {
		maps.Copy(c.Writer.Header(), a.Header)
		c.Writer.WriteHeader(http.StatusOK)
		_, _ = c.Writer.Write(a.Body) // a client that has disconnected does not need the response
	}))
}

// deliveryBench is the checks of all projects.
type deliveryBench struct {
	*session
	waft *waft
	// process is the server's.
	process int
	// devices are the ids that checks are sent with in turn; sharing are some that are in all
	// active shares, so that all get the same.
	devices, sharing []string
	checks           []check
}

// Names of the projects.
const (
	small    = "small"
	large    = "large"
	targeted = "targeted"
)

// prepare fills the projects and opens the connections.
func (d *deliveryBench) prepare(ctx context.Context) error {
	projects := map[string]*project{}
	for _, slug := range []string{small, large, targeted} {
		var err error
		if projects[slug], err = d.waft.deliveryProject(ctx, slug); err != nil {
			return err
		}
	}
	if err := d.waft.fill(ctx, large, "channels", "releases"); err != nil {
		return err
	}
	if err := d.waft.fill(ctx, targeted, "overrides"); err != nil {
		return err
	}
	if err := projects[targeted].share(ctx); err != nil {
		return err
	}
	for slug, p := range projects {
		if err := p.settle(ctx); err != nil {
			return fmt.Errorf("project %s: %w", slug, err)
		}
	}
	if err := d.chooseDevices(ctx); err != nil {
		return err
	}
	for _, update := range []bool{false, true} {
		if err := d.add(ctx, update); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until the server has all changes so far: it resumes the channel that deliveryProject paused, and waits until
// devices get an update from that channel.
func (p *project) settle(ctx context.Context) error {
	if err := p.pauseSettled(ctx, false); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return until(ctx, 50*time.Millisecond, func() (bool, error) {
		id, err := p.w.update(ctx, p.slug, with(device, "Expo-Channel-Name", "settled"))
		return id != "", err
	})
}

func (p *project) pauseSettled(ctx context.Context, paused bool) error {
	return p.send(ctx, http.MethodPatch, "/v1/ota/channels/settled", fmt.Sprintf(`{"isPaused": %t}`, paused), http.StatusOK)
}

// add creates the checks of every project, for a device that gets an update or already has it,
// and the bare handler with the small project's response.
func (d *deliveryBench) add(ctx context.Context, update bool) error {
	name, base, waft := "no update", len(d.checks), 1
	if update {
		// The first check after the bare handler's is of new devices.
		name, waft = "update", 2
	}
	for _, slug := range []string{small, large, targeted} {
		header, a, err := d.ask(ctx, slug, update)
		if err != nil {
			return err
		}
		open := func(name string, against, process int, addr string, devices []string, first int) error {
			on := check{kind{name: name, server: process}, against}
			return d.open(ctx, on, addr, httpRequest(manifestPath(slug), header), len(a.Body), devices, first)
		}
		devices, against := d.devices, base+waft
		if slug == targeted {
			devices = d.sharing
		}
		all := len(devices) + d.clients // so that every device has asked before the measurement
		if slug == small {
			against = base
			addr, err := d.startProcess(ctx, "serve-answer", a)
			if err != nil {
				return err
			}
			if err := open(fmt.Sprintf("bare Gin, %s of %d bytes", name, len(a.Body)), base, d.child.pid, addr, devices, all); err != nil {
				return err
			}
		}
		if slug == small && update {
			// It is the first check of each of these, so its exposure is recorded.
			first := newDevices((d.rounds+1)*d.requests + 2*d.clients)
			if err := open(name+" for new devices, "+d.waft.describe(slug), base, d.process, d.waft.addr, first, d.clients); err != nil {
				return err
			}
		}
		if err := open(name+", "+d.waft.describe(slug), against, d.process, d.waft.addr, devices, all); err != nil {
			return err
		}
	}
	return nil
}

// describe returns the size of a project in words.
func (w *waft) describe(slug string) string {
	switch slug {
	case small:
		return fmt.Sprintf("%d releases", smallReleases)
	case large:
		return fmt.Sprintf("%d releases, %d channels", w.size(largeReleases), largeChannels)
	default:
		return fmt.Sprintf("%d overrides, active shares", w.size(manyOverrides))
	}
}

// open adds a check and sends its first requests immediately, so that a server does not close a
// connection that is silent for long.
func (d *deliveryBench) open(ctx context.Context, c check, addr string, request []byte, size int, devices []string, first int) error {
	w, err := d.openWires(ctx, addr, [][]byte{request}, size)
	if err != nil {
		return err
	}
	w.of(d.sharing[0], devices)
	c.request = w.request
	if _, err := measure(ctx, d.clients, first, 2*time.Minute, w.request); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	d.checks = append(d.checks, c)
	return nil
}

// How many devices send checks, and how many of the project with shares.
const (
	howManyDevices = 100_000
	howManySharing = 512
)

func newDevices(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	return ids
}

// chooseDevices makes the device IDs. For sharing it makes IDs that get the newest release of the
// project with partial rollouts.
func (d *deliveryBench) chooseDevices(ctx context.Context) error {
	d.devices = newDevices(d.size(howManyDevices))
	newest := int64(0)
	for len(d.sharing) < max(d.size(howManySharing), d.clients) {
		id := uuid.NewString()
		m, err := d.manifest(ctx, targeted, id)
		if err != nil {
			return err
		}
		if m.Extra.Waft.ReleaseID > newest {
			newest, d.sharing = m.Extra.Waft.ReleaseID, nil
		}
		if m.Extra.Waft.ReleaseID == newest {
			d.sharing = append(d.sharing, id)
		}
	}
	return nil
}

// served has the fields of a manifest that the benchmark reads.
type served struct {
	ID    string
	Extra struct{ Waft struct{ ReleaseID int64 } }
}

// manifest returns the manifest for a device that does not run an update yet.
func (d *deliveryBench) manifest(ctx context.Context, slug, deviceID string) (m served, err error) {
	a, err := d.get(ctx, slug, with(with(device, "Accept", "application/json"), "Eas-Client-Id", deviceID))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(a.Body, &m); err != nil {
		return m, fmt.Errorf("manifest of %s: %w", slug, err)
	}
	return m, nil
}

// ask returns the header of a device that gets an update, or does not, and the response.
func (d *deliveryBench) ask(ctx context.Context, slug string, update bool) (map[string]string, answer, error) {
	header := with(device, "Eas-Client-Id", d.sharing[0])
	if !update {
		running, err := d.manifest(ctx, slug, d.sharing[0])
		if err != nil {
			return nil, answer{}, err
		}
		header["Expo-Current-Update-Id"] = running.ID
	}
	a, err := d.get(ctx, slug, header)
	if err == nil && update == strings.Contains(string(a.Body), "noUpdateAvailable") {
		err = fmt.Errorf("project %s serves an update to a device that has it, or does not serve it to a device without it", slug)
	}
	return header, a, err
}

// get makes a request as a device and checks that the response is signed. Like the wires, it does not accept gzip.
func (d *deliveryBench) get(ctx context.Context, slug string, header map[string]string) (answer, error) {
	header = with(header, "Accept-Encoding", "identity")
	a, err := exchange(ctx, http.MethodGet, d.waft.url+manifestPath(slug), "", "", header, http.StatusOK)
	if err == nil && !strings.Contains(string(a.Body), "expo-signature: ") && a.Header.Get("Expo-Signature") == "" {
		err = fmt.Errorf("project %s: no signature: %s", slug, a.Body)
	}
	a.Header.Del("Date") // every server writes its own
	return a, err
}
