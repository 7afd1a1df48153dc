import { exceeds, type Stream } from "@/api/overview";
import { count, percent } from "@/format/format";
import { releaseNumber, releaseTitle } from "@/format/releaseName";
import { Figure, NoReports } from "@/ui/Figure";
import { strings } from "./strings";

type Served = Stream["served"][number];

/** Shows how the releases do that the target is served now. If it is served several, such as during a rollout, each has a row. */
export function HealthOfStream({ row }: { row: Stream }) {
  const isOne = row.served.length === 1;
  return (
    <div className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-6 lg:w-96">
      <Figure label={strings.devices} value={count(row.devices)} />
      <div className="flex min-w-0 flex-col gap-3">
        {row.served.map((served) => (
          <HealthOfRelease key={served.updateId} served={served} name={isOne ? null : nameOf(row, served)} />
        ))}
      </div>
    </div>
  );
}

function HealthOfRelease({ served, name }: { served: Served; name: string | null }) {
  const { devices, crashFreePercentage, crashRate, crashLimit, errorRate, errorLimit } = served;
  const isCrashing = exceeds(crashRate, crashLimit);
  const isFailing = exceeds(errorRate, errorLimit);
  const ofRelease = name && <span className="sr-only"> {name}</span>;
  return (
    <div className="grid grid-cols-2 gap-x-6">
      {name && (
        <p aria-hidden className="col-span-2 truncate text-xs font-medium">
          {name}
        </p>
      )}
      <Figure
        label={<>{strings.crashFree}{ofRelease}</>}
        value={devices === 0 ? <NoReports /> : percent(crashFreePercentage)}
        tone={isCrashing ? "bad" : "plain"}
        note={isCrashing && strings.crashLimit[crashLimit.source](percent(100 - crashLimit.rate))}
      />
      <Figure
        label={<>{strings.errors}{ofRelease}</>}
        value={devices === 0 ? <NoReports /> : percent(errorRate)}
        tone={isFailing ? "bad" : "plain"}
        note={isFailing && strings.errorLimit[errorLimit.source](percent(errorLimit.rate))}
      />
      {devices !== null && devices > 0 && <p className="col-span-2 text-xs text-faint">{strings.ofDevices(count(devices))}</p>}
    </div>
  );
}

/** Returns the message of a release that the target is served. It appends the number if another served release has the same message. */
function nameOf(row: Stream, { updateId, release }: Served): string {
  if (updateId === null || release === null) return strings.embedded;
  const title = releaseTitle(release);
  const isUnique = row.served.every((other) => other.release === null || other.updateId === updateId || releaseTitle(other.release) !== title);
  return isUnique ? title : `${title} ${releaseNumber(updateId)}`;
}
