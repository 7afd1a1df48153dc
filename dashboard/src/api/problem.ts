/** An error about one field of the request, with its path such as `stages[1].percentage`. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The error of a failed request: the API's problem+json, or status 0 and code `no_answer` if there was no response. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: FieldProblem[];
  /** Seconds after which to try again, or null if the API does not say. */
  readonly retryAfter: number | null;
  /** The part of Waft that is unavailable, such as `clickhouse`, or "" if the API does not name one. */
  readonly unavailable: string;

  constructor(init: {
    status: number;
    code: string;
    detail: string;
    requestId?: string | null;
    fields?: FieldProblem[];
    retryAfter?: number | null;
    unavailable?: string;
  }) {
    super(init.detail);
    this.name = "Problem";
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId ?? null;
    this.fields = init.fields ?? [];
    this.retryAfter = init.retryAfter ?? null;
    this.unavailable = init.unavailable ?? "";
  }

  /** Reports whether the response did not come from Waft. A change may have been applied all the same. */
  get isUnanswered(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }

  /** Reports whether Waft or one of its engines was unavailable. The request can be repeated later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 502;
  }
}

/** Returns the problem from a response that is not 2xx. */
export async function problemOf(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get("Retry-After"));
  let body: Record<string, unknown> = {};
  try {
    body = (await response.json()) as Record<string, unknown>;
  } catch {
    // The body may be a proxy's page. Then only the status is known.
  }
  return new Problem({
    status: response.status,
    code: typeof body.code === "string" ? body.code : `http_${response.status}`,
    detail: typeof body.detail === "string" ? body.detail : `The server responded with status ${response.status}.`,
    requestId: typeof body.requestId === "string" ? body.requestId : response.headers.get("X-Request-Id"),
    fields: Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : [],
    retryAfter: retryAfter > 0 ? retryAfter : null,
    unavailable: typeof body.unavailable === "string" ? body.unavailable : "",
  });
}

/** Returns any thrown value as a Problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: "no_answer", detail: error instanceof Error ? error.message : String(error) });
}
