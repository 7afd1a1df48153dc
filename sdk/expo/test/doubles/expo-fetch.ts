export const fetch = (url: string, init?: RequestInit): Promise<Response> => globalThis.fetch(url, init);
