// Package fleet simulates phones that run an app with the stock expo-updates
// client: thousands of devices with stable ids that start the app, ask for a
// manifest, download what they do not hold, choose what runs at the next start
// as the real client chooses it, and report their health.
//
// A device keeps what the real client keeps (stored updates with their commit
// times and failed launches, the manifest filters, the server-defined headers)
// and nothing else, so what it runs after a cold start is evidence of how a real
// one would behave. Answers are read strictly: whatever either platform's client
// would choke on is a failure here, even where the other one forgives it.
//
// To keep thousands of devices from moving gigabytes, only the first few of them
// download each asset's bytes; see AssetPolicy. They ask for binary patches only
// when Options.Patches says so; else they are like clients before SDK 55.
package fleet
