import type AsyncStorage from '@react-native-async-storage/async-storage';

declare const storage: typeof AsyncStorage | undefined;
export = storage;
