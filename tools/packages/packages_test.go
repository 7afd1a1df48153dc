package main

import (
	"testing"
	"testing/fstest"
)

func TestTheDescriptionOfThePackagesIsUnderstood(t *testing.T) {
	t.Parallel()
	c, err := readConfig("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Packages {
		if p.FileName != "{{ .ConventionalFileName }}" || len(p.Formats) == 0 || len(p.Contents) == 0 {
			t.Errorf("%s: %+v", p.Name, p)
		}
		for _, id := range p.Binaries {
			if _, err := c.binary(id); err != nil {
				t.Error(err)
			}
		}
	}
	if len(c.Packages) != 2 {
		t.Errorf("%d packages", len(c.Packages))
	}
}

func TestSettingsThatOnlyGoReleaserKnowsAreRefused(t *testing.T) {
	t.Parallel()
	const known = "nfpms:\n  - &a {id: a, package_name: a}\n  - <<: *a\n    id: b\n"
	c, err := parseConfig([]byte(known))
	if err != nil || len(c.Packages) != 2 || c.Packages[1].ID != "b" || c.Packages[1].Name != "a" {
		t.Fatal(c, err)
	}
	if _, err := parseConfig([]byte(known + "    conflicts: [c]\n")); err == nil {
		t.Error("the setting conflicts is not known, and was accepted")
	}
}

func TestTheNewestMigrationHasTheHighestNumber(t *testing.T) {
	t.Parallel()
	newest, err := newestMigration(fstest.MapFS{"00009_a.sql": {}, "00010_b.sql": {}, "99999.md": {}})
	if err != nil || newest != 10 {
		t.Fatal(newest, err)
	}
	if _, err := newestMigration(fstest.MapFS{"readme.md": {}}); err == nil {
		t.Error("a folder without migrations was accepted")
	}
}

func TestTheVersionIsStamped(t *testing.T) {
	t.Parallel()
	if text, err := expand("-X released={{ .Version }}", "1.2.3"); err != nil || text != "-X released=1.2.3" {
		t.Fatal(text, err)
	}
	if _, err := expand("{{ .Commit }}", "1.2.3"); err == nil {
		t.Error("a field that build does not know was accepted")
	}
}
