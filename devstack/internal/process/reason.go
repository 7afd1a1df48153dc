package process

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
)

// tailSize is how many bytes at the end of a log are searched for a reason.
const tailSize = 16 << 10

// reasonPattern matches lines in which engines report why they stop.
var reasonPattern = regexp.MustCompile(`FATAL|PANIC|panic: |fatal error|Permission denied|(?i:error:)`)

// Reason returns the line of a process's output that best explains why it ended: the
// first that reports an error, or the last one, or the error of waiting for it.
func Reason(output string, end error) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(strings.ToLower(line), "no space left on device") {
			return "the disk is full: free some space and try again"
		}
	}
	for _, line := range lines {
		if reasonPattern.MatchString(line) {
			return shorten(line)
		}
	}
	if last := shorten(lines[len(lines)-1]); last != "" {
		return last
	}
	if end != nil {
		return end.Error()
	}
	return "it wrote nothing"
}

// tail returns the end of the file, at most tailSize of what follows from.
func tail(path string, from int64) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		from = max(from, info.Size()-tailSize)
	}
	data, _ := io.ReadAll(io.NewSectionReader(file, from, tailSize)) // what can be read is enough
	return bytes.ToValidUTF8(data, []byte("?"))
}

func shorten(line string) string {
	line = strings.TrimSpace(line)
	if runes := []rune(line); len(runes) > 300 {
		return string(runes[:300]) + "…"
	}
	return line
}
