package backups

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/base/backoff"
)

const (
	// reportsWait is the maximum time that a backup waits until the accepted reports are in ClickHouse.
	reportsWait = time.Minute
	// reportsPause is the pause between two looks, and reportsTimeout the time limit of one look.
	reportsPause, reportsTimeout = 50 * time.Millisecond, 2 * time.Second
	// metricPrefix begins the names of the metrics of the ingest log.
	metricPrefix = "waft_ingest_"
)

// awaitReports waits until the API processes have moved the reports that they accepted before now from their logs to ClickHouse. It asks
// them at their admin addresses.
func (b *backup) awaitReports(ctx context.Context) error {
	began := time.Now()
	known := b.moveOwnLog(ctx) // of at least one log
	for _, address := range append([]string{b.cfg.AdminAddr}, b.cfg.OtherAdminAddrs...) {
		if _, port, err := net.SplitHostPort(address); err != nil || port == "0" {
			continue
		}
		first, err := logState(ctx, address)
		// WAFT_ADMIN_ADDR has a default, which often has no process.
		if err != nil && address != b.cfg.AdminAddr {
			b.warn("the process at %s does not respond; if it is an API process, the reports in its WAFT_DATA_DIR are not in the backup", address)
		}
		if _, serves := first["log_entries"]; !serves {
			continue
		}
		known = true
		for now, at := first, began; !moved(first, now, at.Sub(began)); {
			if time.Since(began) > reportsWait {
				b.warn("the API process at %s has %.0f entries of its ingest log that are not in ClickHouse and not in the backup; "+
					"they stay in its WAFT_DATA_DIR", address, now["log_entries"])
				break
			}
			if err := backoff.Sleep(ctx, reportsPause); err != nil {
				return err
			}
			asking := time.Now() // before the process looks at its log
			if state, err := logState(ctx, address); err == nil {
				now, at = state, asking
			}
		}
	}
	if !known {
		b.warn("no API process responded at WAFT_ADMIN_ADDR or WAFT_OTHER_ADMIN_ADDRS, so reports that wait in a folder " +
			"WAFT_DATA_DIR are not in the backup")
	}
	return ctx.Err()
}

// moved reports whether a log has moved all entries that it had in its first state. This is so if the log is empty, if the range that it
// inserts is younger, or if it has inserted at least as many reports as it had entries.
func moved(first, now map[string]float64, waited time.Duration) bool {
	age := now["oldest_report_seconds"]
	inserted := now["inserted_total"] + now["repeats_total"] - first["inserted_total"] - first["repeats_total"]
	return now["log_entries"] == 0 || age > 0 && age < waited.Seconds() || inserted >= first["log_entries"]
}

// logState returns the metrics of a process's ingest log by their names without the prefix. They lack log_entries if the process does
// not have an ingest log. It returns an error if the process does not respond.
func logState(ctx context.Context, address string) (state map[string]float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, reportsTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	state = map[string]float64{}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		line, found := strings.CutPrefix(lines.Text(), metricPrefix)
		name, text, _ := strings.Cut(line, " ")
		if value, err := strconv.ParseFloat(text, 64); found && err == nil {
			state[name] = value
		}
	}
	return state, lines.Err()
}
