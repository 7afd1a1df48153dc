package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// manifest is an update as the protocol has it. It is the same for every device:
// a client never reads an id twice, and one rendering can be signed once.
type manifest struct {
	ID             string          `json:"id"`
	CreatedAt      string          `json:"createdAt"`
	RuntimeVersion string          `json:"runtimeVersion"`
	LaunchAsset    manifestAsset   `json:"launchAsset"`
	Assets         []manifestAsset `json:"assets"`
	// Metadata holds strings, which filters compare, and isCritical.
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

// waftExtra is what an app's own code may want to know of the update. Channel is
// the one that the release was published to, "" when it went to a branch.
type waftExtra struct {
	ReleaseID      int64  `json:"releaseId"`
	GroupID        string `json:"groupId"`
	BranchName     string `json:"branchName"`
	Channel        string `json:"channel"`
	IsCritical     bool   `json:"isCritical"`
	ReleaseMessage string `json:"releaseMessage"`
}

// manifest is that of an update.
func (m *renderer) manifest(r *release) (manifest, error) {
	if r.BuildID == nil || m.builds[*r.BuildID] == nil {
		return manifest{}, errors.New("its build is missing")
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

// addAssets fills in the files. The client stores a file by its key, the MD5, so
// files of equal bytes are one asset to it, the first by path.
func (m *renderer) addAssets(out *manifest, build *models.Build) (err error) {
	for _, a := range build.Assets {
		if a.IsLaunchAsset {
			if out.LaunchAsset, err = m.asset(a); err != nil {
				return err
			}
		}
	}
	if out.LaunchAsset.Key == "" {
		return fmt.Errorf("build %d has no launch asset", build.ID)
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

// asset fails for a file that devices could not download.
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
		URL:           m.urlStart + url.PathEscape(a.MD5) + m.urlEnd,
	}, nil
}

// clientConfig is the app configuration as uploaded, {} when there is none: the
// field must be an object, and null would break the client.
func clientConfig(raw json.RawMessage) json.RawMessage {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return json.RawMessage("{}")
	}
	return raw
}
