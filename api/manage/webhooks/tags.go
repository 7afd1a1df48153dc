package webhooks

import "github.com/waft-ota/waft/api/rest"

// tagWebhooks is the tag that the document lists the endpoints under.
const tagWebhooks = "Webhooks"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 180, Name: tagWebhooks, Description: "URLs that get messages about changes, as Standard Webhooks."},
	}
}
