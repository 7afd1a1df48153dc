package webhookclient

// teamsMessage returns a message for a Workflows webhook of Microsoft Teams: an adaptive card. All text is in runs of rich text
// blocks, which do not support markup, so a name cannot create a link. Mentions require entities, which the card does not have.
func teamsMessage(n notice) map[string]any {
	body := []any{richText(textRun{Text: n.sentence, Weight: "Bolder"})}
	for _, f := range n.facts {
		body = append(body, richText(textRun{Text: f.name + ": ", IsSubtle: true}, textRun{Text: f.value}))
	}
	body = append(body, richText(textRun{Text: n.project + " · " + n.at, IsSubtle: true, Size: "Small"}))
	card := map[string]any{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
		"fallbackText": n.sentence, "body": body,
	}
	if n.link != "" {
		card["actions"] = []any{map[string]any{"type": "Action.OpenUrl", "title": "Open in Waft", "url": n.link}}
	}
	return map[string]any{
		"type": "message",
		"attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card,
		}},
	}
}

// textRun is a piece of a rich text block.
type textRun struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Weight   string `json:"weight,omitempty"`
	Size     string `json:"size,omitempty"`
	IsSubtle bool   `json:"isSubtle,omitempty"`
}

func richText(runs ...textRun) map[string]any {
	for i := range runs {
		runs[i].Type = "TextRun"
	}
	return map[string]any{"type": "RichTextBlock", "inlines": runs}
}
