import type { SessionNote } from './session';

/** What is used of an entry of the log of expo-updates. */
export interface LogEntry {
  timestamp: number;
  message: string;
  code: string;
  level: string;
  updateId?: string;
  stacktrace?: string[];
}

/** How this launch came about, as expo-updates tells it. */
export interface Launch {
  /** The running update; null is the one inside the app. */
  updateUuid: string | null;
  isEmergencyLaunch: boolean;
  emergencyLaunchReason: string | null;
}

/** An update that failed, and why. */
export interface FailedLaunch {
  /** null is the update inside the app. */
  updateUuid: string | null;
  message: string;
  stackTrace?: string;
}

/**
 * The failed launch that expo-updates knows of and that the app did not report itself. The update is the one that the log
 * names, else the downloaded one that was to run and does not, else the one that ran when the session broke off. When none of these
 * is known there is none: the server hears of failed updates from manifest requests as well.
 */
export function failedLaunch(previous: SessionNote | undefined, launch: Launch, log: LogEntry[]): FailedLaunch | undefined {
  const failure = log.find((e) => e.timestamp > (previous?.startedAt ?? 0) && isFailure(e));
  if (!failure && !launch.isEmergencyLaunch) {
    return undefined;
  }
  if (previous?.crashed) {
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

/** iOS has a code for errors that ended the app; Android logs them without one. */
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
