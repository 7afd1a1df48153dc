import { StyleSheet, Text, View } from 'react-native';

export function Card({ title, children }) {
  return (
    <View style={styles.card}>
      <Text style={styles.title}>{title}</Text>
      {children}
    </View>
  );
}

const styles = StyleSheet.create({
  card: { marginHorizontal: 16, padding: 16, gap: 8, borderRadius: 12, backgroundColor: '#ffffff' },
  title: { fontSize: 18, fontWeight: '600', color: '#0f2a3d' },
});
