package api

import "github.com/waft-ota/waft/models"

// FlagLink links a feature flag to a release.
type FlagLink struct {
	FlagID  int64   `json:"flagId" minimum:"1"`
	Enabled bool    `json:"enabled" doc:"Whether devices that run the release have the flag on."`
	Value   *string `json:"value,omitempty" doc:"The text of the variation that those devices get. Required when a flag that is not boolean is enabled."`
}

func linkModel(l FlagLink) models.FlagLink { return models.FlagLink(l) }

func linkedFlagRecord(l models.LinkedFlag) LinkedFlag {
	return LinkedFlag{FlagID: l.FlagID, FlagKey: l.FlagKey, Enabled: l.Enabled, Value: l.Value}
}

// linkModels is nil for no list, since a change without one keeps the links.
func linkModels(links []FlagLink) []models.FlagLink {
	if links == nil {
		return nil
	}
	return rendered(links, linkModel)
}
