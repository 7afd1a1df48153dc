import { stripSearchParams, type SearchSchemaInput } from "@tanstack/react-router";

/** A parameter of a page's address: its value when the address does not have it, and the values that the page accepts. */
export interface Parameter<Value extends string | undefined = string> {
  initial: Value;
  accepts: (text: string) => boolean;
}

type Declared = Record<string, Parameter<string | undefined>>;
type Values<P extends Declared> = { [Name in keyof P]: P[Name]["initial"] };

const uuids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const matching = (accepts: (text: string) => boolean): Parameter => ({ initial: "", accepts });

/** Declares a text that the server may be asked for as it is, such as a search or the name of a channel. */
export const text = (initial = ""): Parameter => ({ initial, accepts: () => true });

/** Declares a text that differs from an empty one when the address does not have it. */
export const optional = (): Parameter<string | undefined> => ({ initial: undefined, accepts: () => true });

/** Declares the ID of a record. */
export const id = () => matching((text) => /^\d{1,15}$/.test(text));

/** Declares a UUID, such as an update ID. */
export const uuid = () => matching((text) => uuids.test(text));

/** Declares a time as RFC 3339. */
export const time = () => matching((text) => times.test(text) && !Number.isNaN(Date.parse(text)));

/** Declares a choice. Without `initial`, the parameter is empty at first. */
export function oneOf<const Value extends string>(values: readonly Value[], initial: NoInfer<Value>): Parameter<Value>;
export function oneOf<const Value extends string>(values: readonly Value[]): Parameter<Value | "">;
export function oneOf(values: readonly string[], initial = ""): Parameter {
  return { initial, accepts: (text) => values.includes(text) };
}

/** Declares the order of a table: a field of its records, with a leading `-` for descending order. Without it, the table has its own order. */
export function order<const Field extends string>(...fields: Field[]): Parameter<Field | `-${Field}` | ""> {
  return { initial: "", accepts: (text) => fields.includes(text.replace(/^-/, "") as Field) };
}

/** Declares the search and the order of a list on the server, for useList. */
export const list = <const Field extends string>(...fields: Field[]) => ({ search: text(), sort: order(...fields) });

/**
 * Returns the options of a route that reads these parameters. A value that the page does not accept becomes the initial value.
 * Initial values are left out of the address.
 */
export function reading<const P extends Declared>(declared: P) {
  const initial = Object.fromEntries(Object.entries(declared).map(([name, each]) => [name, each.initial])) as Values<P>;
  const read = (search: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(declared).map(([name, each]) => {
        const value = search[name];
        return [name, typeof value === "string" && each.accepts(value) ? value : each.initial];
      }),
    ) as Values<P>;
  return {
    validateSearch: (search: Partial<Values<P>> & SearchSchemaInput): Values<P> => read(search),
    search: { middlewares: [stripSearchParams<Values<P>>(initial as never)] },
  };
}
