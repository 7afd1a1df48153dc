package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"runtime"
	"sync"
	"time"
)

const (
	// perByte is how many bytes speed compresses in the time in which one byte of source
	// compiles. An x86 core compiles some 180 kB a second and compresses 27 MB.
	perByte = 150
	// fixed is the time that does not depend on the processor: downloads before there is
	// something to compile, and linking.
	fixed = 40 * time.Second
)

// estimate returns the time to compile the given bytes of source at the given speed in bytes per second.
func estimate(source, speed float64) time.Duration {
	return fixed + time.Duration(source*perByte/speed*float64(time.Second))
}

// remaining returns the time that is left when a part of the source, done in [0, 1], is compiled. It uses the
// estimate until the estimate proves too short.
func remaining(estimate, elapsed time.Duration, done float64) time.Duration {
	return time.Duration((1 - done) * float64(max(estimate, elapsed)))
}

// speed measures the bytes per second that all cores together compress at this moment, so that
// a slow or busy machine gets a longer estimate.
func speed() float64 {
	const rounds = 8
	text := bytes.Repeat([]byte("func (s *Server) Handle(ctx context.Context, request *Request) (*Response, error) {\n"), 1<<13)
	for i := range text {
		text[i] ^= byte(i * i >> 13 & 7) // so that it does not just repeat itself
	}
	began := time.Now()
	var group sync.WaitGroup
	for range runtime.NumCPU() {
		group.Go(func() {
			for range rounds {
				w := gzip.NewWriter(new(bytes.Buffer))
				_, _ = w.Write(text) // into memory, which does not fail
				_ = w.Close()
			}
		})
	}
	group.Wait()
	return float64(runtime.NumCPU()*rounds*len(text)) / time.Since(began).Seconds()
}

// clock formats a duration in minutes and seconds.
func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// roughly formats a duration as people say it.
func roughly(d time.Duration) string {
	if d < 90*time.Second {
		return fmt.Sprintf("%d s", int(d.Seconds()+9)/10*10)
	}
	return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
}
