import type { ApiClient, Schemas } from "@/api/client";
import type { Flag } from "@/pages/flag/draft";
import { strings } from "@/strings";
import type { Effect } from "@/ui/effect";
import { flagAfter } from "./flagAfter";

/** The preview request of a waiting call. */
interface Preview {
  path: string;
  body?: unknown;
  /** The flag that the call changes a part of. The preview takes the whole flag as it would be after the call. */
  partOf?: { flag: number; after: (flag: Flag) => unknown };
  /** Describes the number of affected devices, as in PreviewOfEffect. */
  affected?: ((count: number | null) => string) | null;
}

/** Requests the effect that the call would have if it were applied now. It leaves out that the call would wait for approvals. */
export async function sendPreview(client: ApiClient, { path, body, partOf }: Preview, signal: AbortSignal): Promise<{ data?: Effect }> {
  const post = client.POST as unknown as (path: string, options: object) => Promise<{ data?: Effect }>;
  const { data } = await post(path, { body: partOf ? await bodyOfPart(client, partOf, signal) : body, signal });
  if (!data) return {};
  const needed = data.neededApprovals.map(({ warning }) => warning);
  return { data: { ...data, warnings: data.warnings.filter((warning) => !needed.includes(warning)) } };
}

async function bodyOfPart(client: ApiClient, { flag, after }: NonNullable<Preview["partOf"]>, signal: AbortSignal): Promise<unknown> {
  const { data } = await client.GET("/v1/ota/flags/{id}", { params: { path: { id: flag } }, signal });
  return data && after(data);
}

/** Returns the preview request for a waiting call, or null if the call has no preview. */
export function previewOf(asked: Pick<Schemas["Approval"], "action" | "input">): Preview | null {
  const { action, input } = asked;
  if (!input) return null;
  const ofPart = (flag: number) => ({ path: `/v1/ota/flags/${flag}/preview`, partOf: { flag, after: (now: Flag) => flagAfter(now, asked) } });
  switch (action) {
    case "update.rollback":
      return { path: "/v1/ota/rollback/preview", body: input };
    case "channel.update":
      return { path: `/v1/ota/channels/${encodeURIComponent(String(input.channel))}/preview`, body: input.change };
    case "rollout.advance":
      return { path: `/v1/ota/rollout-executions/${input.id}/advance/preview`, body: {} };
    case "rollout.resume":
      return { path: `/v1/ota/rollout-executions/${input.id}/resume/preview`, body: {} };
    case "update.publish": {
      const body = Object.fromEntries(Object.entries(input).filter(([field]) => field !== "direct"));
      return typeof body.channel === "string" && body.channel ? { path: "/v1/ota/updates/preview", body } : null;
    }
    case "update.patch":
      return { path: `/v1/ota/updates/${input.id}/preview`, body: input.change };
    case "update.republish":
      return { path: `/v1/ota/updates/${input.id}/republish/preview`, body: input.change };
    case "update.delete":
      return { path: `/v1/ota/updates/${input.id}/delete/preview`, body: {} };
    case "segment.update":
      return { path: `/v1/ota/segments/${input.id}/preview`, body: segmentBody(input.change as Fields) };
    case "channel.delete":
      return { path: `/v1/ota/channels/${encodeURIComponent(String(input.channel))}/delete/preview`, body: {} };
    case "rollout.start":
      return { path: "/v1/ota/rollout-executions/preview", body: input };
    case "project.resume":
      return { path: "/v1/ota/emergency-stop/resume/preview", body: {} };
    case "user_override.create":
      return { path: "/v1/ota/user-overrides/preview", body: input, affected: null };
    case "user_override.delete":
      return { path: `/v1/ota/user-overrides/${input.id}/delete/preview`, body: {}, affected: null };
    case "flag.delete":
      return { path: `/v1/ota/flags/${input.id}/delete/preview`, body: {}, affected: strings.dialog.devicesOfUse };
    case "flag.create":
      return { path: "/v1/ota/flags/preview", body: input, affected: strings.dialog.devicesOfNewFlag };
    case "flag.save":
      return { path: `/v1/ota/flags/${input.id}/preview`, body: flagBody(input.change as Fields) };
    case "flag.schedule":
      return { path: `/v1/ota/flags/${input.id}/preview`, body: flagBody((input.change as Fields).body as Fields) };
    case "flag.update":
    case "rule.create":
    case "rule.order":
      return ofPart(Number(input.id));
    case "rule.update":
    case "rule.delete":
    case "variation.update":
      return ofPart(Number(input.flagId));
    case "flag.copy":
      return { path: `/v1/ota/flags/${input.id}/copy/preview`, body: input.change };
    case "env_setting.update":
      return { path: `/v1/ota/flags/${input.flagId}/env/${encodeURIComponent(String(input.channel))}/preview`, body: input.change };
    default:
      return null;
  }
}

type Fields = Record<string, unknown>;

/** Returns the body of a segment's change from the input of the call, which names the values of a condition like a rule does. */
function segmentBody({ conditions, ...fields }: Fields): Fields {
  if (!Array.isArray(conditions)) return fields;
  const bodies = (conditions as Fields[]).map(({ attribute, operator, values }) => ({ attribute, operator, valuesJson: values }));
  return { ...fields, conditions: bodies };
}

/** Returns the body that saves a flag from the input of the call, without the fields that only Waft reads. */
function flagBody({ rules, ...fields }: Fields): Fields {
  return { ...fields, variations: fields.variations ?? [], rules: ((rules ?? []) as Fields[]).map(ruleBody) };
}

function ruleBody({ ruleConfig, ...rule }: Fields): Fields {
  const config: Fields = { ...(ruleConfig as Fields) };
  delete config.userIdsAsText;
  if (!Array.isArray(config.rollout)) return { ...rule, ruleConfig: config };
  const rollout = (config.rollout as Fields[]).map(({ hasValue, variantValue, ...share }) => (hasValue ? { ...share, variantValue: variantValue ?? "" } : share));
  return { ...rule, ruleConfig: { ...config, rollout } };
}
