import { useWaftUpdates } from '@waft/expo';
import { clientID } from 'expo-eas-client';
import * as Updates from 'expo-updates';
import { Button, Text } from 'react-native';

import { Card } from './Card';

/** Shows the running update as reported by expo-updates, and a button to check for a newer one. */
export function RunningUpdate() {
  const { status, check } = useWaftUpdates();

  return (
    <Card title="Running update">
      <Text selectable>Update {Updates.isEmbeddedLaunch ? 'built into the app' : (Updates.updateId ?? 'none')}</Text>
      <Text selectable>Device {clientID ?? 'unknown'}</Text>
      <Text>Status: {status.replaceAll('_', ' ')}</Text>
      <Button title="Check for an update" onPress={check} />
    </Card>
  );
}
