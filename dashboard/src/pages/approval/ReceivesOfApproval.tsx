import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { percent } from "@/format/format";
import { releaseTitle } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import { Panel } from "@/ui/Panel";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { strings } from "./strings";

type Offer = Schemas["Offer"];

/** Shows how the call changes the releases that devices get, which is what an approval covers. */
export function ReceivesOfApproval({ approval }: { approval: Schemas["Approval"] }) {
  if (approval.receives.length === 0) return null;
  return (
    <Panel title={strings.receives}>
      <p className="text-muted">{strings.order}</p>
      <ul className="mt-2 divide-y">
        {approval.receives.map((change) => {
          const place = strings.place(change.channel, frame.platforms[change.platform], change.runtimeVersion);
          return (
            <li key={place} className="py-2">
              <p className="font-medium break-words">{place}</p>
              <div className="mt-1 grid gap-3 sm:grid-cols-2">
                <Offers title={strings.before} offers={change.before} />
                <Offers title={strings.after} offers={change.after} />
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Offers({ title, offers }: { title: string; offers: Offer[] }) {
  const { slug: project } = useProject();
  return (
    <div className="min-w-0">
      <p className="text-xs text-muted">{title}</p>
      {offers.length === 0 ? (
        <p>{strings.nothing}</p>
      ) : (
        <ol className="list-decimal pl-5">
          {offers.map((offer, index) => (
            <li key={index} className="break-words">
              {offer.updateId === null ? (
                nameOf(offer)
              ) : (
                <>
                  <Link to="/$project/releases/$id" params={{ project, id: String(offer.updateId) }} className="text-link underline underline-offset-2">
                    {nameOf(offer)}
                  </Link>{" "}
                  <ReleaseNumber id={offer.updateId} />
                </>
              )}{" "}
              <span className="text-muted">{detailsOf(offer).join(", ")}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function nameOf(offer: Offer): string {
  if (offer.kind === "rollback_to_embedded") return strings.embedded;
  return releaseTitle(offer);
}

function detailsOf(offer: Offer): string[] {
  const details = [strings.share(percent(offer.rolloutPercentage))];
  if (offer.updateId === null) details.unshift(offer.republishedFromId === null ? strings.fresh(offer.buildId) : strings.repeated(offer.republishedFromId));
  if (offer.branchPercentage < 100) details.push(strings.ofBranch(offer.branchName, percent(offer.branchPercentage)));
  if (offer.rolloutExecutionId !== null) details.push(strings.rolling);
  if (!offer.isEnabled) details.push(strings.disabled);
  if (offer.isCritical) details.push(strings.critical);
  return details.concat(offer.linkedFlags.map((flag) => strings.flag(flag.flagKey, flag.value)));
}
