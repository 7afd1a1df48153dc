import type { ApiClient, Schemas } from "@/api/client";

/** Changes the list of publishers. The API replaces the whole list, so this loads the stored list first to keep other people's changes. */
export async function changePublishers(client: ApiClient, change: (stored: Schemas["TrustedPublisher"][]) => Schemas["PutPublisherBody"][]) {
  const { data = [] } = await client.GET("/v1/ota/trusted-publishers");
  return client.PUT("/v1/ota/trusted-publishers", { body: change(data) });
}
