package ingest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

// Environment variables that make the test binary run as the process that the crash tests kill.
const (
	victimDir        = "WAFT_TEST_VICTIM_DIR"
	victimClickHouse = "WAFT_TEST_VICTIM_CLICKHOUSE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimDir); dir != "" {
		fmt.Fprintln(os.Stderr, beVictim(dir, os.Getenv(victimClickHouse)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// beVictim appends reports until it is killed, and prints the ID of each acknowledged report. With a ClickHouse URL
// it also inserts them.
func beVictim(dir, clickHouseURL string) error {
	ctx := context.Background()
	var sink Sink = newMemorySink()
	if clickHouseURL != "" {
		c, err := telemetry.Open(ctx, clickHouseURL)
		if err != nil {
			return err
		}
		sink = c
	}
	log, err := Open(Options{
		Dir: dir, Sink: sink, MaxBytes: 1 << 30, FlushRows: 50, FlushInterval: 10 * time.Millisecond, segmentBytes: 1 << 14,
	})
	if err != nil {
		return err
	}
	failed := make(chan error)
	if clickHouseURL != "" {
		go func() { failed <- log.Run(ctx) }()
	}
	acknowledged := make(chan string)
	for worker := range 8 {
		go func() {
			for n := 0; ; n++ {
				r := testReport(fmt.Sprintf("device-%d-%d", worker, n), models.EventAppLaunch, models.EventCrash)
				if err := log.Append(ctx, r); err != nil {
					failed <- err
					return
				}
				acknowledged <- r.ID
			}
		}()
	}
	for {
		select {
		case id := <-acknowledged:
			fmt.Println(id)
		case err := <-failed:
			return err
		}
	}
}
