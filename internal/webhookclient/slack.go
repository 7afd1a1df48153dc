package webhookclient

import "strings"

// slackMessage is a message for an incoming webhook of Slack:
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

// slackText is text with Slack's markup. Slack turns no name in it into a mention.
func slackText(markup string) map[string]any {
	return map[string]any{"type": "mrkdwn", "text": markup, "verbatim": true}
}

// slackEscaper writes what people chose, such as a release's message, so that Slack finds no markup in it. &, < and > begin
// and end links and mentions, such as <!channel>. Slack has no escape for what makes text bold, italic, struck or code;
// a word joiner before each keeps it from that.
var slackEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "\u2060*", "~", "\u2060~", "`", "\u2060`")
