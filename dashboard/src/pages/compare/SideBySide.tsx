import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import type { Figures } from "@/api/figures";
import { exceeds } from "@/api/overview";
import { useProject } from "@/api/project";
import { bytes, count, percent } from "@/format/format";
import { releaseName } from "@/format/releaseName";
import { LinkedFlags } from "@/pages/release/LinkedFlags";
import { strings as ofRelease } from "@/pages/release/strings";
import { LimitBadge } from "@/pages/releases/FigureCells";
import { ReleaseBadges } from "@/pages/releases/ReleaseBadges";
import { strings as frame } from "@/strings";
import { Commit } from "@/ui/Commit";
import { cx } from "@/ui/cx";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Release = Schemas["Update"];
const { facts: text, figures: of } = strings;

interface Props {
  releases: readonly [Release, Release];
  figures: Map<number, Figures>;
}

/** Shows facts and figures of two releases in two columns. */
export function SideBySide({ releases, figures }: Props) {
  const { slug: project } = useProject();
  const row = (label: string, cell: (release: Release, figures: Figures | undefined) => ReactNode) => (
    <div role="row" key={label} className="grid grid-cols-2 gap-x-4 gap-y-0.5 border-b px-3 py-2 last:border-b-0 sm:grid-cols-[10rem_1fr_1fr]">
      <div role="rowheader" className="col-span-2 text-xs text-muted sm:col-span-1 sm:text-sm">
        {label}
      </div>
      {releases.map((release) => (
        <div role="cell" key={release.id} className="min-w-0 break-words">
          {cell(release, figures.get(release.id))}
        </div>
      ))}
    </div>
  );
  return (
    <div role="table" aria-label={strings.sides.title}>
      {row(text.release, (release, known) => (
        <>
          <Link to="/$project/releases/$id" params={{ project, id: String(release.id) }} className="font-medium text-link hover:underline">
            {releaseName(release)}
          </Link>{" "}
          <ReleaseNumber id={release.id} />
          <span className="mt-1 flex flex-wrap gap-1 empty:hidden">
            <LimitBadge figures={known} />
            <ReleaseBadges release={release} />
          </span>
        </>
      ))}
      {row(text.version, (release) => release.runtimeVersion)}
      {row(text.target, (release) => [frame.platforms[release.platform], release.channel ?? release.branchName].join(" · "))}
      {row(text.share, (release) => (release.isEnabled ? percent(release.rolloutPercentage) : text.off))}
      {row(text.published, (release) => (
        <Time at={release.createdAt} exact />
      ))}
      {row(text.commit, (release) => (
        <Commit hash={release.gitCommitHash} author={release.gitAuthor} />
      ))}
      {row(text.size, (release) => ofRelease.facts.filesOf(count(release.assetCount), bytes(release.sizeBytes)))}
      {row(text.devices, (_, known) => (
        <Rate
          value={count(known?.devices)}
          note={known && (known.percentage === null ? of.noTargets : of.ofTargets(percent(known.percentage, "share"), count(known.targetDevices)))}
        />
      ))}
      {row(text.crashFree, (_, known) => {
        const isPast = exceeds(known?.crashRate, known?.crashLimit);
        return <Rate value={known?.reportedDevices === 0 ? frame.noReports : percent(known?.crashFreePercentage)} isPast={isPast} note={known && noteOf(known, of.lowest(percent(100 - known.crashLimit.rate), isPast))} />;
      })}
      {row(text.errors, (_, known) => {
        const isPast = exceeds(known?.errorRate, known?.errorLimit);
        return <Rate value={known?.reportedDevices === 0 ? frame.noReports : percent(known?.errorRate)} isPast={isPast} note={known && noteOf(known, of.highest(percent(known.errorLimit.rate), isPast))} />;
      })}
      {row(text.flags, (release) => (release.linkedFlags.length > 0 ? <LinkedFlags flags={release.linkedFlags} /> : <span className="text-muted">{text.noFlags}</span>))}
    </div>
  );
}

const noteOf = ({ reportedDevices }: Figures, limit: string) => (reportedDevices === 0 ? of.none : `${of.of(count(reportedDevices))}; ${limit}`);

function Rate({ value, note, isPast = false }: { value: string; note?: string; isPast?: boolean }) {
  return (
    <>
      <span className={cx("font-semibold tabular-nums", isPast && "text-bad")}>{value}</span>
      {/* Without figures the line stays, so that the rows below do not move when they arrive. */}
      <p className="min-h-4 text-xs text-faint">{note}</p>
    </>
  );
}
