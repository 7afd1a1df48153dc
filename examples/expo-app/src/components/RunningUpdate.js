import { useWaftUpdates } from '@waft/expo';
import { clientID } from 'expo-eas-client';
import * as Updates from 'expo-updates';
import { Button, StyleSheet, Text, View } from 'react-native';

import { Card } from './Card';

const words = {
  idle: 'Not checked yet',
  checking: 'Checking…',
  up_to_date: 'Up to date',
  downloading: 'Downloading…',
  ready: 'A new version starts with the next launch',
  restarting: 'Restarting…',
  store_update_required: 'A newer version is in the store',
  failed: 'Could not check',
  disabled: 'Updates are off here',
};

/** What this phone runs, as expo-updates tells it, and a button to look for something newer. */
export function RunningUpdate() {
  const { status, check } = useWaftUpdates();

  return (
    <Card title="Running update">
      <Row name="Update" value={Updates.updateId ?? 'none'} />
      <Row name="Source" value={Updates.isEmbeddedLaunch ? 'built into the app' : 'downloaded'} />
      <Row name="Channel" value={Updates.channel || 'none'} />
      <Row name="Runtime" value={Updates.runtimeVersion ?? 'none'} />
      <Row name="Device" value={clientID ?? 'unknown'} />
      <Text style={styles.status} testID="update-status">
        {words[status]}
      </Text>
      <Button title="Check for an update" onPress={check} />
    </Card>
  );
}

function Row({ name, value }) {
  return (
    <View style={styles.row}>
      <Text style={styles.name}>{name}</Text>
      <Text selectable style={styles.value}>
        {value}
      </Text>
    </View>
  );
}

const styles = StyleSheet.create({
  row: { flexDirection: 'row', gap: 8 },
  name: { width: 72, color: '#5b7083' },
  value: { flex: 1, color: '#0f2a3d' },
  status: { color: '#5b7083', fontStyle: 'italic' },
});
