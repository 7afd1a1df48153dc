package delivery

// names are what a project has of what devices may report by name.
type names struct {
	runtimeVersions map[string]bool
	// variations are the texts of a flag's values, by key.
	variations map[string]map[string]bool
}

func (s *Snapshot) indexNames() names {
	n := names{runtimeVersions: map[string]bool{}, variations: make(map[string]map[string]bool, len(s.flags.flags))}
	for _, r := range s.inOrder {
		n.runtimeVersions[r.RuntimeVersion] = true
	}
	for i := range s.flags.flags {
		f := &s.flags.flags[i]
		values := map[string]bool{}
		for _, v := range f.Variations {
			values[v.Value] = true
		}
		n.variations[f.Key] = values
	}
	return n
}

// HasChannel reports whether the project has a channel of the name.
func (s *Snapshot) HasChannel(name string) bool { return s.channels[name] != nil }

// HasRuntimeVersion reports whether a release of the project is for the runtime
// version.
func (s *Snapshot) HasRuntimeVersion(version string) bool { return s.names().runtimeVersions[version] }

// HasFlag reports whether the project has a flag of the key.
func (s *Snapshot) HasFlag(key string) bool { return s.names().variations[key] != nil }

// HasVariation reports whether the project has a flag of the key with a variation of
// that value, as text.
func (s *Snapshot) HasVariation(key, value string) bool { return s.names().variations[key][value] }
