package webhookclient

import (
	"encoding/json"

	"github.com/waft-ota/waft/models"
)

// Render returns the body of a message in the format of a webhook. message is the JSON of Standard Webhooks. The same message always
// has the same body. Links lead to the dashboard at publicURL; if it is empty, Render does not add links.
func Render(f models.WebhookFormat, message []byte, publicURL string) ([]byte, error) {
	if f == models.FormatStandard || f == "" {
		return message, nil
	}
	n, err := noticeOf(message, publicURL)
	if err != nil {
		return nil, err
	}
	if f == models.FormatSlack {
		return json.Marshal(slackMessage(n))
	}
	return json.Marshal(teamsMessage(n))
}
