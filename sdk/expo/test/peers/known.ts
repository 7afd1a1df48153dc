// Checks that the real types of the peers are found, see ../../../tools/peers.mjs. An unresolved import would have the type any,
// which fits everything.
import AsyncStorage from '@react-native-async-storage/async-storage';
import { requireOptionalNativeModule } from 'expo';
import Constants from 'expo-constants';
import { checkForUpdateAsync, readLogEntriesAsync, useUpdates } from 'expo-updates';
import { fetch } from 'expo/fetch';
import { AppState, Platform } from 'react-native';
import { useMemo } from 'react';
import { OpenFeature } from '@openfeature/react-sdk';

function known<T>(_value: 0 extends T & 1 ? never : T): void {
  // Only the type matters.
}

known(AsyncStorage.getItem);
known(Constants.expoConfig);
known(checkForUpdateAsync);
known(readLogEntriesAsync);
known(useUpdates);
known(requireOptionalNativeModule);
known(fetch);
known(AppState.addEventListener);
known(Platform.OS);
known(useMemo);
known(OpenFeature.getClient);
