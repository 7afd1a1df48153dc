package device

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/knowndevices"
	"github.com/waft-ota/waft/models"
)

func TestAnExposureIsRecent(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	noted := newRecentExposures(func() time.Time { return now })
	exposure := models.Exposure{ProjectID: 1, DeviceID: "device-1", Channel: "production", Kind: models.ExposureManifest}
	require.True(t, noted.add(&exposure))
	require.False(t, noted.add(&exposure))
	moved := exposure
	moved.Channel = "staging"
	require.True(t, noted.add(&moved))
	returned := exposure
	returned.OfferChange++
	require.True(t, noted.add(&returned), "the channel has offered another release in between")
	now = now.Add(exposureTime + time.Second)
	require.False(t, noted.add(&exposure))
	now = now.Add(exposureTime + time.Second)
	require.True(t, noted.add(&exposure), "was forgotten, however often the device asked")
	noted.forget()
	require.True(t, noted.add(&exposure))
}

// askedDevices counts the questions whether a device is known.
type askedDevices struct {
	*knowndevices.Set
	asked int
}

func (d *askedDevices) Has(projectID int64, device string) bool {
	d.asked++
	return d.Set.Has(projectID, device)
}

func TestAnExposureThatIsRecentAsksNothingOfTheBudget(t *testing.T) {
	t.Parallel()
	known := &askedDevices{Set: knowndevices.New()}
	rates := limit.Rates{NewDevicesPerMinute: 20, NewDevicesBurst: 200}
	limits := limit.New(limit.Settings{Rates: rates}, known, prometheus.NewRegistry(), slog.New(slog.DiscardHandler), time.Now)
	h := &Handlers{Exposures: discardedExposures{}, Limits: limits, recent: newRecentExposures(time.Now)}
	s := releasedSnapshot(t)
	r := delivery.Request{DeviceID: "device-1", Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"}
	r.Accept = delivery.ParseAccept("application/expo+json")
	response := s.Respond(r)
	c := manifestContext(t)
	h.record(c, s, &r, &response)
	require.Equal(t, 1, known.asked)
	h.record(c, s, &r, &response)
	require.Equal(t, 1, known.asked)
}

// Recording an exposure must not add an allocation to a manifest request.
func TestRecordingAnExposureAllocatesNothing(t *testing.T) {
	s := releasedSnapshot(t)
	limits := limit.New(limit.Settings{}, knowndevices.New(), prometheus.NewRegistry(), slog.New(slog.DiscardHandler), time.Now)
	h := &Handlers{Exposures: discardedExposures{}, Limits: limits, recent: newRecentExposures(time.Now)}
	r := delivery.Request{DeviceID: "device-1", Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"}
	r.Accept = delivery.ParseAccept("application/expo+json")
	response := s.Respond(r)
	require.Equal(t, models.ExposureManifest, response.Exposure)
	c := manifestContext(t)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		h.record(c, s, &r, &response)
	}))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		device := h.Limits.Device(c, s, r.DeviceID)
		device.Network()
	}))
}

func releasedSnapshot(t *testing.T) *delivery.Snapshot {
	t.Helper()
	id := uuid.MustParse("aaaaaaaa-2222-4333-8444-555555555555")
	build, at := int64(12), time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	demo := models.Project{ID: 1, UUID: id, Slug: "demo", CreatedAt: at}
	state := models.ProjectSnapshot{
		Project:  demo,
		Branches: []models.Branch{{ID: 5, ProjectID: demo.ID, Name: "production"}},
		Channels: []models.Channel{{ID: 6, ProjectID: demo.ID, Name: "production", BranchID: 5, BranchName: "production"}},
		Releases: []*models.Release{{
			ID: 17, ProjectID: demo.ID, UpdateUUID: id, GroupID: id, BuildID: &build, BranchID: 5, BranchName: "production",
			Platform: models.IOS, RuntimeVersion: "1.0.0", IsEnabled: true, RolloutPercentage: 100, ReachedPercentage: 100,
			ShareSalt: models.ReleaseSalt(id), Kind: models.KindUpdate, CreatedAt: at, UpdatedAt: at,
		}},
		Builds: map[int64]*models.Build{build: {
			ID: build, ProjectID: demo.ID, UUID: id, Platform: models.IOS, RuntimeVersion: "1.0.0",
			Assets: []models.BuildAsset{{
				BuildID: build, ProjectID: demo.ID, Path: "index.bundle", MD5: releasedMD5, SHA256: releasedSHA256,
				ContentType: "application/javascript", FileExtension: ".bundle", SizeBytes: 43, IsLaunchAsset: true,
			}},
		}},
	}
	var err error
	state.Blobs, err = state.Blobs.With([]models.Blob{{
		MD5: releasedMD5, SHA256: releasedSHA256, SizeBytes: 43, ContentType: "application/javascript",
	}}, nil)
	require.NoError(t, err)
	s, err := delivery.NewSnapshot(state, "https://ota.example.com")
	require.NoError(t, err)
	return s
}

func manifestContext(t *testing.T) *gin.Context {
	t.Helper()
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/v1/ota/manifest/demo", nil)
	c.Request.RemoteAddr = "127.0.0.1:4711"
	c.Request = c.Request.WithContext(&rest.Call{Context: t.Context()})
	return c
}

// The hashes of the release's bundle.
const (
	releasedMD5    = "9e107d9d372bb6826bd81d3542a419d6"
	releasedSHA256 = "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"
)

type discardedExposures struct{}

func (discardedExposures) Served(models.Exposure) {}
