package e2e

// example is the fixture of the examples of a command.
type example struct {
	// before has commands that make what the examples name, with the functions of testdata/examples.sh.
	before string
	// with has texts and what takes their places, such as "29 = $release".
	with []string
	// skip has lines that are not run, and the reason for each.
	skip map[string]string
	// shows is a text that the output has. Commands whose list may be empty have it.
	shows string
	// member says that the project has a member, whose email address is in $member, and operator that the key is the root key.
	member, operator bool
}

const (
	needsToken = "it needs the ID token of a job of a CI system; TestWaftToken exchanges one"
	asksPerson = "it asks a person, in a browser or for a password; TestLoginOnATerminal does that"
)

// examples has each command whose help has examples. They find an empty project, an export in dist, and what the fixture makes.
var examples = map[string]example{
	"waft activity": {before: "errors", with: []string{"29 = $release"}},
	"waft adoption": {before: "errors"},
	"waft api":      {},
	"waft audit": {
		before: "flag checkout; release production; release production; waft rollback --channel production --yes",
		with:   []string{"--entity-id 7 = --entity-id $(waft flags show checkout --json | first)"}, shows: "flag.created",
	},
	"waft audit export": {with: []string{"2026-03-01 = $(date --utc +%F)", "2026-04-01 = $(date --utc --date tomorrow +%F)"}},
	"waft audit list": {
		before: "flag checkout; release production; release production; waft rollback --channel production --yes",
		with:   []string{"--entity-id 7 = --entity-id $(waft flags show checkout --json | first)"}, shows: "flag.created",
	},
	"waft branches create":     {},
	"waft builds add-embedded": {before: "native_build release; native_build productionRelease"},
	"waft builds publish":      {before: "policy; release staging", with: []string{"27 = $build"}},
	"waft builds source-map add": {
		before: "release staging; source_map >dist/_expo/static/js/ios/index.hbc.map", with: []string{"12 = $build"},
	},
	"waft channels edit": {},
	"waft ci follow": {
		before: `echo '{"name": "careful", "stages": [{"percentage": 100}]}' | waft policies create -`,
		with:   []string{"--timeout 2h = --timeout 2h --every 100ms"}, shows: "completed",
	},
	"waft ci outputs":      {before: "GITHUB_OUTPUT=outputs"},
	"waft codesign rotate": {before: "app .; waft codesign generate", with: []string{"rotate --private-key = rotate --yes --private-key"}},
	"waft contexts pin":    {},
	"waft devices show":    {before: "errors", with: []string{"2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11 = $device"}},
	"waft doctor": {
		before: "app my-app; app my-app/apps/mobile; release production; " +
			"waft init --yes --app my-app; waft init --yes --app my-app/apps/mobile",
	},
	"waft errors edit":       {before: "errors", with: []string{"9f86d081 = $error", "ada@example.com = $member"}, member: true},
	"waft errors list":       {before: "errors", with: []string{"29 = $release"}, shows: "TypeError"},
	"waft errors show":       {before: "errors", with: []string{"9f86d081 = $error"}, shows: "TypeError"},
	"waft events":            {before: "crashes", with: []string{"29 = $release"}, shows: "crash"},
	"waft events list":       {before: "crashes", with: []string{"29 = $release"}, shows: "crash"},
	"waft flags copy":        {before: "colors; waft flags set checkout-color --channel staging --default green --enabled"},
	"waft flags create":      {},
	"waft flags edit":        {before: "colors"},
	"waft flags evaluate":    {before: "rules", shows: "checkout"},
	"waft flags explain":     {before: "rules"},
	"waft flags rules add":   {before: "flag checkout; segment"},
	"waft flags rules edit":  {before: "rules", with: []string{"checkout 6 = checkout $second_rule"}},
	"waft flags rules order": {before: "rules", with: []string{"7,6 = $second_rule,$first_rule"}},
	"waft flags save":        {before: "rules"},
	"waft flags schedule create": {
		before: "rules; waft flags show checkout --json >checkout.json",
		with:   []string{"2026-03-15T09:00:00Z = $(date --utc --date tomorrow +%FT%TZ)"},
	},
	"waft flags set": {before: "colors"},
	"waft flags variations edit": {
		before: "colors; waft flags edit checkout-color --default blue --variation Blue=blue --variation Green=green",
	},
	"waft import eas": {skip: map[string]string{
		"waft import eas --app apps/mobile --dry-run": "it needs EAS; the page docs/move/eas-update.md runs it with a double of eas-cli",
	}},
	"waft import hot-updater": {skip: map[string]string{
		"waft import hot-updater https://updates.example.com/hot-updater --header 'Authorization: Bearer …' --dry-run": "it needs a server of " +
			"hot-updater; the page docs/move/hot-updater.md runs it with a double",
	}},
	"waft import xprem": {skip: map[string]string{
		"waft import xprem https://updates.example.com --source-app 5f0c1a3e --email ada@example.com --dry-run": "it needs a server of xprem; " +
			"the page docs/move/xprem.md runs it with a double",
	}},
	"waft incidents edit": {before: "incident", with: []string{"41 = $incident"}},
	"waft init": {
		before: "app my-app; app my-app/apps/mobile",
		with:   []string{"waft init --url = waft init --yes --url", "--project shop = --project $WAFT_PROJECT"},
	},
	"waft keys create": {},
	"waft login": {skip: map[string]string{
		"waft login --url https://ota.example.com":                               asksPerson,
		"waft login --profile prod --url https://ota.example.com --project shop": asksPerson,
		"waft login --email jo@example.com":                                      asksPerson,
	}},
	"waft mcp":               {with: []string{"demo = $WAFT_PROJECT"}},
	"waft members edit":      {with: []string{"ada@example.com = $member"}, member: true},
	"waft members invite":    {},
	"waft open":              {before: "double xdg-open :; rollout; flag checkout", with: []string{"21 = $rollout"}},
	"waft overrides add":     {before: "waft branches create next"},
	"waft policies create":   {},
	"waft policies edit":     {before: "policy"},
	"waft policies forecast": {before: "policy"},
	"waft profiles add": {
		before: `echo "$WAFT_API_KEY" >key.txt`,
		with:   []string{"https://ota-staging.example.com = $WAFT_URL", "--project shop = --project $WAFT_PROJECT"},
	},
	"waft projects create":    {operator: true},
	"waft promote":            {before: "policy; release staging"},
	"waft publish":            {before: "app .; policy; flag new-checkout; double npx \"$expo\""},
	"waft publishers add":     {},
	"waft releases edit":      {before: "release production", with: []string{"29 = $release"}},
	"waft releases republish": {before: "release staging", with: []string{"29 = $release"}},
	"waft resolve":            {before: "release production"},
	"waft rollback": {
		before: "release production; oldest=$release; release production; release production",
		with:   []string{"21 = $oldest"},
		skip:   map[string]string{"waft rollback": "it asks on a terminal; TestARollbackIsChosenOnATerminal does that"},
	},
	"waft rollouts start":    {before: "policy; release production", with: []string{"29 = $release"}, shows: "running"},
	"waft segments create":   {},
	"waft segments edit":     {before: "segment"},
	"waft segments estimate": {},
	"waft settings edit":     {with: []string{"edit --build = edit --yes --build"}},
	"waft simulate":          {before: "release production", with: []string{"--duration 2m = --duration 2s"}},
	"waft stop":              {},
	"waft token": {skip: map[string]string{
		`waft token --env >> "$GITHUB_ENV"`: needsToken,
		`export WAFT_API_KEY="$(buildkite-agent oidc request-token --audience "$WAFT_URL" | waft token --id-token -)"`: needsToken,
	}},
	"waft webhooks create":  {with: []string{"services/… = services/T0/B0/X"}},
	"waft webhooks edit":    {before: "webhook", with: []string{"edit 4 = edit $webhook"}},
	"waft webhooks recover": {before: "webhook"},
}
