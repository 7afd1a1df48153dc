import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { asProblem } from "@/api/problem";
import { peopleClient, queries, useMe } from "@/app/session";
import { Button } from "@/ui/Button";
import { Coded } from "@/ui/Coded";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

/** The decision of the person about a terminal. */
export interface Decided {
  isConfirmed: boolean;
  machine: string;
}

/** Shows the terminal that waits with a code. It gets a session only when the person confirms. */
export function Decision({ code, onDecided, onOther }: { code: string; onDecided: (decided: Decided) => void; onOther: () => void }) {
  const query = useQuery(
    {
      queryKey: ["terminal", code],
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
      queryFn: async ({ signal }) => (await peopleClient.GET("/v1/auth/terminal-logins/{code}", { signal, params: { path: { code } } })).data!,
    },
    queries,
  );
  return (
    <>
      <Panel title={strings.compare} query={query} placeholder="h-56">
        {(terminal) => <Compared terminal={terminal} onDecided={onDecided} />}
      </Panel>
      <Button kind="quiet" className="self-start" onClick={onOther}>
        {strings.another}
      </Button>
    </>
  );
}

function Compared({ terminal, onDecided }: { terminal: Schemas["TerminalLogin"]; onDecided: (decided: Decided) => void }) {
  const me = useMe();
  const [busy, setBusy] = useState<"confirm" | "refuse" | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const decide = async (decision: "confirm" | "refuse") => {
    setBusy(decision);
    setFailure(null);
    const params = { params: { path: { code: terminal.code } } };
    try {
      if (decision === "confirm") await peopleClient.POST("/v1/auth/terminal-logins/{code}/confirm", params);
      else await peopleClient.POST("/v1/auth/terminal-logins/{code}/refuse", params);
      onDecided({ isConfirmed: decision === "confirm", machine: terminal.name });
    } catch (error) {
      setFailure(asProblem(error));
    } finally {
      setBusy(null);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-md bg-selected px-3 py-4 text-center font-mono text-3xl font-semibold tracking-widest select-all">{terminal.code}</p>
      <Facts
        facts={[
          [
            strings.machine,
            <>
              <span className="font-medium wrap-anywhere">{terminal.name}</span> <span className="text-muted">({strings.unverified})</span>
            </>,
          ],
          [
            strings.address,
            <>
              <span className="font-mono wrap-anywhere">{terminal.address}</span>{" "}
              {terminal.sameNetwork ? <span className="text-muted">({strings.sameNetwork})</span> : <span className="font-medium text-warn">{strings.otherNetwork}</span>}
            </>,
          ],
          [strings.requested, <Time key="requested" at={terminal.createdAt} />],
          [strings.account, <span key="account" className="wrap-anywhere">{me.data?.user?.email ?? ""}</span>],
        ]}
      />
      <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
        <Coded text={strings.warning} />
      </p>
      {failure != null && <Failure slim title={strings.notDone} error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={busy === "confirm"} onClick={() => void decide("confirm")}>
          {strings.confirm}
        </Button>
        <Button busy={busy === "refuse"} onClick={() => void decide("refuse")}>
          {strings.refuse}
        </Button>
      </div>
    </div>
  );
}
