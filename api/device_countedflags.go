package api

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/internal/flags"
	"github.com/waft-ota/waft/models"
)

// countedFlags remembers which flags were counted for a device within the hour, in bounded memory. It knows a
// device by a hash of 64 bits. Beyond its bound it forgets, and counts a device again.
type countedFlags struct {
	seed maphash.Seed
	now  func() time.Time

	mu sync.Mutex
	// current are the devices since turned, previous those of before.
	current, previous map[uint64]counted
}

// counted is what was counted for a device: in which hour, and the keys that its project had.
type counted struct {
	hour int64
	keys *flags.Keys
}

// countedDevices bounds the memory of countedFlags: twice as many, of 50 bytes each.
const countedDevices = 1 << 19

func newCountedFlags(now func() time.Time) *countedFlags {
	return &countedFlags{seed: maphash.MakeSeed(), now: now, current: map[uint64]counted{}}
}

// add returns which of the keys are new for the device in this hour. only limits it to one key, unless it is "".
func (f *countedFlags) add(projectID int64, device, only string, keys *flags.Keys) (isNew func(key string) bool) {
	id := maphash.Comparable(f.seed, struct {
		project      int64
		device, only string
	}{projectID, device, only})
	hour := f.now().Unix() / 3600
	f.mu.Lock()
	defer f.mu.Unlock()
	before, known := f.current[id]
	if !known {
		before, known = f.previous[id]
	}
	if len(f.current) >= countedDevices {
		f.current, f.previous = map[uint64]counted{}, f.current
	}
	f.current[id] = counted{hour, keys}
	switch {
	case !known || before.hour != hour:
		return func(string) bool { return true }
	case before.keys == keys || only != "":
		return nil
	default:
		return func(key string) bool { return !before.keys.Has(key) }
	}
}

// countFlags counts what a device was served, once a flag, device and hour, and records its context. only is the
// key of the one flag that was served, "" for all. Of a device whose network has spent its budget of new
// devices nothing is stored.
func (h *handlers) countFlags(c *gin.Context, s *delivery.Snapshot, set *flags.Set, of *flags.Context, only string, outcomes []*flags.Outcome) {
	device := of.DeviceID
	if device == "" {
		device = of.TargetingKey
	}
	if device == "" {
		return // it cannot be told from any other
	}
	isNew := h.counted.add(s.Project().ID, device, only, set.Keys())
	if isNew == nil || h.newDevices.admit(c, s, device) != nil {
		return
	}
	now := h.Now().UTC()
	var evaluations []models.FlagEvaluations
	for i, f := range set.Flags() {
		if only != "" {
			if f.Key() != only {
				continue
			}
			i = 0
		}
		if isNew(f.Key()) {
			evaluations = append(evaluations, models.FlagEvaluations{
				ProjectID: s.Project().ID, FlagKey: f.Key(), Value: outcomes[i].Text, Channel: channelOr(of.Channel), Count: 1,
				LastAt: now, ReceivedAt: now,
			})
		}
	}
	if len(evaluations) == 0 {
		return
	}
	// What is counted is not what the client asked for: its answer waits for no disk, and fails for none.
	ctx := context.WithoutCancel(c.Request.Context())
	go func() {
		if err := h.Evaluations.AppendEvaluations(ctx, evaluations); err != nil {
			h.Log.WarnContext(ctx, "evaluations that the server made were not counted", "evaluations", len(evaluations), "error", err)
		}
	}()
	kind := models.ContextKind("user")
	if of.TargetingKey == of.DeviceID {
		kind = "device"
	}
	if named, ok := of.Attributes["kind"].(string); ok {
		kind = models.ContextKind(named)
	}
	seen := models.EvaluatedContext{
		Kind: kind, TargetingKey: of.TargetingKey, Attributes: map[string]any{}, Evaluations: int64(len(evaluations)), SeenAt: now,
	}
	seen.Name, _ = of.Attributes["name"].(string)
	for name, value := range of.Attributes {
		if value != nil && name != "kind" && name != "name" {
			seen.Attributes[name] = value
		}
	}
	h.noteContexts(s, []models.EvaluatedContext{seen})
}

// channelOr is the channel by which telemetry counts an evaluation.
func channelOr(channel string) string {
	if channel == "" {
		return "default"
	}
	return channel
}
