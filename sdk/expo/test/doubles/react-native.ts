/** The parts of React Native that the package uses. Tests change their state. */
export const Platform = { OS: 'ios' };

const listeners = new Set<(state: string) => void>();

export const AppState = {
  currentState: 'active',
  addEventListener(_type: 'change', listener: (state: string) => void) {
    listeners.add(listener);
    return { remove: () => listeners.delete(listener) };
  },
  /** Returns the number of listeners. */
  count() {
    return listeners.size;
  },
  /** Moves the app to a state. */
  become(state: string) {
    AppState.currentState = state;
    for (const listener of listeners) {
      listener(state);
    }
  },
};

export const Image = {};
