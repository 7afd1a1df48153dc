package webhookclient

import "strings"

// slackMessage returns a message for an incoming webhook of Slack:
// https://docs.slack.dev/messaging/formatting-message-text
func slackMessage(n notice) map[string]any {
	blocks := []any{map[string]any{"type": "section", "text": slackText(slackEscaper.Replace(n.sentence))}}
	if len(n.facts) > 0 {
		fields := make([]any, len(n.facts))
		for i, f := range n.facts {
			fields[i] = slackText("*" + slackEscaper.Replace(f.name) + "*\n" + slackEscaper.Replace(f.value))
		}
		blocks = append(blocks, map[string]any{"type": "section", "fields": fields})
	}
	origin := slackEscaper.Replace(n.project) + " · " + n.at
	if n.link != "" {
		origin = "<" + slackEscaper.Replace(n.link) + "|Open in Waft> · " + origin
	}
	blocks = append(blocks, map[string]any{"type": "context", "elements": []any{slackText(origin)}})
	// Notifications show the text.
	return map[string]any{"text": slackEscaper.Replace(n.sentence), "blocks": blocks, "unfurl_links": false, "unfurl_media": false}
}

// slackText returns a text with Slack's markup. Slack does not turn names in it into mentions.
func slackText(markup string) map[string]any {
	return map[string]any{"type": "mrkdwn", "text": markup, "verbatim": true}
}

// slackEscaper escapes texts from people, such as release notes, so that Slack does not interpret them as markup. &, < and > begin
// and end links and mentions, such as <!channel>. Slack does not have an escape for the characters that make text bold, italic,
// struck through or code, so a word joiner before each of them disables the markup.
var slackEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "\u2060*", "~", "\u2060~", "`", "\u2060`")
