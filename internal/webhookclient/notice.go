package webhookclient

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/waft-ota/waft/models"
)

// Limits of messages for chats, in characters. Slack and Teams refuse larger messages.
const (
	maxSentence = 600
	maxFact     = 200
	maxFacts    = 10
)

// notice is a message for people, as plain text.
type notice struct {
	sentence string
	project  string
	at       string
	facts    []fact
	link     string
}

// fact is a detail that the sentence does not contain.
type fact struct{ name, value string }

type standardMessage struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      struct {
		ProjectSlug string         `json:"projectSlug"`
		ActorName   string         `json:"actorName"`
		ActorID     string         `json:"actorId"`
		ActorType   string         `json:"actorType"`
		EntityType  string         `json:"entityType"`
		EntityID    string         `json:"entityId"`
		Details     map[string]any `json:"details"`
	} `json:"data"`
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

func noticeOf(message []byte, publicURL string) (notice, error) {
	var m standardMessage
	decoder := json.NewDecoder(bytes.NewReader(message))
	decoder.UseNumber() // ids stay exact
	if err := decoder.Decode(&m); err != nil {
		return notice{}, fmt.Errorf("reading a message: %w", err)
	}
	event, ok := models.EventNamed(m.Type)
	if !ok {
		event.Sentence = "{actor}: " + m.Type + " of {entityId}"
	}
	actor := models.Actor{Type: models.ActorType(m.Data.ActorType), ID: m.Data.ActorID, Name: m.Data.ActorName}
	told := map[string]bool{}
	sentence := placeholder.ReplaceAllStringFunc(event.Sentence, func(found string) string {
		switch name := found[1 : len(found)-1]; name {
		case "actor":
			return actor.Shown()
		case "entityId":
			return m.Data.EntityID
		case "release":
			told["updateId"], told["releaseMessage"] = true, true
			return releaseOf(m.Data.Details)
		default:
			told[name] = true
			text, _ := shownValue(m.Data.Details[name])
			return cmp.Or(text, "–")
		}
	})
	n := notice{
		sentence: shortened(sentence, maxSentence), project: m.Data.ProjectSlug, at: m.Timestamp,
		link: models.DashboardLink(publicURL, m.Data.ProjectSlug, pageOf(m)),
	}
	for _, name := range slices.Sorted(maps.Keys(m.Data.Details)) {
		if name == "assigneeId" && m.Data.Details["assignee"] != nil {
			continue // the email address says more
		}
		value, _ := shownValue(m.Data.Details[name])
		if value != "" && !told[name] && len(n.facts) < maxFacts {
			n.facts = append(n.facts, fact{label(name), shortened(value, maxFact)})
		}
	}
	return n, nil
}

// releaseOf returns a phrase that identifies the release of an event's details.
func releaseOf(details map[string]any) string {
	number, _ := details["updateId"].(json.Number)
	id, err := number.Int64()
	if err != nil {
		return "a release"
	}
	notes, _ := details["releaseMessage"].(string)
	return models.ReleasePhrase(id, notes)
}

// shownValue returns the text of a detail; ok is false, and the text empty, if the detail is too complex to show.
func shownValue(value any) (text string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v], true
	case map[string]any:
		before, known := shownValue(v["before"])
		after, alsoKnown := shownValue(v["after"])
		_, isChange := v["after"]
		if !known || !alsoKnown || !isChange || len(v) != 2 {
			return "", false
		}
		return cmp.Or(before, "–") + " → " + cmp.Or(after, "–"), true
	case []any:
		texts := make([]string, len(v))
		for i, element := range v {
			if texts[i], ok = shownValue(element); !ok {
				return "", false
			}
		}
		return strings.Join(texts, ", "), true
	}
	return "", false
}

// label returns the name of a detail as words, such as "Errored devices" for erroredDevices.
func label(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			b.WriteRune(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shortened returns text on one line, without control characters, cut to at most the given number of characters.
func shortened(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// pageOf returns the path of the dashboard's page about the record of a message, relative to the project's path.
func pageOf(m standardMessage) string {
	id := url.PathEscape(m.Data.EntityID)
	flag, _ := shownValue(m.Data.Details["flagId"])
	switch m.Data.EntityType {
	case "rollout_execution":
		return "rollouts/" + id
	case "update":
		return "releases/" + id
	case "build":
		return "releases"
	case "flag":
		return "flags/" + id
	case "rule", "variation", "env_setting", "flag_schedule":
		return "flags/" + url.PathEscape(flag)
	case "policy":
		return "policies/" + id
	case "webhook":
		return "webhooks/" + id
	case "channel", "branch":
		return "channels"
	case "segment", "context", "incident":
		return m.Data.EntityType + "s"
	case "error_group":
		fingerprint, _ := shownValue(m.Data.Details["fingerprint"])
		return "observe/" + url.PathEscape(fingerprint)
	case "user_override":
		return "overrides"
	case "approval":
		return "approvals/" + id
	default:
		return "audit"
	}
}
