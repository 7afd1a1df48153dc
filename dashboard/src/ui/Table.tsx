import {
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  columnFilteringFeature,
  rowSortingFeature,
  sortFns,
  filterFns,
  tableFeatures,
  useTable,
  type ColumnDef,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { useMemo, useRef, type ReactNode } from "react";
import { count } from "@/format/format";
import { strings } from "@/strings";
import { cx } from "./cx";
import { Empty } from "./Empty";
import { fittingColumns, tracksOf, useWidth } from "./fittingColumns";
import { rowGroups } from "./rowGroups";
import { SearchField } from "./SearchField";
import { TypedInput } from "./TypedInput";
import type { ServerList } from "./useList";
import { useParameter } from "./useParameter";

export interface Column<T> {
  id: string;
  header: string;
  /** The field of the record by which the server sorts, in a table with `list`. Without it, the column cannot be sorted there. */
  field?: string;
  /** The value for sorting and filtering in a table without `list`. Without it, the column cannot be sorted or filtered. null sorts last. */
  value?: (row: T) => string | number | null | undefined;
  /** `group` has the rows that are shown together with the row, in order; without groups only the row. */
  cell: (row: T, group: T[]) => ReactNode;
  align?: "right";
  /** A CSS grid track, such as `minmax(8rem, 2fr)`. Defaults to 1fr. */
  width?: string;
  /** Leaves the column out if the table has no room for it. Cells show `group-data-narrow/table:` parts instead. */
  secondary?: boolean;
}

export interface TableProps<T> {
  /** The table's name for screen readers. */
  label: string;
  rows: T[];
  columns: Column<T>[];
  rowId: (row: T) => string;
  /** Rows next to each other with the same key are shown as a group, without lines between them. */
  groupOf?: (row: T) => string;
  /** The list on the server that the rows are a part of. Without it, the rows must be complete: the table sorts and filters them itself. */
  list?: ServerList;
  /** Shows a text filter above the table. Without `list`, its value is kept in the address as this parameter. */
  filter?: { param?: string; label: string };
  /** The initial order in a table without `list`: `id` of a column, or `-id` for descending. The order is kept in the address. */
  sort?: string;
  /** The address parameter for the order, for a page with two tables. */
  sortParam?: string;
  /** Further filters next to the text filter. */
  controls?: ReactNode;
  empty?: ReactNode;
  /** Loads more rows. Set if the server has more. */
  onMore?: () => void;
  /** Height of a row in pixels. */
  rowHeight?: number;
}

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns,
  filterFns,
});

/** A table with sorting and filtering, by the server with `list`. Only the visible rows are in the document, however many there are. */
export function Table<T extends object>(props: TableProps<T>) {
  const { rows, columns, rowId, rowHeight = 40, list } = props;
  const [filter, setFilter] = useParameter(props.filter?.param ?? "q");
  const [chosen, choose] = useParameter(props.sortParam ?? "sort");
  const order = list ? columnOrder(columns, list.sort) : chosen || (props.sort ?? "");
  const text = props.filter && !list ? filter : "";
  const canSort = (column: Column<T>) => (list ? column.field : column.value) !== undefined;
  const sortBy = (column: Column<T>, descending: boolean) => {
    const sign = descending ? "-" : "";
    if (list) list.onSort(sign + column.field);
    else choose(sign + column.id);
  };

  const definitions = useMemo<ColumnDef<typeof features, T>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        header: column.header,
        accessorFn: (row: T) => column.value?.(row) ?? undefined,
        enableSorting: Boolean(column.value),
        enableGlobalFilter: Boolean(column.value),
        sortUndefined: "last" as const,
      })),
    [columns],
  );
  const sorting = useMemo(() => (order ? [{ id: order.replace(/^-/, ""), desc: order.startsWith("-") }] : []), [order]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    state: { sorting, globalFilter: text },
    manualSorting: Boolean(list),
    globalFilterFn: "includesString",
    getColumnCanGlobalFilter: (column: { id: string }) => Boolean(columns.find((each) => each.id === column.id)?.value),
  });
  const shown = table.getRowModel().rows;
  const groups = rowGroups(
    shown.map(({ original }) => original),
    props.groupOf,
  );

  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => shown[index]?.id ?? index,
    overscan: 8,
    initialRect: { width: 1000, height: 640 },
  });
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const visible = useMemo(() => fittingColumns(columns, width), [columns, width]);
  const style = { "--tracks": tracksOf(visible, width) } as React.CSSProperties;
  // Adds space between a right-aligned number and a left-aligned text in the next column.
  const apart = (index: number) => visible[index]?.align !== "right" && visible[index - 1]?.align === "right" && "md:pl-4";
  const line = "grid grid-cols-(--tracks) items-center gap-x-3 px-3";

  return (
    <div ref={frame} data-narrow={visible.length < columns.length || undefined} className="group/table min-w-0">
      {(props.filter || props.controls) && (
        <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2">
          {props.filter && list && <SearchField label={props.filter.label} value={list.search} onSearch={list.onSearch} />}
          {props.filter && !list && (
            <div className="relative w-full sm:w-80">
              <Search size={14} aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
              <TypedInput
                type="search"
                aria-label={props.filter.label}
                placeholder={props.filter.label}
                value={text}
                onText={setFilter}
                className="field pl-8"
              />
            </div>
          )}
          {props.controls}
          <span className="ml-auto text-xs text-faint" role="status">
            {strings.table.rows(count(shown.length), count(list?.total ?? rows.length))}
          </span>
        </div>
      )}
      {shown.length === 0 ? (
        (rows.length === 0 && !list?.search && props.empty) || <Empty title={rows.length === 0 && !list?.search ? strings.table.empty : strings.table.noMatch} />
      ) : (
        <div role="table" aria-label={props.label} aria-rowcount={(list?.total ?? shown.length) + 1} style={style}>
          <div role="rowgroup" className="border-b bg-canvas">
            <div role="row" aria-rowindex={1} className={cx(line, "h-8 text-xs text-muted")}>
              {visible.map((column, index) => {
                const sorted = sorting[0]?.id === column.id ? (sorting[0].desc ? "descending" : "ascending") : undefined;
                return (
                  <div
                    key={column.id}
                    role="columnheader"
                    aria-sort={sorted ?? (canSort(column) ? "none" : undefined)}
                    className={cx("relative min-w-0 truncate", column.align === "right" && "text-right", apart(index))}
                  >
                    {canSort(column) ? (
                      <button
                        type="button"
                        title={strings.table.sortBy(column.header)}
                        onClick={() => sortBy(column, sorted !== "descending")}
                        className="inline-flex h-6 max-w-full items-center gap-1 rounded font-medium hover:text-ink"
                      >
                        <span className="truncate">{column.header}</span>
                        {sorted === "ascending" && <ArrowUp size={12} aria-hidden />}
                        {sorted === "descending" && <ArrowDown size={12} aria-hidden />}
                      </button>
                    ) : (
                      <span className={column.header ? "font-medium" : "sr-only"}>{column.header || strings.table.actions}</span>
                    )}
                  </div>
                );
              })}
            </div>
          </div>
          <div
            ref={scroller}
            role="rowgroup"
            tabIndex={virtual.getTotalSize() > 640 ? 0 : undefined}
            aria-label={virtual.getTotalSize() > 640 ? props.label : undefined}
            className="max-h-[40rem] overflow-x-hidden overflow-y-auto"
          >
            <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map((item) => {
                const row = shown[item.index];
                const group = groups[item.index];
                if (!row || !group) return null;
                const isLast = group.at(-1) === row.original;
                return (
                  <div
                    key={item.key}
                    ref={virtual.measureElement}
                    data-index={item.index}
                    role="row"
                    aria-rowindex={item.index + 2}
                    className={cx(line, "absolute inset-x-0 py-1.5 hover:bg-hover", isLast && "border-b")}
                    style={{ transform: `translateY(${item.start}px)`, minHeight: group[0] === row.original ? rowHeight : undefined }}
                  >
                    {visible.map((column, index) => (
                      <div
                        key={column.id}
                        role="cell"
                        className={cx("min-w-0", column.align === "right" && "text-right tabular-nums", apart(index))}
                      >
                        {column.cell(row.original, group)}
                      </div>
                    ))}
                  </div>
                );
              })}
            </div>
          </div>
        </div>
      )}
      {props.onMore && (
        <div className="border-t p-2 text-center">
          <button type="button" onClick={props.onMore} className="h-8 rounded-md px-3 text-muted hover:bg-hover hover:text-ink">
            {strings.table.more}
          </button>
        </div>
      )}
    </div>
  );
}

/** Returns the order by the ID of the column that has the field, or "" if no column has it. */
function columnOrder<T>(columns: Column<T>[], sort: string): string {
  const column = columns.find(({ field }) => field !== undefined && field === sort.replace(/^-/, ""));
  if (!column) return "";
  return sort.startsWith("-") ? `-${column.id}` : column.id;
}
