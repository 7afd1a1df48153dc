import { Plus, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./Button";
import { Empty } from "./Empty";
import { Page } from "./Page";
import { Panel, type PanelQuery } from "./Panel";
import { Table, type TableProps } from "./Table";
import type { ServerList } from "./useList";

interface Props<T> extends Pick<TableProps<T>, "columns" | "controls" | "rowHeight"> {
  /** Strings of the page. With `filter`, the table has a text filter. */
  strings: { title: string; lead: string; table: string; add?: string; filter?: string; empty?: ComponentProps<typeof Empty> };
  /** The rows: of useList, or a complete list that the table may sort in the browser. */
  query: PanelQuery<T[]> & { more?: () => void; list?: ServerList };
  /** True if the query filters rows. Then an empty result does not mean that the list is empty. */
  isFiltered?: boolean;
  /** Called by the button that adds a row. Without it there is no button. */
  onAdd?: () => void;
  /** Why the person may not add a row, or null if they may. */
  refusal?: string | null;
  /** The icon of the button. Defaults to a plus. */
  icon?: LucideIcon;
  /** Height of the placeholder while the rows load. */
  placeholder?: string;
  /** The surrounding component: Page or SettingsPage. */
  frame?: (props: { title: string; lead: string; actions?: ReactNode; children: ReactNode }) => ReactNode;
  /** The dialogs that the page opens. */
  children?: ReactNode;
}

/** A page with a single table and a button that adds a row. */
export function ListPage<T extends { id: number | string }>(props: Props<T>) {
  const { strings, query, isFiltered, onAdd, refusal, icon: Icon = Plus, frame: Frame = Page, ...rest } = props;
  const { placeholder = "h-64", children, ...table } = rest;
  const button = onAdd && (
    <Button kind="primary" icon={<Icon size={14} aria-hidden />} refusal={refusal} command={strings.add} onClick={onAdd}>
      {strings.add}
    </Button>
  );
  return (
    <Frame title={strings.title} lead={strings.lead} actions={button}>
      <Panel title={strings.table} query={query} flush placeholder={placeholder}>
        {(rows) => (
          <Table
            {...table}
            label={strings.table}
            rows={rows}
            rowId={(row) => String(row.id)}
            list={query.list}
            filter={strings.filter ? { label: strings.filter } : undefined}
            onMore={query.more}
            empty={strings.empty && !isFiltered && <Empty {...strings.empty} />}
          />
        )}
      </Panel>
      {children}
    </Frame>
  );
}
