import type { SessionNote } from './session';

/** The fields of a log entry of expo-updates that this package uses. */
export interface LogEntry {
  timestamp: number;
  message: string;
  code: string;
  level: string;
  updateId?: string;
  stacktrace?: string[];
}

/** How this launch came about, according to expo-updates. */
export interface Launch {
  /** The running update, or null for the embedded update. */
  updateUuid: string | null;
  isEmergencyLaunch: boolean;
  emergencyLaunchReason: string | null;
}

/** An update that failed, and why. */
export interface FailedLaunch {
  /** The update ID, or null for the embedded update. */
  updateUuid: string | null;
  message: string;
  stackTrace?: string;
}

/** An entry of the log that follows a reported crash within this time is about that crash. */
const sameCrashMs = 10_000;

/**
 * Returns the failed launch that expo-updates has recorded and that the app did not report itself. The failed update is the update
 * in the log, otherwise the downloaded update that should run now and does not, otherwise the update of the interrupted session.
 * Returns undefined if the update is unknown: the server also learns of failed updates from manifest requests.
 */
export function failedLaunch(previous: SessionNote | undefined, launch: Launch, log: LogEntry[]): FailedLaunch | undefined {
  const crashedAt = previous?.crashedAt;
  const since = Math.max(previous?.startedAt ?? 0, crashedAt === undefined ? 0 : crashedAt + sameCrashMs);
  const failure = log.find((e) => e.timestamp > since && isFailure(e));
  if (!failure && (!launch.isEmergencyLaunch || crashedAt !== undefined)) {
    return undefined;
  }
  const updateUuid = named(failure, launch) ?? pending(previous, launch) ?? brokenOff(previous);
  if (updateUuid === undefined) {
    return undefined;
  }
  const stackTrace = failure?.stacktrace?.join('\n');
  return {
    updateUuid,
    message: failure?.message ?? launch.emergencyLaunchReason ?? 'expo-updates made an emergency launch',
    ...(stackTrace ? { stackTrace } : {}),
  };
}

/** Returns true if the entry is about an error that ended the app. iOS logs such errors with a code, Android without a code. */
function isFailure(entry: LogEntry): boolean {
  const isError = entry.level === 'error' || entry.level === 'fatal';
  return isError && (entry.code === 'JSRuntimeError' || entry.message.includes('ErrorRecovery'));
}

function named(failure: LogEntry | undefined, launch: Launch): string | undefined {
  const id = failure?.updateId?.toLowerCase();
  return id !== undefined && id !== '' && id !== launch.updateUuid ? id : undefined;
}

function pending(previous: SessionNote | undefined, launch: Launch): string | undefined {
  return previous?.pendingUpdate === launch.updateUuid ? undefined : previous?.pendingUpdate;
}

function brokenOff(previous: SessionNote | undefined): string | null | undefined {
  return previous && !previous.ended ? previous.origin.updateUuid : undefined;
}
