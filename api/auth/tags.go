package auth

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
const (
	tagSignIn  = "Signing in"
	tagMembers = "Members"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{
			Place: 30, Name: tagSignIn,
			Description: "Accounts and sessions of people. Every management call accepts a session instead of an API key.",
		},
		{Place: 40, Name: tagMembers, Description: "Members of a project, their roles, and invitations."},
	}
}
