import version from './version.json';

/** The items that the app starts with. */
export const initialItems = [
  { id: 'kite', name: 'Kite', picture: require('../assets/kite.png'), price: { cents: 2490 } },
  { id: 'plane', name: 'Paper plane', picture: require('../assets/plane.png'), price: { cents: 150 } },
];

/** Simulates a price list that a server sends a moment after the start. */
export function refreshedItems() {
  if (version.faulty) {
    // The fault of the `broken` version: these items do not have the shape that the functions below expect.
    return initialItems.map(({ price, ...item }) => ({ ...item, prices: [price] }));
  }
  return initialItems.map((item) => ({ ...item, price: { cents: item.price.cents - 10 } }));
}

export function priceOf(item) {
  return `${(item.price.cents / 100).toFixed(2)} €`;
}

export function total(basket) {
  return `${(basket.reduce((sum, item) => sum + item.price.cents, 0) / 100).toFixed(2)} €`;
}
