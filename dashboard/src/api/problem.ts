/** A field of the request that the API refuses, by its path such as `stages[1].percentage`. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** Why a request failed: the API's problem+json, or that there was no answer (status 0, code `no_answer`). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: FieldProblem[];
  /** Seconds after which the API asks to try again; null when it does not say. */
  readonly retryAfter: number | null;

  constructor(init: {
    status: number;
    code: string;
    detail: string;
    requestId?: string | null;
    fields?: FieldProblem[];
    retryAfter?: number | null;
  }) {
    super(init.detail);
    this.name = "Problem";
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId ?? null;
    this.fields = init.fields ?? [];
    this.retryAfter = init.retryAfter ?? null;
  }

  /** Whether Waft itself did not answer, so that a change may have been made although it says nothing. */
  get isUnanswered(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }

  /** Whether nothing answered, or a store or Temporal is away: the request may be repeated later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 502;
  }
}

/** Reads the problem out of an answer that is not 2xx. */
export async function problemOf(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get("Retry-After"));
  let body: Record<string, unknown> = {};
  try {
    body = (await response.json()) as Record<string, unknown>;
  } catch {
    // A proxy's page: the status says all there is.
  }
  return new Problem({
    status: response.status,
    code: typeof body.code === "string" ? body.code : `http_${response.status}`,
    detail: typeof body.detail === "string" ? body.detail : `The server answered ${response.status}.`,
    requestId: typeof body.requestId === "string" ? body.requestId : response.headers.get("X-Request-Id"),
    fields: Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : [],
    retryAfter: retryAfter > 0 ? retryAfter : null,
  });
}

/** Whatever was thrown, as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: "no_answer", detail: error instanceof Error ? error.message : String(error) });
}
