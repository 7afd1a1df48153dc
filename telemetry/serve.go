package telemetry

import (
	"log/slog"
	"slices"

	"github.com/waft-ota/waft/models"
)

// servesPerEntry bounds an entry of the log, which is read whole.
const servesPerEntry = 1000

// Served notes that a device was served a release, without waiting for anything:
// the serve goes into the log together with the next reports, or on its own after
// ServeInterval, and from there to the Sink exactly once, in front of every report
// that this process took in later. Equal serves that wait together are one.
//
// Until the log has it, a serve is in memory only: the end of the process takes what
// waits, at most ServeInterval's worth. A device whose serve was
// lost does not count in decisions until it is served again. That is also why serves go
// through the log instead of straight to ClickHouse: an outage of minutes must not make
// honest devices count for nothing.
func (i *Ingest) Served(s models.Serve) { i.serves.add(s) }

// addServes puts the serves that wait in front of the group. It returns them, for
// the case that the group fails.
func (i *Ingest) addServes(g *commitGroup) []models.Serve {
	if !i.intake.takesServes() {
		// They wait, up to their bound, and are tried again.
		wake(i.serves.arrived)
		return nil
	}
	serves := i.serves.take()
	var entries [][]byte
	for some := range slices.Chunk(serves, servesPerEntry) {
		entry, err := encodeServes(some)
		if err != nil {
			i.options.Log.Error("ingest log: serves could not be encoded and are lost",
				slog.Int("serves", len(some)), slog.Any("error", err))
			i.metrics.servesDropped.Add(float64(len(some)))
			continue
		}
		entries = append(entries, entry)
	}
	i.intake.addServes(g, entries, len(serves))
	return serves
}
