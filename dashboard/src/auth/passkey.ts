import { createApiClient } from "@/api/client";

const client = createApiClient();

/** Reports whether this browser can sign in with a passkey. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";
}

/**
 * Signs in with a passkey that the person chooses, and returns the passkey's account. Rejects if they do not choose one or if the
 * server refuses it.
 */
export async function logInWithPasskey() {
  const { data } = await client.POST("/v1/auth/passkeys/login/begin");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data?.publicKey as unknown as PublicKeyCredentialRequestOptionsJSON);
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
  if (!credential) throw new Error("no passkey was chosen");
  const answer = await client.POST("/v1/auth/passkeys/login/finish", { body: { credential: credential.toJSON() as Record<string, unknown> } });
  return answer.data?.user;
}
