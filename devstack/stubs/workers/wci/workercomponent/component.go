// Package workercomponent stands for the system worker that starts other
// workers. The embedded server has none.
package workercomponent

import "go.uber.org/fx"

// Module adds nothing to the server.
var Module = fx.Options()
