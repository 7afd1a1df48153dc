import { Plus, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./Button";
import { Empty } from "./Empty";
import { Page } from "./Page";
import { Panel, type PanelQuery } from "./Panel";
import { Table, type TableProps } from "./Table";

interface Props<T> extends Pick<TableProps<T>, "columns" | "controls" | "rowHeight"> {
  /** The texts of the page. With `filter` the table has a filter of its text. */
  strings: { title: string; lead: string; table: string; add?: string; filter?: string; empty?: ComponentProps<typeof Empty> };
  query: PanelQuery<T[]> & { more?: () => void };
  /** Whether the query asks for some rows only: that it finds none does not mean that there are none. */
  isFiltered?: boolean;
  /** Opens what adds a row; without it there is no button. */
  onAdd?: () => void;
  /** Why the person may not add a row; null when they may. */
  refusal?: string | null;
  /** The icon of the button, a plus unless given. */
  icon?: LucideIcon;
  /** Height of the placeholder while the rows load. */
  placeholder?: string;
  /** What stands around it: Page, or SettingsPage. */
  frame?: (props: { title: string; lead: string; actions?: ReactNode; children: ReactNode }) => ReactNode;
  /** The dialogs that the page opens. */
  children?: ReactNode;
}

/** A page of one table, with the button that adds a row. */
export function ListPage<T extends { id: number | string }>(props: Props<T>) {
  const { strings, query, isFiltered, onAdd, refusal, icon: Icon = Plus, frame: Frame = Page, ...rest } = props;
  const { placeholder = "h-64", children, ...table } = rest;
  const button = onAdd && (
    <Button kind="primary" icon={<Icon size={14} aria-hidden />} refusal={refusal} onClick={onAdd}>
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
