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
	reportsPause, reportsTimeout = 200 * time.Millisecond, 2 * time.Second
	// oldestReport is the metric with the age of the oldest report that is not in ClickHouse, in seconds.
	oldestReport = "waft_ingest_oldest_report_seconds"
)

// awaitReports waits until the API processes have moved the reports that they accepted before now from their logs to ClickHouse. It asks
// them at their admin addresses.
func (b *backup) awaitReports(ctx context.Context) error {
	began := time.Now()
	asked := 0
	for _, address := range append([]string{b.cfg.AdminAddr}, b.cfg.OtherAdminAddrs...) {
		if _, port, err := net.SplitHostPort(address); err != nil || port == "0" {
			continue
		}
		for {
			age, ok := oldestReportAge(ctx, address)
			if !ok {
				break
			}
			asked++
			waited := time.Since(began)
			if age < waited || age == 0 {
				break
			}
			if waited > reportsWait {
				b.warn("the API process at %s has reports of the last %s that are not in ClickHouse and not in the backup; "+
					"they stay in its WAFT_DATA_DIR", address, age.Round(time.Second))
				break
			}
			if err := backoff.Sleep(ctx, reportsPause); err != nil {
				return err
			}
		}
	}
	if asked == 0 {
		b.warn("no API process responded at WAFT_ADMIN_ADDR or WAFT_OTHER_ADMIN_ADDRS, so reports that wait in a folder " +
			"WAFT_DATA_DIR are not in the backup")
	}
	return nil
}

// oldestReportAge returns the age of the oldest report that a process has not moved to ClickHouse. ok is false if the process does not
// respond or does not have an ingest log.
func oldestReportAge(ctx context.Context, address string) (age time.Duration, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, reportsTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", http.NoBody)
	if err != nil {
		return 0, false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, false
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		value, found := strings.CutPrefix(lines.Text(), oldestReport+" ")
		if !found {
			continue
		}
		seconds, err := strconv.ParseFloat(value, 64)
		return time.Duration(seconds * float64(time.Second)), err == nil
	}
	return 0, false
}
