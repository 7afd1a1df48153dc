import type { Schemas } from "./client";
import { useApi } from "./project";

export type Attention = Schemas["Attention"];

/** Queries what needs the person's attention: the emergency stop, and how many approvals and incidents wait. */
export const useAttention = () => useApi().useQuery("get", "/v1/ota/attention");
