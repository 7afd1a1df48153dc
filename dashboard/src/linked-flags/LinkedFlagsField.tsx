import { X } from "lucide-react";
import { Button } from "@/ui/Button";
import { Combobox } from "@/ui/Combobox";
import { Select } from "@/ui/Select";
import { choicesOf, linkOf, type Link } from "./links";
import { strings } from "./strings";

interface Props {
  links: Link[];
  disabled?: boolean;
  onChange: (links: Link[]) => void;
}

/** The flags that a release sets while it is out, with a value for each. */
export function LinkedFlagsField({ links, disabled, onChange }: Props) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" disabled={disabled}>
      <legend className="mb-1 text-xs font-medium">{strings.title}</legend>
      {links.map((link, index) => (
        <div key={link.flag.id} className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-mono text-xs">{link.flag.key}</span>
          <Select
            label={strings.value(link.flag.key)}
            value={link.choice}
            onChange={(choice) => onChange(links.with(index, { ...link, choice }))}
            options={choicesOf(link.flag)}
          />
          <Button
            size="sm"
            kind="quiet"
            aria-label={strings.remove(link.flag.key)}
            icon={<X size={14} aria-hidden />}
            onClick={() => onChange(links.filter((each) => each !== link))}
          />
        </div>
      ))}
      <Combobox
        key={links.map(({ flag }) => flag.id).join(" ")}
        of="flag"
        label={strings.add}
        placeholder={strings.add}
        value=""
        disabled={disabled}
        except={links.map(({ flag }) => String(flag.id))}
        className="w-full"
        onChange={(_, flag) => flag && onChange([...links, linkOf(flag)])}
      />
      <p className="text-xs text-muted">{strings.hint}</p>
    </fieldset>
  );
}
