package webhookclient_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

var update = flag.Bool("update", false, "write the golden files")

const publicURL = "https://waft.example.com"

var chats = []models.WebhookFormat{models.FormatSlack, models.FormatTeams}

func rendered(t *testing.T, f models.WebhookFormat, message []byte) []byte {
	t.Helper()
	body, err := webhookclient.Render(f, message, publicURL)
	require.NoError(t, err)
	// As the chat reads it: JSON may escape < as \u003c.
	var tree any
	require.NoError(t, json.Unmarshal(body, &tree))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(tree))
	return out.Bytes()
}

// Each event has a golden file for each chat; none is left over.
func TestEveryEventInEveryChat(t *testing.T) {
	t.Parallel()
	for _, f := range chats {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("testdata", string(f))
			for _, e := range models.Events {
				message, err := e.Example()
				require.NoError(t, err)
				got := rendered(t, f, message)
				require.NotContains(t, string(got), "–\"", "%s: the sentence has all it names", e.Name)
				name := filepath.Join(dir, e.Name+".json")
				if *update {
					require.NoError(t, os.MkdirAll(dir, 0o750))
					require.NoError(t, os.WriteFile(name, got, 0o600))
				}
				want, err := os.ReadFile(name)
				require.NoError(t, err)
				require.Equal(t, string(want), string(got), e.Name)
			}
			files, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, files, len(models.Events))
		})
	}
}

// hostile are texts that a person may give a record, and what no chat may be sent for them.
const hostile = "<!channel> <@U1> <https://evil.example|here> [here](https://evil.example) " +
	"&lt;!here&gt; *bold* `code` ~x~ <at>All</at>\nlink"

func TestTextsOfPeopleAreOnlyText(t *testing.T) {
	t.Parallel()
	message := hostileMessage(t, "build.published", map[string]any{"releaseMessage": hostile, "channel": "<!here>", "note": hostile})
	t.Run("slack", func(t *testing.T) {
		t.Parallel()
		got := string(rendered(t, models.FormatSlack, message))
		require.Contains(t, got, "&lt;!channel&gt;")
		require.Contains(t, got, "&amp;lt;!here&amp;gt;", "what is escaped already stays text")
		own := "<" + publicURL + "/app/demo/releases/32|Open in Waft>"
		require.Contains(t, got, own)
		require.NotContains(t, strings.ReplaceAll(got, own, ""), "<", "nothing but its own link begins with <")
		require.NotContains(t, got, " *bold*")
		require.NotContains(t, got, "link\\n")
	})
	t.Run("teams", func(t *testing.T) {
		t.Parallel()
		var card any
		require.NoError(t, json.Unmarshal(rendered(t, models.FormatTeams, message), &card))
		requireInRuns(t, card, "")
	})
}

// requireInRuns checks that what people wrote is only where Teams does not read markup.
func requireInRuns(t *testing.T, node any, kind string) {
	t.Helper()
	switch v := node.(type) {
	case map[string]any:
		for name, value := range v {
			text, _ := v["type"].(string)
			requireInRuns(t, value, text+"."+name)
		}
	case []any:
		for _, value := range v {
			requireInRuns(t, value, kind)
		}
	case string:
		if strings.Contains(v, "evil.example") {
			require.Contains(t, []string{"TextRun.text", "AdaptiveCard.fallbackText"}, kind)
		}
	}
}

// A server that does not know where people reach it sends messages without a link.
func TestWithoutAnAddressThereIsNoLink(t *testing.T) {
	t.Parallel()
	message := hostileMessage(t, "rollout.rolled_back", map[string]any{"reason": "it hurts"})
	for _, f := range chats {
		require.Contains(t, string(rendered(t, f, message)), publicURL+"/app/demo/")
		body, err := webhookclient.Render(f, message, "")
		require.NoError(t, err)
		require.Contains(t, string(body), "it hurts")
		for _, none := range []string{"/app/", "Open in Waft", "Action.OpenUrl", "\"\"", "<|"} {
			require.NotContains(t, string(body), none, f)
		}
	}
}

func TestRenderedMessagesAreBounded(t *testing.T) {
	t.Parallel()
	details := map[string]any{"releaseMessage": strings.Repeat("ü<", 3000)}
	for i := range 40 {
		details[strings.Repeat("n", i+1)] = strings.Repeat("&", 3000)
	}
	for _, f := range chats {
		body := rendered(t, f, hostileMessage(t, "build.published", details))
		require.Less(t, len(body), 28_000, f)
		require.NotContains(t, string(body), strings.Repeat("&amp;", 201))
	}
}

func TestTheStandardFormatIsTheMessageItself(t *testing.T) {
	t.Parallel()
	message := []byte(`{"type":"build.published","data":{}}`)
	for _, f := range []models.WebhookFormat{"", models.FormatStandard} {
		got, err := webhookclient.Render(f, message, publicURL)
		require.NoError(t, err)
		require.Equal(t, message, got)
	}
	_, err := webhookclient.Render(models.FormatSlack, []byte("{"), publicURL)
	require.Error(t, err)
}

// Ids are longer than a float is exact.
func TestNumbersStayExact(t *testing.T) {
	t.Parallel()
	got := string(rendered(t, models.FormatSlack, hostileMessage(t, "rollout.paused", map[string]any{"updateId": int64(9007199254740993)})))
	require.Contains(t, got, "9007199254740993")
}

func hostileMessage(t *testing.T, event string, details map[string]any) []byte {
	t.Helper()
	e, ok := models.EventNamed(event)
	require.True(t, ok)
	e.Details = details
	message, err := e.Example()
	require.NoError(t, err)
	return message
}
