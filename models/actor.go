package models

// ActorType says what kind of party made a change.
type ActorType string

// Actor types of an audit entry.
const (
	ActorAPIKey ActorType = "api_key"
	ActorUser   ActorType = "user"
	ActorSystem ActorType = "system"
)

// Actor is who makes a change, as the audit log names them.
type Actor struct {
	Type ActorType
	// ID is the key's id for an API key, "root" for the root key, and the
	// component's name for the system.
	ID   string
	Name string
	// RequestID is the X-Request-Id of the call that asked for the change, empty
	// for the system.
	RequestID string
}

// SystemActor is the actor of what Waft does by itself.
func SystemActor(component string) Actor {
	return Actor{Type: ActorSystem, ID: component, Name: component}
}

// Shown is how timelines and histories name the actor, in one word: "system", or
// the name of the key.
func (a Actor) Shown() string {
	switch {
	case a.Type == ActorSystem, a.Type == "" && a.Name == "" && a.ID == "":
		return "system"
	case a.Name != "":
		return a.Name
	default:
		return a.ID
	}
}
