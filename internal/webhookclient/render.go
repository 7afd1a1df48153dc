package webhookclient

import (
	"encoding/json"
	"fmt"

	"github.com/waft-ota/waft/models"
)

// Render returns the body that a webhook of the format is sent for a message, which is the JSON of Standard
// Webhooks. The same message always has the same body. Links lead to the dashboard at publicURL;
// there are none when it is empty.
func Render(f models.WebhookFormat, message []byte, publicURL string) ([]byte, error) {
	if f == models.FormatStandard || f == "" {
		return message, nil
	}
	n, err := noticeOf(message, publicURL)
	if err != nil {
		return nil, err
	}
	if f == models.FormatSlack {
		return marshal(slackMessage(n))
	}
	return marshal(teamsMessage(n))
}

func marshal(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("rendering a message: %w", err)
	}
	return body, nil
}
