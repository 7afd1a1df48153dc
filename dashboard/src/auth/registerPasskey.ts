import { peopleClient } from "@/app/session";

/** Creates a passkey on this device and adds it to the account. Rejects if the person cancels or if the server refuses it. */
export async function registerPasskey(name: string) {
  const { data } = await peopleClient.POST("/v1/auth/passkeys/register/begin");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data?.publicKey as unknown as PublicKeyCredentialCreationOptionsJSON);
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
  if (!credential) throw new Error("No passkey was created.");
  return peopleClient.POST("/v1/auth/passkeys/register/finish", { body: { name, credential: credential.toJSON() as Record<string, unknown> } });
}
