package process

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
)

// tailSize is how much of a log's end is searched for a reason.
const tailSize = 16 << 10

// telling matches the lines in which engines say why they give up.
var telling = regexp.MustCompile(`FATAL|PANIC|panic: |fatal error|(?i:error:)`)

// LastWords returns the line of a process's output that best tells why it
// ended: the first telling one, or else the last, or else what its end looked
// like from outside.
func LastWords(output string, end error) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(strings.ToLower(line), "no space left on device") {
			return "the disk is full: free some space and try again"
		}
	}
	for _, line := range lines {
		if telling.MatchString(line) {
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
	data, err := io.ReadAll(io.NewSectionReader(file, from, tailSize))
	if err != nil {
		return nil
	}
	return bytes.ToValidUTF8(data, []byte("?"))
}

func shorten(line string) string {
	line = strings.TrimSpace(line)
	if runes := []rune(line); len(runes) > 300 {
		return string(runes[:300]) + "…"
	}
	return line
}
