/** Returns the address that an app of the project asks for its manifest. */
export const manifestAddress = (origin: string, slug: string) => `${origin}/v1/ota/manifest/${slug}`;

/** Returns the part of app.json that connects an app with the project. `signingKeyId` is null if the project does not sign. */
export function appConfiguration(address: string, channel: string, signingKeyId: string | null): string {
  const signing = signingKeyId !== null && {
    codeSigningCertificate: "./certs/certificate.pem",
    codeSigningMetadata: { keyid: signingKeyId, alg: "rsa-v1_5-sha256" },
  };
  const updates = { url: address, requestHeaders: { "expo-channel-name": channel }, ...signing };
  return JSON.stringify({ expo: { runtimeVersion: { policy: "appVersion" }, updates } }, null, 2);
}

/** Returns the command line that publishes the first release. */
export const publishCommand = (origin: string, slug: string) =>
  `export WAFT_URL=${origin} WAFT_PROJECT=${slug} WAFT_API_KEY=… && npx expo export && waft publish dist --runtime-version 1.0.0 --channel production`;
