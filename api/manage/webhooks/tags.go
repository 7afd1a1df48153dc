package webhooks

import "github.com/waft-ota/waft/api/rest"

// tagWebhooks is the tag of these endpoints in the OpenAPI document.
const tagWebhooks = "Webhooks"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 180, Name: tagWebhooks, Description: "URLs that receive messages about changes, in the format of Standard Webhooks."},
	}
}
