import { strings } from "@/strings";
import { Dialog } from "@/ui/Dialog";
import { useRegistered } from "./shortcuts";

export default function Help({ onClose }: { onClose: () => void }) {
  const { shortcuts } = useRegistered();
  const rows = [{ keys: "⌘K", label: strings.help.palette }, ...shortcuts, { keys: "Esc", label: strings.help.close }];
  return (
    <Dialog open onClose={onClose} title={strings.help.title}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {rows.map((row) => (
          <div key={row.keys} className="contents">
            <dt>{row.label}</dt>
            <dd className="flex items-center justify-end gap-1 text-faint">
              {row.keys.split(" ").map((key, index) => (
                <span key={index} className="flex items-center gap-1">
                  {index > 0 && strings.help.then}
                  <kbd className="rounded border px-1.5 font-mono text-xs text-ink">{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
