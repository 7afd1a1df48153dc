import { useState } from "react";
import { useApi } from "@/api/project";
import { Check } from "@/ui/Check";
import { Failure } from "@/ui/Failure";
import { strings } from "./strings";

const text = strings.form;
const all = "*";

/** A form field to choose the events of a webhook. */
export function EventChoice({ chosen, onChange, error }: { chosen: string[]; onChange: (events: string[]) => void; error: string | null }) {
  const query = useApi().useQuery("get", "/v1/ota/webhooks/events");
  const { refetch } = query;
  const [search, setSearch] = useState("");
  const getsAll = chosen.includes(all);
  const shown = (query.data ?? []).filter((each) => each.subscribable && each.event.includes(search.trim().toLowerCase()));
  const toggle = (event: string, on: boolean) => onChange(on ? [...chosen, event] : chosen.filter((each) => each !== event));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-xs font-medium">{text.events}</legend>
      <Check label={text.allEvents} checked={getsAll} onChange={(event) => onChange(event.target.checked ? [all] : [])} />
      {!getsAll && (
        <>
          <input type="search" className="field" aria-label={text.search} placeholder={text.search} value={search} onChange={(event) => setSearch(event.target.value)} />
          {query.isError && <Failure error={query.failureReason} onRetry={() => void refetch()} />}
          <div className="max-h-56 overflow-y-auto rounded-md border p-2" tabIndex={0} role="group" aria-label={text.events}>
            {shown.map((each) => (
              <Check
                key={each.event}
                checked={chosen.includes(each.event)}
                onChange={(event) => toggle(each.event, event.target.checked)}
                label={
                  <>
                    <code className="font-mono text-xs">{each.event}</code> <span className="text-xs text-muted">{each.description}</span>
                  </>
                }
              />
            ))}
          </div>
        </>
      )}
      {error && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
