import { useState } from "react";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { TypedArea } from "@/ui/TypedArea";
import { TypedInput } from "@/ui/TypedInput";
import { usePageSearch } from "@/ui/usePageSearch";
import { attributesOf, contextOf } from "./context";
import { strings } from "./strings";

const text = strings.context;

interface Props {
  channels: string[];
  isBusy: boolean;
  onAsk: (context: Record<string, unknown>) => void;
}

/** The form for the context that a flag is explained for. The context is in the address, so that the link can be shared. */
export function ContextForm({ channels, isBusy, onAsk }: Props) {
  const [{ targetingKey, channel = channels[0] ?? "", platform, runtimeVersion, updateUuid, attributes }, setView] = usePageSearch("/$project/flags/$id");
  const view = { targetingKey, channel, platform, runtimeVersion, updateUuid, attributes };
  const [isAsked, setIsAsked] = useState(false);
  const isWrong = attributesOf(view.attributes) === null;
  const input = (name: "targetingKey" | "runtimeVersion" | "updateUuid") => (
    <TypedInput className="field" spellCheck={false} autoCapitalize="off" value={view[name]} onText={(typed) => setView({ [name]: typed })} />
  );
  return (
    <form
      className="flex min-w-0 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setIsAsked(true);
        const context = contextOf(view);
        if (context && !isBusy) onAsk(context);
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label={text.targetingKey}>{input("targetingKey")}</Field>
        <Field label={text.channel}>
          <Select
            className="w-full"
            value={view.channel}
            onChange={(channel) => setView({ channel })}
            options={[...channels.map((name) => ({ value: name, label: name })), { value: "", label: text.noChannel }]}
          />
        </Field>
        <Field label={text.platform}>
          <Select
            className="w-full"
            value={view.platform}
            onChange={(platform) => setView({ platform })}
            options={[
              { value: "", label: text.anyPlatform },
              { value: "ios", label: "iOS" },
              { value: "android", label: "Android" },
            ]}
          />
        </Field>
        <Field label={text.runtimeVersion}>{input("runtimeVersion")}</Field>
      </div>
      <Field label={text.updateUuid}>{input("updateUuid")}</Field>
      <Field label={text.attributes} error={isAsked && isWrong ? text.notJSON : null}>
        <TypedArea
          className="field h-24 py-1.5 font-mono text-xs"
          spellCheck={false}
          placeholder={'{"plan": "pro", "age": 36}'}
          value={view.attributes}
          onText={(attributes) => setView({ attributes })}
        />
      </Field>
      <Button kind="primary" type="submit" className="self-start" busy={isBusy}>
        {text.ask}
      </Button>
    </form>
  );
}
