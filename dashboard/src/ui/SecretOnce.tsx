import { strings } from "@/strings";
import { Command } from "./Command";

/** Shows a secret that the server does not show again. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-warn-soft p-3">
      <p className="font-medium text-warn">{strings.secret.once}</p>
      <Command line={secret} />
    </div>
  );
}
