import { expect, test } from "vitest";
import { appConfiguration, manifestAddress } from "./configuration";

test("the configuration has the address, the channel and the runtime version, and the key of a project that signs", () => {
  const address = manifestAddress("https://ota.example.com", "parcels");
  expect(address).toBe("https://ota.example.com/v1/ota/manifest/parcels");
  expect(JSON.parse(appConfiguration(address, "production", null))).toEqual({
    expo: { runtimeVersion: { policy: "appVersion" }, updates: { url: address, requestHeaders: { "expo-channel-name": "production" } } },
  });
  expect(JSON.parse(appConfiguration(address, "production", "main"))).toMatchObject({
    expo: { updates: { codeSigningCertificate: "./certs/certificate.pem", codeSigningMetadata: { keyid: "main", alg: "rsa-v1_5-sha256" } } },
  });
});
