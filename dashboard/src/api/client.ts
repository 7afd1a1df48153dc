import createFetchClient, { type Client } from "openapi-fetch";
import { backgroundHeader, isBackground } from "./background";
import { noteAnswer, noteSilence } from "./connection";
import { exactKey } from "./exactKey";
import { Problem, problemOf } from "./problem";
import { isRefusedAnyway, noteEndedSession, noteSession, onEndedSession, reauthenticated } from "./reauthentication";
import type { components, paths } from "./schema";

/** A record of the API by the name of its schema. */
export type Schemas = components["schemas"];

export type ApiClient = Client<paths>;

/** The last response to a request without a session. */
let ended: Problem | null = null;

/**
 * Sends a request and throws a Problem if it fails. If the person has to sign in again first, repeats the request afterwards. While they
 * do not want to, requests for data are not sent.
 */
async function send(request: Request): Promise<Response> {
  const needsSession = !isSignIn(request.url);
  if (ended && needsSession && isRefusedAnyway(request.method)) throw ended;
  if (isBackground()) request.headers.set(backgroundHeader, "1");
  await exactKey(request);
  const repeat = request.clone();
  let response = await answer(request);
  if (response.status === 403) {
    const problem = await problemOf(response.clone());
    if (problem.code === "reauthentication_required" && (await reauthenticated("old"))) response = await answer(repeat);
  } else if (response.status === 401 && needsSession) {
    const reaction = onEndedSession(request.method);
    if (reaction === "leave") leaveToLogin();
    if (reaction === "ask" && (await reauthenticated("ended"))) response = await answer(repeat);
    if (response.status === 401) noteEndedSession();
  }
  if (response.status !== 401 && needsSession) noteSession();
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.status === 401) ended = problem;
  if (problem.status === 503) noteAnswer(503, problem.unavailable);
  throw problem;
}

async function answer(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    noteAnswer(response.status);
    // The response is complete except for what this part provides.
    const away = response.headers.get("Waft-Unavailable");
    if (away !== null) noteAnswer(503, away);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    noteSilence();
    throw new Problem({ status: 0, code: "no_answer", detail: "Waft is not responding." });
  }
}

/** Reports whether a 401 from this URL means a refused sign-in rather than an ended session. */
function isSignIn(url: string): boolean {
  return /^\/v1\/auth\/(login|setup|methods(\/own)?|password\/(forgot|reset)|invitations\/accept|passkeys\/login\/(begin|finish))$/.test(new URL(url).pathname);
}

/** Opens the sign-in page, which returns to the current page afterwards. */
export function leaveToLogin() {
  const here = location.pathname + location.search + location.hash;
  location.assign(`/app/login?next=${encodeURIComponent(here)}`);
}

/** Returns a client for one project, or without a project a client for accounts and the list of projects. */
export function createApiClient(project?: string): ApiClient {
  return createFetchClient<paths>({
    baseUrl: location.origin,
    headers: project ? { "X-Project": project } : {},
    fetch: send,
  });
}
