package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
)

// FlagPreviewLines describes the devices that would get another value of a flag.
func FlagPreviewLines(p client.FlagPreview) []string {
	effect := "the number of devices that would get another value is unknown"
	if p.DevicesAffected != nil {
		effect = fmt.Sprintf("devices that would get another value: %d", *p.DevicesAffected)
	}
	lines := []string{"nothing has changed; " + effect}
	for _, m := range p.Moves {
		lines = append(lines, fmt.Sprintf("  %s -> %s on %d", ValueText(m.From), ValueText(m.To), m.Devices))
	}
	for _, w := range p.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return lines
}

// ValueText returns a JSON value in one line, strings without quotes.
func ValueText(v any) string {
	if text, is := v.(string); is {
		return OneLine(text, 200)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return OneLine(strings.Trim(string(text), `"`), 200)
}
