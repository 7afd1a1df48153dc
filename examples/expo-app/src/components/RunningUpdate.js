import * as Updates from 'expo-updates';
import { Button, StyleSheet, Text, View } from 'react-native';

import { device } from '../config';
import { Card } from './Card';

/** What this phone runs, as expo-updates tells it, and a button to look for something newer. */
export function RunningUpdate({ updates }) {
  return (
    <Card title="Running update">
      <Row name="Update" value={Updates.updateId ?? 'none'} />
      <Row name="Source" value={Updates.isEmbeddedLaunch ? 'built into the app' : 'downloaded'} />
      <Row name="Channel" value={Updates.channel || 'none'} />
      <Row name="Runtime" value={Updates.runtimeVersion ?? 'none'} />
      <Row name="Device" value={device.deviceId || 'unknown'} />
      <Text style={styles.status} testID="update-status">
        {updates.status}
      </Text>
      <Button title="Check for an update" onPress={updates.check} />
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
