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
  /** The dialog, of the record with its ETag. `refetch` asks for it again. */
  children: (stored: Tagged<T>, refetch: () => Promise<unknown>) => ReactNode;
}

/** Asks for the record that a dialog is about as it is stored when the dialog opens: lists have no ETags. */
export function Opened<T>({ path, params, title, onClose, children }: Props<T>) {
  const { data, error, refetch } = useTagged<T>(path, params);
  if (data) return children(data, refetch);
  return (
    <Dialog open onClose={onClose} title={title}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Placeholder />}
    </Dialog>
  );
}
