package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// manifest is an update in the Expo Updates protocol. It is the same for every device, so it is rendered and signed
// only once.
type manifest struct {
	ID             string          `json:"id"`
	CreatedAt      string          `json:"createdAt"`
	RuntimeVersion string          `json:"runtimeVersion"`
	LaunchAsset    manifestAsset   `json:"launchAsset"`
	Assets         []manifestAsset `json:"assets"`
	// Metadata contains the strings that filters compare, and isCritical.
	Metadata map[string]any `json:"metadata"`
	Extra    manifestExtra  `json:"extra"`
}

type manifestAsset struct {
	Key           string `json:"key"`
	Hash          string `json:"hash"`
	ContentType   string `json:"contentType"`
	FileExtension string `json:"fileExtension"`
	URL           string `json:"url"`
}

type manifestExtra struct {
	ExpoClient json.RawMessage `json:"expoClient"`
	Waft       waftExtra       `json:"waft"`
}

// waftExtra describes the release to the app's own code. Channel is the channel that the release was published to, or
// "" if it was published to a branch.
type waftExtra struct {
	ReleaseID      int64  `json:"releaseId"`
	GroupID        string `json:"groupId"`
	BranchName     string `json:"branchName"`
	Channel        string `json:"channel"`
	IsCritical     bool   `json:"isCritical"`
	ReleaseMessage string `json:"releaseMessage"`
}

// manifest returns the manifest of a release.
func (m *renderer) manifest(r *release) (manifest, error) {
	if r.BuildID == nil || m.builds[*r.BuildID] == nil {
		return manifest{}, errors.New("the release's build does not exist")
	}
	build := m.builds[*r.BuildID]
	out := manifest{
		ID:             r.served.uuid,
		CreatedAt:      commitTime(r.served.at),
		RuntimeVersion: r.RuntimeVersion,
		Metadata: map[string]any{
			branchMetadata: r.branchName, ownKey(r.ID): ownValue, releaseKey: strconv.FormatInt(r.ID, 10),
		},
		Extra: manifestExtra{
			ExpoClient: clientConfig(build.ClientConfig),
			Waft: waftExtra{
				ReleaseID:      r.ID,
				GroupID:        r.GroupID.String(),
				BranchName:     r.branchName,
				IsCritical:     r.IsCritical,
				ReleaseMessage: r.ReleaseMessage,
			},
		},
	}
	if r.Channel != nil {
		out.Extra.Waft.Channel = *r.Channel
	}
	if r.IsCritical {
		out.Metadata["isCritical"] = true
	}
	err := m.addAssets(&out, build)
	return out, err
}

// addAssets adds the files to the manifest. A client stores a file under its key, the MD5, so files with equal
// content are listed once, with the first path.
func (m *renderer) addAssets(out *manifest, build *models.Build) (err error) {
	launch := slices.IndexFunc(build.Assets, func(a models.BuildAsset) bool { return a.IsLaunchAsset })
	if launch < 0 {
		return fmt.Errorf("build %d has no launch asset", build.ID)
	}
	if out.LaunchAsset, err = m.asset(build.Assets[launch]); err != nil {
		return err
	}
	out.Assets = make([]manifestAsset, 0, len(build.Assets))
	seen := map[string]bool{out.LaunchAsset.Key: true}
	for _, a := range build.Assets {
		if seen[a.MD5] {
			continue
		}
		seen[a.MD5] = true
		listed, err := m.asset(a)
		if err != nil {
			return err
		}
		out.Assets = append(out.Assets, listed)
	}
	return nil
}

// asset returns a file's entry in the manifest. It fails if the file is not stored, because devices could not
// download it.
func (m *renderer) asset(a models.BuildAsset) (manifestAsset, error) {
	blob, ok := m.assets.Get(a.MD5)
	if !ok {
		return manifestAsset{}, fmt.Errorf("the file %s of build %d is not stored", a.Path, a.BuildID)
	}
	return manifestAsset{
		Key:           a.MD5,
		Hash:          a.SHA256,
		ContentType:   blob.ContentType,
		FileExtension: a.FileExtension,
		URL:           m.urlStart + a.MD5 + m.urlEnd,
	}, nil
}

// clientConfig returns the app configuration as uploaded, or {} for a missing configuration. Clients need an object
// and fail on null.
func clientConfig(raw json.RawMessage) json.RawMessage {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return json.RawMessage("{}")
	}
	return raw
}
