import { exceeds, type Stream } from "@/api/overview";
import { count, percent } from "@/format/format";
import { releaseNumber, releaseTitle } from "@/format/releaseName";
import { Figure } from "@/ui/Figure";
import { strings } from "./strings";

type Served = Stream["served"][number];

/** Shows how the releases do that the target is served now. If it is served several, such as during a rollout, each has a row. */
export function HealthOfStream({ row }: { row: Stream }) {
  const isOne = row.served.length === 1;
  return (
    <div className="grid grid-cols-3 gap-x-6 gap-y-2 lg:w-96">
      <Figure label={strings.devices} value={count(row.devices)} />
      {row.served.map((served, index) => (
        <HealthOfRelease key={served.updateId} served={served} name={isOne ? null : nameOf(row, served)} isFirst={index === 0} />
      ))}
    </div>
  );
}

function HealthOfRelease({ served, name, isFirst }: { served: Served; name: string | null; isFirst: boolean }) {
  const { devices, crashFreePercentage, crashRate, crashLimit, errorRate, errorLimit } = served;
  const isCrashing = exceeds(crashRate, crashLimit);
  const isFailing = exceeds(errorRate, errorLimit);
  const ofDevices = devices === null ? null : strings.ofDevices(count(devices));
  const note = (limit: string | false) => [ofDevices, limit].filter(Boolean).join(", ");
  return (
    <>
      {!isFirst && <span />}
      <Figure
        label={[strings.crashFree, name].filter(Boolean).join(" ")}
        value={percent(crashFreePercentage)}
        tone={isCrashing ? "bad" : "plain"}
        note={note(isCrashing && strings.crashLimit[crashLimit.source](percent(100 - crashLimit.rate)))}
      />
      <Figure
        label={[strings.errors, name].filter(Boolean).join(" ")}
        value={percent(errorRate)}
        tone={isFailing ? "bad" : "plain"}
        note={note(isFailing && strings.errorLimit[errorLimit.source](percent(errorLimit.rate)))}
      />
    </>
  );
}

/** Returns the message of a release that the target is served. It appends the number if another served release has the same message. */
function nameOf(row: Stream, { updateId }: Served): string {
  if (updateId === null) return strings.embedded;
  const title = titleOf(row, updateId);
  const isUnique = row.served.every((other) => other.updateId === null || other.updateId === updateId || titleOf(row, other.updateId) !== title);
  return isUnique ? title : `${title} ${releaseNumber(updateId)}`;
}

function titleOf(row: Stream, updateId: number): string {
  const known = [row.release, row.rollout, ...(row.distribution ?? []).map(({ release }) => release)].find((each) => each?.updateId === updateId);
  return known ? releaseTitle(known) : releaseNumber(updateId);
}
