import type { ReactNode } from "react";
import { Command } from "./Command";

/** Replaces an empty list: shows what is missing, how to get it, and the exact command line. */
export function Empty(props: { title: string; text?: ReactNode; command?: string; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-2 px-4 py-8 text-center">
      <p className="font-medium">{props.title}</p>
      {props.text && <p className="text-muted">{props.text}</p>}
      {props.command && (
        <div className="mt-2 w-full">
          <Command line={props.command} />
        </div>
      )}
      {props.action && <div className="mt-2">{props.action}</div>}
    </div>
  );
}
