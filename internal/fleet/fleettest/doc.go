// Package fleettest is the smallest server that a simulated fleet can talk to: it
// serves manifests and assets and keeps health reports, all in memory. It decides
// nothing that Waft decides, so tests of the fleet do not rest on Waft's own code.
package fleettest
