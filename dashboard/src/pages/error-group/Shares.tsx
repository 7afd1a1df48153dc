import type { ReactNode } from "react";
import { count } from "@/format/format";
import { Panel, type PanelQuery } from "@/ui/Panel";
import { Track } from "@/ui/Track";
import { strings } from "./strings";

interface Row {
  key: string;
  name: ReactNode;
  devices: number;
  events: number;
}

interface Props<T> {
  title: string;
  /** Heading of the first column. */
  name: string;
  query: PanelQuery<T>;
  rowsOf: (data: T) => Row[];
  none?: string;
}

/** Shows the group's devices and events by one property. */
export function Shares<T>({ title, name, query, rowsOf, none }: Props<T>) {
  return (
    <Panel title={title} query={query} placeholder="h-24">
      {(data) => {
        const rows = rowsOf(data);
        const most = Math.max(1, ...rows.map((row) => row.events));
        if (rows.length === 0) return <p className="text-muted">{none}</p>;
        return (
          <table className="w-full table-fixed tabular-nums">
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="pb-1 text-left font-medium">
                  {name}
                </th>
                <th scope="col" className="w-16 pb-1 text-right font-medium">
                  {strings.by.devices}
                </th>
                <th scope="col" className="w-16 pb-1 text-right font-medium">
                  {strings.by.events}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key} className="align-top">
                  <th scope="row" className="py-1 pr-3 text-left font-normal break-all">
                    {row.name}
                    <Track value={(100 * row.events) / most} label={strings.by.events} />
                  </th>
                  <td className="py-1 pl-3 text-right">{count(row.devices)}</td>
                  <td className="py-1 pl-3 text-right">{count(row.events)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      }}
    </Panel>
  );
}
