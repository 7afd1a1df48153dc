package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// beatEvery is the heartbeat interval of activities that another worker should take over soon after their worker was
// killed.
const beatEvery = time.Second

// beat sends heartbeats until stop is called. Unlike alive, it lets the activity finish when its worker stops, because
// that takes only a moment.
func beat(ctx context.Context) (stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(beatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}
