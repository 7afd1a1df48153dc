import { fetch } from 'expo/fetch';
import type { Fetch } from './http';

/** The fetch of Expo, whose response can be read while it arrives. React Native's own cannot. */
export const stream: Fetch = (url, init) => fetch(url, init as Parameters<typeof fetch>[1]) as Promise<Response>;
