package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

// varXpremPassword is the environment variable with the password of an xprem server.
const varXpremPassword = "WAFT_IMPORT_PASSWORD"

// maxDraws is the number of invented devices that ask for a release for a percentage of the devices.
const maxDraws = 500

// xprem is an xprem server (formerly expo-open-ota) with a control plane.
type xprem struct {
	http                           *http.Client
	url, app, email, password, dir string
	token                          string
	// channels are a channel for each branch, by which its releases can be asked for.
	channels map[string]string
}

func importXprem(s *command.Settings) *cobra.Command {
	x, o := &xprem{http: newHTTPClient()}, options{}
	cmd := s.Calling("xprem URL", "Import from an xprem (formerly expo-open-ota) server", func(c command.Call) error {
		x.url, x.password = strings.TrimRight(c.Args[0], "/"), os.Getenv(varXpremPassword)
		if x.app == "" || x.email == "" || x.password == "" {
			return command.Usagef("--source-app, --email and the environment variable %s are required", varXpremPassword)
		}
		if x.dir == "" && o.releases > 1 {
			return command.Usagef("xprem serves only its newest releases; for --releases above 1, " +
				"name a copy of its storage with --storage")
		}
		return o.run(c, x)
	})
	cmd.Long = "xprem signs in to the dashboard of an xprem server with control plane, and reads channels and releases through its API.\n" +
		"The releases are downloaded as a device does. With --storage, they are read from a copy of the server's storage instead,\n" +
		"older releases included. The password is in " + varXpremPassword + "."
	cmd.Example = "  export WAFT_IMPORT_PASSWORD=…\n" +
		"  waft import xprem https://updates.example.com --source-app 5f0c1a3e --email ada@example.com --dry-run"
	f := cmd.Flags()
	f.StringVar(&x.app, "source-app", "", "ID of the app on the xprem server")
	f.StringVar(&x.email, "email", "", "email address of the account on the xprem server")
	f.StringVar(&x.dir, "storage", "", "folder with the server's storage (LOCAL_BUCKET_BASE_PATH, or a copy of its bucket)")
	o.register(cmd)
	return cmd
}

func (x *xprem) name() string { return "xprem" }

type xpremUpdate struct {
	UpdateUUID        string `json:"updateUUID"`
	UpdateID          string `json:"updateId"`
	CreatedAt         string `json:"createdAt"`
	CommitHash        string `json:"commitHash"`
	Platform          string `json:"platform"`
	Message           string `json:"message"`
	RolloutPercentage *int   `json:"rolloutPercentage"`
	PublishGroup      string `json:"publishGroup"`
}

func (x *xprem) read(ctx context.Context) (*inventory, error) {
	if err := x.signIn(ctx); err != nil {
		return nil, err
	}
	inv := &inventory{}
	if err := x.readChannels(ctx, inv); err != nil {
		return nil, err
	}
	var branches []struct {
		BranchName string `json:"branchName"`
	}
	if err := x.get(ctx, "/branches", &branches); err != nil {
		return nil, err
	}
	for _, b := range branches {
		var runtimes []struct {
			RuntimeVersion string `json:"runtimeVersion"`
		}
		if err := x.get(ctx, "/branch/"+url.PathEscape(b.BranchName)+"/runtimeVersions", &runtimes); err != nil {
			return nil, err
		}
		for _, r := range runtimes {
			if err := x.readUpdates(ctx, inv, b.BranchName, r.RuntimeVersion); err != nil {
				return nil, err
			}
		}
	}
	return inv, nil
}

func (x *xprem) readChannels(ctx context.Context, inv *inventory) error {
	var found []struct {
		Name    string  `json:"releaseChannelName"`
		Branch  *string `json:"branchName"`
		Rollout *struct {
			Branch     string  `json:"rolloutBranchName"`
			Percentage float64 `json:"percentage"`
		} `json:"rollout"`
	}
	if err := x.get(ctx, "/channels", &found); err != nil {
		return err
	}
	x.channels = map[string]string{}
	for _, f := range found {
		if f.Branch == nil || *f.Branch == "" {
			inv.skipped = append(inv.skipped, skipped{"channel " + f.Name, "it does not lead to a branch"})
			continue
		}
		c := channel{name: f.Name, branch: *f.Branch}
		if f.Rollout != nil {
			c.rolloutBranch, c.rolloutPercentage = f.Rollout.Branch, f.Rollout.Percentage
			x.channels[c.rolloutBranch] = cmp.Or(x.channels[c.rolloutBranch], c.name)
		}
		if f.Rollout == nil || x.channels[c.branch] == "" {
			x.channels[c.branch] = c.name
		}
		inv.channels = append(inv.channels, c)
	}
	return nil
}

func (x *xprem) readUpdates(ctx context.Context, inv *inventory, branch, runtime string) error {
	base := "/branch/" + url.PathEscape(branch) + "/runtimeVersion/" + url.PathEscape(runtime) + "/updates"
	read := cursors{}
	for cursor := ""; ; {
		var page struct {
			Items      []xpremUpdate `json:"items"`
			NextCursor *string       `json:"nextCursor"`
		}
		if err := x.get(ctx, base+"?limit=50&cursor="+url.QueryEscape(cursor), &page); err != nil {
			return err
		}
		for _, u := range page.Items {
			var details struct {
				Type int `json:"type"` // 1 is a return to the embedded update
			}
			if err := x.get(ctx, base+"/"+url.PathEscape(u.UpdateID), &details); err != nil {
				return err
			}
			r, err := u.release(branch, runtime)
			if err != nil {
				return err
			}
			r.toEmbedded = details.Type == 1
			inv.releases = append(inv.releases, r)
		}
		if page.NextCursor == nil || *page.NextCursor == "" {
			return nil
		}
		cursor = *page.NextCursor
		if err := read.add(cursor); err != nil {
			return err
		}
	}
}

func (u xpremUpdate) release(branch, runtime string) (release, error) {
	created, err := time.Parse(time.RFC3339, u.CreatedAt)
	if err != nil {
		return release{}, fmt.Errorf("release %s of xprem: %w", u.UpdateID, err)
	}
	r := release{
		id: u.UpdateID, branch: branch, runtimeVersion: runtime, platform: models.Platform(u.Platform), message: u.Message, commit: u.CommitHash,
		createdAt: created, percentage: 100, group: u.PublishGroup, location: u.UpdateUUID,
	}
	if u.RolloutPercentage != nil {
		r.percentage = float64(*u.RolloutPercentage)
	}
	return r, nil
}

// fetch reads the release from the storage, or downloads it as a device does.
func (x *xprem) fetch(ctx context.Context, r release, dir string) error {
	if x.dir != "" {
		if err := x.copyStored(r, dir); err != nil {
			return fmt.Errorf("the storage of xprem: %w", err)
		}
		return nil
	}
	q := protocol.Question{
		URL: x.url + "/manifest", Platform: r.platform, RuntimeVersion: r.runtimeVersion,
		Headers: map[string]string{"expo-app-id": x.app, "expo-channel-name": x.channels[r.branch]},
	}
	for range maxDraws {
		reply, err := protocol.Ask(ctx, x.http, q)
		if err != nil {
			return err
		}
		if reply.Manifest != nil && strings.EqualFold(reply.Manifest.ID, r.location) {
			return downloadExport(ctx, x.http, reply, r.platform, dir)
		}
		// Only some devices get a release of a rollout.
		q.Headers["EAS-Client-ID"] = uuid.NewString()
	}
	return errors.New("the xprem server does not serve it to any device; name a copy of the server's storage with --storage")
}

// copyStored copies a release from the storage. The server chose the names in its path, so they must not lead outside of the storage.
func (x *xprem) copyStored(r release, dir string) error {
	root, err := os.OpenRoot(x.dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read
	from, err := fs.Sub(root.FS(), strings.Join([]string{x.app, r.branch, r.runtimeVersion, r.id}, "/"))
	if err != nil {
		return err
	}
	if _, err := fs.Stat(from, "metadata.json"); err != nil {
		return err
	}
	err = fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !entry.Type().IsRegular() {
			err = fmt.Errorf("%s is a link instead of a file", name)
		}
		return err
	})
	if err != nil {
		return err
	}
	return os.CopyFS(dir, from)
}

// signIn gets a token for the API of the dashboard.
func (x *xprem) signIn(ctx context.Context) error {
	form := url.Values{"email": {x.email}, "password": {x.password}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url+"/auth/login", strings.NewReader(form.Encode()))
	if err != nil {
		return command.Usagef("%q is not the address of an xprem server", x.url)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	var session struct {
		Token string `json:"token"`
	}
	if err := fetchJSON(x.http, req, &session); err != nil {
		return fmt.Errorf("signing in to xprem: %w", err)
	}
	x.token = session.Token
	return nil
}

func (x *xprem) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, x.url+"/api/apps/"+url.PathEscape(x.app)+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+x.token)
	return fetchJSON(x.http, req, into)
}
