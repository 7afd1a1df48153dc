import { setPreferences, usePreferences } from "@/format/preferences";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { commandKeys } from "./platform";
import { useRegistered } from "./shortcuts";

export default function Help({ onClose }: { onClose: () => void }) {
  const { shortcuts } = useRegistered();
  const isOn = usePreferences().shortcuts === "on";
  const rows = [{ keys: commandKeys("K"), isOne: true, label: strings.help.palette }, ...(isOn ? shortcuts : []), { keys: "Esc", label: strings.help.close }];
  return (
    <Dialog open onClose={onClose} title={strings.help.title}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {rows.map((row) => (
          <div key={row.keys} className="contents">
            <dt>{row.label}</dt>
            <dd className="flex items-center justify-end gap-1 text-faint">
              {("isOne" in row ? [row.keys] : row.keys.split(" ")).map((key, index) => (
                <span key={index} className="flex items-center gap-1">
                  {index > 0 && strings.help.then}
                  <kbd className="rounded border px-1.5 font-mono text-xs text-ink">{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">{!isOn && strings.help.off}</p>
        <Button size="sm" onClick={() => setPreferences({ shortcuts: isOn ? "off" : "on" })}>
          {isOn ? strings.help.turnOff : strings.help.turnOn}
        </Button>
      </div>
    </Dialog>
  );
}
