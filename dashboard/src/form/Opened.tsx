import type { ReactNode } from "react";
import { useTagged, type Tagged } from "@/api/tagged";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Placeholder } from "@/ui/Panel";

interface Props<T> {
  path: string;
  params?: Record<string, string | number>;
  title: string;
  onClose: () => void;
  /** Renders the dialog for the record with its ETag. `refetch` loads the record again. */
  children: (stored: Tagged<T>, refetch: () => Promise<unknown>) => ReactNode;
}

/** Loads the stored record when a dialog for it opens, because lists do not contain ETags. */
export function Opened<T>({ path, params, title, onClose, children }: Props<T>) {
  const { data, error, refetch } = useTagged<T>(path, params);
  if (data) return children(data, refetch);
  return (
    <Dialog open onClose={onClose} title={title}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Placeholder />}
    </Dialog>
  );
}
