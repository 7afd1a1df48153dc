package device

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// countedFlags remembers the flags that were counted for a device within the hour, in bounded memory. It identifies a
// device by a 64-bit hash. If it runs full, it forgets devices and counts them again.
type countedFlags struct {
	seed maphash.Seed
	now  func() time.Time

	mu       sync.Mutex
	subjects *cache.Generations[uint64, counted]
}

// counted holds the hour in which a subject was counted. For all flags of a device it also holds the keys that its
// project had.
type counted struct {
	hour int64
	keys *flags.Keys
}

// countedDevices limits the memory of countedFlags to twice this number of subjects, of 50 bytes each.
const countedDevices = 1 << 19

func newCountedFlags(now func() time.Time) *countedFlags {
	return &countedFlags{seed: maphash.MakeSeed(), now: now, subjects: cache.New[uint64, counted](countedDevices, 0)}
}

// countedSubject identifies the subject of a count: a device with all its flags, with one flag, or with a targeting
// key other than its own ID.
type countedSubject struct {
	project                    int64
	device, flag, targetingKey string
}

// add returns a function that reports whether a key is new for the device in this hour, or nil if none is. Unless
// only is "", add considers only that key.
func (f *countedFlags) add(projectID int64, device, only string, keys *flags.Keys) (isNew func(key string) bool) {
	hour := f.now().Unix() / 3600
	f.mu.Lock()
	defer f.mu.Unlock()
	all, knowsAll := f.at(countedSubject{project: projectID, device: device}, hour)
	if only != "" {
		one := countedSubject{project: projectID, device: device, flag: only}
		if _, known := f.at(one, hour); known || knowsAll && all.Has(only) {
			return nil
		}
		f.put(one, hour, nil)
		return func(string) bool { return true }
	}
	if knowsAll && all == keys {
		return nil
	}
	f.put(countedSubject{project: projectID, device: device}, hour, keys)
	return func(key string) bool {
		if knowsAll && all.Has(key) {
			return false
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		_, known := f.at(countedSubject{project: projectID, device: device, flag: key}, hour)
		return !known
	}
}

// meet reports whether the targeting key is new for the device in this hour.
func (f *countedFlags) meet(projectID int64, device, targetingKey string) bool {
	hour := f.now().Unix() / 3600
	f.mu.Lock()
	defer f.mu.Unlock()
	s := countedSubject{project: projectID, device: device, targetingKey: targetingKey}
	_, known := f.at(s, hour)
	if !known {
		f.put(s, hour, nil)
	}
	return !known
}

// at returns the keys that were counted for the subject in the hour.
func (f *countedFlags) at(s countedSubject, hour int64) (keys *flags.Keys, known bool) {
	c, known := f.subjects.Peek(maphash.Comparable(f.seed, s))
	return c.keys, known && c.hour == hour
}

func (f *countedFlags) put(s countedSubject, hour int64, keys *flags.Keys) {
	f.subjects.Put(maphash.Comparable(f.seed, s), counted{hour, keys})
}

// countFlags counts the flags that a device was served, at most once per hour for each flag and device, and records
// its context. only is the key of the one flag that was served, "" for all. It does not store new devices above their
// network's budget.
func (h *Handlers) countFlags(
	c *gin.Context, s *delivery.Snapshot, set *flags.Set, of *flags.Context, only string, outcomes []*flags.Outcome,
) {
	device := of.DeviceID
	if device == "" {
		device = of.TargetingKey
	}
	if device == "" {
		return // the device cannot be distinguished from others
	}
	project := s.Project().ID
	isNew := h.counted.add(project, device, only, set.Keys())
	isNewUser := of.TargetingKey != device && h.counted.meet(project, device, of.TargetingKey)
	sender := h.Limits.Device(c, s, device)
	if isNew == nil && !isNewUser || sender.Admit() != nil {
		return
	}
	now := h.Now()
	evaluated := int64(len(outcomes))
	if isNew != nil {
		news := h.newEvaluations(s, set, of, only, outcomes, isNew, now)
		h.appendEvaluations(c, news)
		if !isNewUser {
			evaluated = int64(len(news))
		}
	}
	if evaluated > 0 {
		h.noteContext(s, contextSeen(of, evaluated, now), requestAttributes(of))
	}
}

// newEvaluations returns the evaluations of the flags that are new for the device.
func (h *Handlers) newEvaluations(
	s *delivery.Snapshot, set *flags.Set, of *flags.Context, only string, outcomes []*flags.Outcome, isNew func(key string) bool,
	now time.Time,
) (news []models.FlagEvaluations) {
	add := func(key string, outcome *flags.Outcome) {
		if isNew(key) {
			news = append(news, models.FlagEvaluations{
				ProjectID: s.Project().ID, FlagKey: key, Value: outcome.Text, Channel: channelOr(of.Channel), Count: 1,
				LastAt: now, ReceivedAt: now,
			})
		}
	}
	if only != "" {
		add(only, outcomes[0])
		return news
	}
	for i, f := range set.Flags() {
		add(f.Key(), outcomes[i])
	}
	return news
}

// appendEvaluations counts evaluations by the server. The response neither waits for the disk nor fails because of
// it.
func (h *Handlers) appendEvaluations(c *gin.Context, evaluations []models.FlagEvaluations) {
	if len(evaluations) == 0 {
		return
	}
	ctx := context.WithoutCancel(c.Request.Context())
	go func() {
		if err := h.Evaluations.AppendEvaluations(ctx, evaluations); err != nil {
			h.Log.WarnContext(ctx, "evaluations by the server were not counted", "evaluations", len(evaluations), "error", err)
		}
	}()
}

// contextSeen returns the record of a context for which the server evaluated flags.
func contextSeen(of *flags.Context, evaluations int64, now time.Time) models.EvaluatedContext {
	seen := models.EvaluatedContext{
		Kind: "user", TargetingKey: of.TargetingKey, Attributes: map[string]any{}, Evaluations: evaluations, SeenAt: now,
	}
	if of.TargetingKey == of.DeviceID {
		seen.Kind = "device"
	}
	if named, ok := of.Attributes["kind"].(string); ok && slices.Contains(models.ContextKinds, models.ContextKind(named)) {
		seen.Kind = models.ContextKind(named)
	}
	seen.Name, _ = of.Attributes["name"].(string)
	for name, value := range of.Attributes {
		if value != nil && name != "kind" && name != "name" {
			seen.Attributes[name] = value
		}
	}
	return seen
}

// requestAttributes returns the attributes of the request that describe its sender. Previews of flags and suggestions of
// attributes read them.
func requestAttributes(of *flags.Context) map[string]any {
	known := map[string]any{}
	for name, value := range map[string]string{
		"channel": of.Channel, "platform": of.Platform, "runtimeVersion": of.RuntimeVersion, "updateUuid": of.Update.UUID,
	} {
		if value != "" {
			known[name] = value
		}
	}
	return known
}

// channelOr returns the channel under which telemetry counts an evaluation.
func channelOr(channel string) string {
	if channel == "" {
		return "default"
	}
	return channel
}
