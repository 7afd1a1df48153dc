// Package workercomponent stands for the system worker that starts other
// workers. The embedded server has none.
package workercomponent

import "go.uber.org/fx"

// Module is empty.
var Module = fx.Options()
