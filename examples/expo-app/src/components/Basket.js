import { useEffect, useState } from 'react';
import { Button, Image, StyleSheet, Text, View } from 'react-native';

import { initialItems, priceOf, refreshedItems, total } from '../catalogue';
import { Card } from './Card';

const refreshAfterMs = 1500;

/**
 * A basket to try out. In the `broken` version it fails in two ways. The new prices fail to render, which the
 * boundary around the basket catches and reports as `js_error`. Pressing the button before they arrive throws an
 * uncaught error, which is reported as `crash`.
 */
export function Basket() {
  const [items, setItems] = useState(initialItems);
  const [message, setMessage] = useState('');

  useEffect(() => {
    const timer = setTimeout(() => setItems(refreshedItems()), refreshAfterMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Card title="Basket">
      {items.map((item) => (
        <View key={item.id} style={styles.item}>
          <Image source={item.picture} style={styles.picture} />
          <Text>{item.name}</Text>
          <Text>{priceOf(item)}</Text>
        </View>
      ))}
      <Button title="Buy" onPress={() => setMessage(`Thank you for ${total(refreshedItems())}`)} />
      <Text>{message}</Text>
    </Card>
  );
}

const styles = StyleSheet.create({
  item: { flexDirection: 'row', alignItems: 'center', gap: 12 },
  picture: { width: 48, height: 48 },
});
