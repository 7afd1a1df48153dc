package delivery

import (
	"net/http"
	"testing"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/benchratio"
)

const benchmarkDevice = "4f1cb2ca-c237-4cd5-8506-81232e8575a8"

// BenchmarkRatioResolve compares Resolve with ten times a map look-up of the device and the computation of its
// bucket.
func BenchmarkRatioResolve(b *testing.B) {
	tp := newTestProject()
	devices := map[string]int{}
	for i := range 1000 {
		tp.publish("production")
		tp.send("user-"+itoa(int64(i)), "production")
		devices["user-"+itoa(int64(i))] = i
	}
	tp.rollOut("next", 10)
	s := tp.snapshot(b)
	r := ask(benchmarkDevice)
	r.UserID = "user-7"
	benchratio.Compare(b, "resolve", func() {
		for range 10 {
			if devices[r.UserID]+int(rollout.Bucket("release", r.DeviceID)) < 0 {
				b.Fatal("no device")
			}
		}
	}, func() {
		if s.Resolve(r).BranchName == "" {
			b.Fatal("no branch")
		}
	})
}

// BenchmarkRatioManifest compares a response with a copy of the request's headers.
func BenchmarkRatioManifest(b *testing.B) {
	tp := newTestProject()
	tp.publish("production")
	s := tp.snapshot(b)
	h := http.Header{}
	for name, value := range map[string]string{
		"accept": stockAccept, "expo-protocol-version": "1", "expo-platform": "android", "expo-runtime-version": testRuntime,
		"expo-channel-name": "production", "eas-client-id": benchmarkDevice,
	} {
		h.Set(name, value)
	}
	benchratio.Compare(b, "manifest", func() {
		if len(h.Clone()) != len(h) {
			b.Fatal("no copy")
		}
	}, func() {
		r, err := ParseRequest(h, "")
		if err != nil {
			b.Fatal(err)
		}
		if res := s.Respond(r); res.Status != http.StatusOK {
			b.Fatal(res.Status)
		}
	})
}
