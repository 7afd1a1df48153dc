// Uses the generated types as a stranger's client does, under TypeScript's strictest settings.
import type { components, paths } from "../../build/_openapi/openapi.js";

type Update = components["schemas"]["Update"];
type Listed = paths["/v1/ota/updates"]["get"]["responses"]["200"]["content"]["application/json"];

export const whoDisabled = (update: Update): string | undefined => update.disabledBy?.name;
export const newest = (listed: Listed): Update | undefined => listed[0];
