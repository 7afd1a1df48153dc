import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

/** A form that opens the page of a device, which shows the release it gets and why. */
export function TraceDevice() {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const [device, setDevice] = useState("");
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (device.trim()) void navigate({ to: "/$project/devices/$deviceId", params: { project, deviceId: device.trim() } });
      }}
    >
      <Field label={strings.trace.label} hint={strings.trace.text}>
        <input className="field font-mono" value={device} spellCheck={false} autoComplete="off" onChange={(event) => setDevice(event.target.value)} />
      </Field>
      <Button type="submit" command className="self-start">
        {strings.trace.open}
      </Button>
    </form>
  );
}
