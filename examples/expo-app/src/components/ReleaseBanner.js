import { useBooleanFlagValue } from '@openfeature/react-sdk';
import { Image, StyleSheet, Text, View } from 'react-native';

import version from '../version.json';

/** Shows the running version in its own colour, so that you can recognize it at a glance. The flag `greeting` adds a line. */
export function ReleaseBanner() {
  const greets = useBooleanFlagValue('greeting', false);

  return (
    <View style={[styles.banner, { backgroundColor: version.colour }]}>
      <Image source={require('../../assets/logo.png')} style={styles.logo} />
      <View>
        <Text style={styles.label} testID="release-label">{version.label}</Text>
        {greets && <Text style={styles.greeting} testID="greeting">Good to see you</Text>}
      </View>
    </View>
  );
}

const styles = StyleSheet.create({
  banner: { flexDirection: 'row', alignItems: 'center', gap: 16, padding: 24, paddingTop: 64 },
  logo: { width: 64, height: 64 },
  label: { color: '#ffffff', fontSize: 32, fontWeight: '700' },
  greeting: { color: '#ffffff', fontSize: 16 },
});
