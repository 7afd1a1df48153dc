package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
)

// device is what every request of the benchmark says besides the device's id, as a
// stock client does whose app signs and names its users.
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

// runDelivery measures what a device is answered beside a bare Gin handler that
// answers the same bytes, and beside projects of other sizes. Both servers and the
// devices are processes of their own.
func runDelivery(ctx context.Context, o options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	server, err := startWaftApart(ctx, engines)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close()) }()
	d := &deliveryBench{waft: server, clients: o.clients, requests: (o.rounds + 1) * o.requests}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.prepare(ctx, engines); err != nil {
		return err
	}

	before := load()
	kinds := make([]kind, len(d.checks))
	for i, c := range d.checks {
		kinds[i] = c.kind
	}
	results, err := measureRounds(ctx, o, kinds)
	if err != nil {
		return err
	}
	return reportDelivery(o, d.checks, results, before, load())
}

// deliveryBench is the checks and what must be closed after them.
type deliveryBench struct {
	waft    *waft
	clients int
	// requests is how many are sent of each kind altogether.
	requests int
	// devices are the ids of those that ask in turn; sharing are some that are in all
	// active shares, so that all get the same.
	devices, sharing []string
	checks           []check
	closers          []func() error
}

func (d *deliveryBench) close() error {
	var errs []error
	for i := len(d.closers) - 1; i >= 0; i-- {
		errs = append(errs, d.closers[i]())
	}
	return errors.Join(errs...)
}

// Names of the projects.
const (
	small    = "small"
	large    = "large"
	targeted = "targeted"
)

// prepare fills the projects and opens the connections.
func (d *deliveryBench) prepare(ctx context.Context, e *engines) error {
	projects := map[string]*subject{}
	for _, slug := range []string{small, large, targeted} {
		var err error
		if projects[slug], err = d.waft.deliveryProject(ctx, slug); err != nil {
			return err
		}
	}
	if err := e.fill(ctx, large, append(manyChannels, manyReleases...)...); err != nil {
		return err
	}
	if err := e.fill(ctx, targeted, manyUsers...); err != nil {
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

// settle waits until the server has all that was changed so far: it makes a channel
// and waits until devices find that.
func (s *subject) settle(ctx context.Context) error {
	if _, err := send(ctx, http.MethodPost, s.w.url+"/v1/ota/channels", "application/json",
		`{"name": "settled", "branchName": "production"}`, s.header, http.StatusCreated); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	header := maps.Clone(device)
	header["Expo-Channel-Name"] = "settled"
	for poll := time.NewTicker(50 * time.Millisecond); ; {
		if _, err := send(ctx, http.MethodGet, s.w.url+manifestPath(s.header["X-Project"]), "", "", header, http.StatusOK); err == nil {
			poll.Stop()
			return nil
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func manifestPath(slug string) string { return "/v1/ota/manifest/" + slug }

// add makes the checks of every project, of a device that gets an update or has it
// already, and the bare handler that answers as the small project does.
func (d *deliveryBench) add(ctx context.Context, update bool) error {
	name, base := "no update", len(d.checks)
	if update {
		name = "update"
	}
	for _, slug := range []string{small, large, targeted} {
		header, a, err := d.ask(ctx, slug, update)
		if err != nil {
			return err
		}
		if slug == small {
			b, err := startProcess(ctx, "serve-answer", a)
			if err != nil {
				return err
			}
			d.closers = append(d.closers, b.close)
			if err := d.open(ctx, fmt.Sprintf("bare Gin, %s of %d bytes", name, len(a.Body)), base, b.addr, slug, header, a); err != nil {
				return err
			}
		}
		if slug == small && update {
			// Each of these asks for the first time, so its exposure is recorded.
			if err := d.openAs(ctx, name+" for new devices, "+descriptions[slug], base, strings.TrimPrefix(d.waft.url, "http://"), slug, header, a,
				newDevices(d.requests+2*d.clients), d.clients); err != nil {
				return err
			}
		}
		against := base
		if slug != small { // which is the last row before the first of these
			against = base + 1
			if update {
				against++
			}
		}
		if err := d.open(ctx, name+", "+descriptions[slug], against, strings.TrimPrefix(d.waft.url, "http://"), slug, header, a); err != nil {
			return err
		}
	}
	return nil
}

var descriptions = map[string]string{
	small:    fmt.Sprintf("%d releases", smallReleases),
	large:    fmt.Sprintf("%d releases, %d channels", largeReleases, largeChannels),
	targeted: fmt.Sprintf("%d overrides, active shares", manyOverrides),
}

func (d *deliveryBench) open(ctx context.Context, name string, against int, addr, slug string, header map[string]string, a answer) error {
	devices := d.devices
	if slug == targeted {
		devices = d.sharing
	}
	return d.openAs(ctx, name, against, addr, slug, header, a, devices, len(devices)+d.clients)
}

// openAs sends the first requests at once, so that every device has asked before the
// measurement, and no server gives up on a connection that says nothing.
func (d *deliveryBench) openAs(
	ctx context.Context, name string, against int, addr, slug string, header map[string]string, a answer, devices []string, first int,
) error {
	header["Eas-Client-Id"] = devices[0]
	w, err := openWires(ctx, d.clients, addr, [][]byte{httpRequest(manifestPath(slug), header)}, len(a.Body))
	if err != nil {
		return err
	}
	w.of(devices)
	if _, err := measure(ctx, d.clients, first, 2*time.Minute, w.request); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", name, err), w.close())
	}
	d.closers = append(d.closers, w.close)
	d.checks = append(d.checks, check{kind{name, w.request}, against})
	return nil
}

// How many devices ask, and how many of the project with shares.
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

// chooseDevices makes the ids, and takes those for sharing that get the newest release
// of the project with shares.
func (d *deliveryBench) chooseDevices(ctx context.Context) error {
	d.devices = newDevices(howManyDevices)
	newest := int64(0)
	for len(d.sharing) < howManySharing {
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

// served is what the benchmark reads of a manifest.
type served struct {
	ID    string
	Extra struct{ Waft struct{ ReleaseID int64 } }
}

// manifest is what a device is served that runs no update.
func (d *deliveryBench) manifest(ctx context.Context, slug, deviceID string) (m served, err error) {
	header := maps.Clone(device)
	header["Accept"], header["Eas-Client-Id"] = "application/json", deviceID
	a, err := d.get(ctx, slug, header)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(a.Body, &m); err != nil {
		return m, fmt.Errorf("manifest of %s: %w", slug, err)
	}
	return m, nil
}

// answer is what a server sends.
type answer struct {
	Header http.Header
	Body   []byte
}

// ask is what a device sends that is to be updated, or is not, and its answer.
func (d *deliveryBench) ask(ctx context.Context, slug string, update bool) (map[string]string, answer, error) {
	header := maps.Clone(device)
	header["Eas-Client-Id"] = d.sharing[0]
	if !update {
		running, err := d.manifest(ctx, slug, d.sharing[0])
		if err != nil {
			return nil, answer{}, err
		}
		header["Expo-Current-Update-Id"] = running.ID
	}
	a, err := d.get(ctx, slug, header)
	if err == nil && update == strings.Contains(string(a.Body), "noUpdateAvailable") {
		err = fmt.Errorf("project %s serves an update to who has it, or none to who has not", slug)
	}
	return header, a, err
}

// get makes a request as a device and checks that its answer is signed.
func (d *deliveryBench) get(ctx context.Context, slug string, header map[string]string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.waft.url+manifestPath(slug), nil)
	if err != nil {
		return answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := connections.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && (res.StatusCode != http.StatusOK || !strings.Contains(string(body), "expo-signature: ") && res.Header.Get("Expo-Signature") == "") {
		err = fmt.Errorf("project %s: status %d, or no signature: %s", slug, res.StatusCode, body)
	}
	res.Header.Del("Date") // every server writes its own
	return answer{Header: res.Header, Body: body}, err
}

func reportDelivery(o options, checks []check, results []samples, before, after string) error {
	fmt.Printf("%d connections, %d rounds of %d requests of each kind; %d CPUs, %s; load average before %s, after %s\n\n",
		o.clients, o.rounds, o.requests, runtime.NumCPU(), runtime.Version(), before, after)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tper second\tmedian ms\tp99 ms\tbeside\trate ratio\tp99 ratio\t")
	for i, c := range checks {
		r, base := results[i], results[c.against]
		fmt.Fprintf(w, "%s\t%.0f\t%.2f\t%.2f\t%s\t%.2f\t%.2f\t\n", c.name, r.perSecond(), ms(r.quantile(.5)), ms(r.quantile(.99)),
			strings.Split(checks[c.against].name, ", ")[0], r.perSecond()/base.perSecond(), float64(r.quantile(.99))/float64(base.quantile(.99)))
	}
	return w.Flush()
}
