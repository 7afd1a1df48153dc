import { WaftErrorBoundary } from '@waft/expo';
import { Text } from 'react-native';

import { Card } from './Card';

/** Keeps the rest of the screen alive when one part of it fails to render; the failure is reported. */
export function Guard({ title, children }) {
  const failed = (
    <Card title={title}>
      <Text testID="guard-message">This part of the app has failed. The failure was reported.</Text>
    </Card>
  );
  return <WaftErrorBoundary fallback={failed}>{children}</WaftErrorBoundary>;
}
