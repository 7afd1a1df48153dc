import { useId, useMemo, useRef, type ButtonHTMLAttributes, type ReactNode } from "react";
import { usePaletteCommands } from "@/app/shortcuts";
import { cx } from "./cx";
import { toast } from "./toast";

type Kind = "plain" | "primary" | "danger" | "quiet";

const kinds: Record<Kind, string> = {
  plain: "border border-edge/60 bg-panel text-ink hover:bg-hover",
  primary: "border border-transparent bg-accent text-on-accent hover:opacity-88",
  danger: "border border-transparent bg-danger text-white hover:bg-danger-hover",
  quiet: "border border-transparent text-muted hover:bg-hover hover:text-ink",
};

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  kind?: Kind;
  size?: "md" | "sm";
  icon?: ReactNode;
  /** Why the button cannot be pressed. It stays reachable by keyboard, and shows the reason. */
  refusal?: string | null;
  /** True while a request runs. */
  busy?: boolean;
  /**
   * The label of a command in the palette that presses the button, or true for the button's own label. The palette does not list it while
   * the button cannot be pressed.
   */
  command?: string | true;
}

export function Button({ kind = "plain", size = "md", icon, refusal, busy, command: named, className, children, onClick, ...rest }: Props) {
  const id = useId();
  const off = Boolean(refusal) || busy;
  const command = named === true ? (rest["aria-label"] ?? String(children)) : named;
  const pressed = useRef<HTMLButtonElement>(null);
  const commands = useMemo(
    () => (command && !off ? [{ id: command, label: command, run: () => pressed.current?.click() }] : []),
    [command, off],
  );
  usePaletteCommands(commands);
  return (
    <>
      <button
        type="button"
        {...rest}
        {...(command && { ref: pressed })}
        data-command={command}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        aria-describedby={refusal ? id : rest["aria-describedby"]}
        title={refusal ?? rest.title}
        onClick={(event) => {
          if (off) {
            event.preventDefault();
            if (refusal) toast({ title: refusal });
            return;
          }
          onClick?.(event);
        }}
        className={cx(
          "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors select-none",
          size === "sm" ? "h-7 px-2 text-xs" : "h-9 px-3 text-sm sm:h-8",
          kinds[kind],
          off && "cursor-not-allowed border-dashed border-edge! bg-transparent! text-faint!",
          className,
        )}
      >
        {icon}
        {children}
      </button>
      {refusal && (
        <span id={id} hidden>
          {refusal}
        </span>
      )}
    </>
  );
}
