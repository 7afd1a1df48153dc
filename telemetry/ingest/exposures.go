package ingest

import (
	"log/slog"
	"slices"

	"github.com/waft-ota/waft/models"
)

// exposuresPerEntry bounds an entry of the log, which is read whole.
const exposuresPerEntry = 1000

// Served notes that a device was served a release, without waiting for anything:
// the exposure goes into the log together with the next reports, or on its own after
// ExposureInterval, and from there to the Sink exactly once, in front of every report
// that this process took in later. Equal exposures that wait together are one.
//
// Until the log has it, an exposure is in memory only: the end of the process loses at most
// those of one ExposureInterval. A device whose exposure was lost does not count in
// decisions until it is served again. That is also why exposures go through the log and not
// straight to ClickHouse: an outage of minutes must not make devices count for nothing.
func (l *Log) Served(s models.Exposure) { l.exposures.add(s) }

// addExposures puts the exposures that wait in front of the group. It returns them, for
// the case that the group fails.
func (l *Log) addExposures(g *commitGroup) []models.Exposure {
	if !l.intake.takesExposures() {
		// They wait, up to their bound, and are tried again.
		wake(l.exposures.arrived)
		return nil
	}
	exposures := l.exposures.take()
	var entries [][]byte
	for some := range slices.Chunk(exposures, exposuresPerEntry) {
		entry, err := encodeEntry(logEntry{exposures: some})
		if err != nil {
			l.options.Log.Error("ingest log: exposures could not be encoded and are lost",
				slog.Int("exposures", len(some)), slog.Any("error", err))
			l.metrics.exposuresDropped.Add(float64(len(some)))
			continue
		}
		entries = append(entries, entry)
	}
	l.intake.addExposures(g, entries, len(exposures))
	return exposures
}
