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
  /** The record as stored now, or undefined for a new record. */
  stored: Tagged<T> | undefined;
  /** Key of the query that loads the record. */
  queryKey?: QueryKey;
  draftOf: (record: T | undefined) => D;
  /** Sends the draft: with the ETag of `base` to change a record, or with the idempotency key to create one. */
  send: (client: ApiClient, draft: D, base: Tagged<T> | undefined, idempotencyKey: string) => Promise<{ data?: unknown; response: Response }>;
  done?: string;
  /** Called after saving, but not if the change waits for approvals. */
  onSaved?: (saved: Tagged<T>) => void;
  rename?: Rename;
}

/**
 * Manages the form of a record that other people may change too. The draft is a change of the record as it was loaded (`base`).
 * Saving is refused if the stored record has changed since. A change by someone else shows immediately while nothing is edited.
 * Otherwise `isOvertaken` is true: `load` discards the edits, and `keep` applies them on top of the stored record.
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
        // Load the other person's record first, so that their name and their values appear together.
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
  // The pressed button disappears with its question, so move focus to the form.
  const focusForm = () => fields.props.ref.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  useEffect(() => {
    if (isBehind && !isDirty) load(stored);
  });
  return {
    base,
    fields,
    save,
    isOvertaken: isBehind && isDirty,
    /** Shows the stored record and discards the edits. */
    load: () => {
      load(stored);
      focusForm();
    },
    /** Keeps the edits, on top of the stored record. */
    keep: () => {
      const mine = rebased(draftOf(base?.record), form.getValues(), draftOf(stored?.record));
      load(stored);
      form.reset(mine as DefaultValues<D> as D, { keepDefaultValues: true });
      focusForm();
    },
  };
}
