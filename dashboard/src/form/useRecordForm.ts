import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import { isPending, useChange } from "@/api/change";
import type { ApiClient } from "@/api/client";
import { asProblem } from "@/api/problem";
import { etagOf, type Tagged } from "@/api/tagged";
import { rebased } from "./rebased";
import type { Rename } from "./place";
import { useFields } from "./useFields";

interface Options<T, D extends FieldValues> {
  /** The record as it is stored by now; undefined for one that is to be made. */
  stored: Tagged<T> | undefined;
  /** Of the query that has it. */
  queryKey?: QueryKey;
  draftOf: (record: T | undefined) => D;
  /** Sends the draft, with the ETag of the record that it is a change of, or as a new one with the key of its making. */
  send: (client: ApiClient, draft: D, base: Tagged<T> | undefined, idempotencyKey: string) => Promise<{ data?: unknown; response: Response }>;
  done?: string;
  /** After saving; not when the change waits for approvals. */
  onSaved?: (saved: Tagged<T>) => void;
  rename?: Rename;
}

/**
 * The form of a record that others may change, too. It is a change of the record as it was loaded (`base`), and saving it is
 * refused when another one is stored by now. Somebody else's change shows at once while nothing is edited; else
 * `isOvertaken` says so, and `load` takes theirs, or `keep` goes on with what was edited over theirs.
 */
export function useRecordForm<T, D extends FieldValues>({ stored, queryKey, draftOf, send, done, onSaved, rename }: Options<T, D>) {
  const queries = useQueryClient();
  const [base, setBase] = useState(stored);
  const save = useChange<D, Tagged<T>>({
    run: async (client, draft, key) => {
      try {
        const { data, response } = await send(client, draft, base, key);
        return { data: isPending(data) ? (data as never) : { record: data as T, etag: etagOf(response) } };
      } catch (error) {
        // Who was faster is told together with what they stored.
        if (asProblem(error).status === 412 && queryKey) await queries.refetchQueries({ queryKey, exact: true });
        throw error;
      }
    },
    done,
    onDone: (saved) => {
      if (isPending(saved)) return;
      if (queryKey) queries.setQueryData(queryKey, saved);
      if (base) load(saved);
      onSaved?.(saved);
    },
  });
  const isBehind = base !== undefined && stored !== undefined && base.etag !== stored.etag && !save.isPending;
  const problem = save.error?.status === 412 && isBehind ? null : save.error;
  const fields = useFields<D>({ defaults: draftOf(base?.record), submit: save.mutate, problem, rename });
  const { form, isDirty } = fields;
  const load = (next: Tagged<T> | undefined) => {
    setBase(next);
    form.reset(draftOf(next?.record));
    save.reset();
  };
  // The button that was pressed goes away with its question.
  const focusForm = () => fields.props.ref.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  useEffect(() => {
    if (isBehind && !isDirty) load(stored);
  });
  return {
    base,
    fields,
    save,
    isOvertaken: isBehind && isDirty,
    /** Shows the record as it is stored; what was edited is lost. */
    load: () => {
      load(stored);
      focusForm();
    },
    /** Goes on with what was edited, over the stored record. */
    keep: () => {
      const mine = rebased(draftOf(base?.record), form.getValues(), draftOf(stored?.record));
      load(stored);
      form.reset(mine as DefaultValues<D> as D, { keepDefaultValues: true });
      focusForm();
    },
  };
}
