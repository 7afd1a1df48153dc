import type { ApiClient, Schemas } from "@/api/client";

/** Changes the list, which the API takes as a whole: as it is stored by now, so that what somebody else added stays. */
export async function changePublishers(client: ApiClient, change: (stored: Schemas["TrustedPublisher"][]) => Schemas["PutPublisherBody"][]) {
  const { data = [] } = await client.GET("/v1/ota/trusted-publishers");
  return client.PUT("/v1/ota/trusted-publishers", { body: change(data) });
}
