// Checked with the real types of the peers only, see ../../../tools/peers.mjs: what cannot be resolved is of the type any, which fits all.
// That of expo-eas-client 1.0 is any by itself.
import AsyncStorage from '@react-native-async-storage/async-storage';
import Constants from 'expo-constants';
import { checkForUpdateAsync, readLogEntriesAsync, useUpdates } from 'expo-updates';
import { fetch } from 'expo/fetch';
import { AppState, Platform } from 'react-native';
import { useMemo } from 'react';
import { OpenFeature } from '@openfeature/react-sdk';

function known<T>(_value: 0 extends T & 1 ? never : T): void {
  // Only its type matters.
}

known(AsyncStorage.getItem);
known(Constants.expoConfig);
known(checkForUpdateAsync);
known(readLogEntriesAsync);
known(useUpdates);
known(fetch);
known(AppState.addEventListener);
known(Platform.OS);
known(useMemo);
known(OpenFeature.getClient);
