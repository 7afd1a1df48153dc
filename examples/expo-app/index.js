import { registerRootComponent } from 'expo';

// First, so that an error thrown while the app's own modules load is reported too.
import { startHealthReports } from './src/health';

startHealthReports();

registerRootComponent(require('./App').default);
