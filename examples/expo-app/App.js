import { WaftErrorBoundary, WaftProvider, createWaft } from '@waft/expo';
import { StatusBar } from 'expo-status-bar';
import { ImageBackground, ScrollView, StyleSheet, Text } from 'react-native';

import { Basket } from './src/components/Basket';
import { ReleaseBanner } from './src/components/ReleaseBanner';
import { RunningUpdate } from './src/components/RunningUpdate';

const waft = createWaft({ onError: ({ message }) => console.warn(message) });

export default function App() {
  return (
    <WaftProvider waft={waft} loading={null}>
      <ImageBackground source={require('./assets/backdrop.png')} resizeMode="repeat" style={styles.page}>
        <StatusBar style="light" />
        <ScrollView contentContainerStyle={styles.content}>
          <ReleaseBanner />
          <RunningUpdate />
          <WaftErrorBoundary fallback={<Text>The basket has failed. The failure was reported.</Text>}>
            <Basket />
          </WaftErrorBoundary>
        </ScrollView>
      </ImageBackground>
    </WaftProvider>
  );
}

const styles = StyleSheet.create({
  page: { flex: 1, backgroundColor: '#eef3f6' },
  content: { gap: 16, paddingBottom: 32 },
});
