import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useProject } from "@/api/project";
import { runWhenShown, usePaletteCommands } from "@/app/shortcuts";
import { strings as frame } from "@/strings";

/** Offers in the palette to promote the channel. The dialog is on the page of the channels. */
export function usePromotion(channel: string, refusal: string | null) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const commands = useMemo(() => {
    const label = frame.palette.promote(channel);
    const run = () => {
      runWhenShown(label);
      void navigate({ to: "/$project/channels", params: { project }, search: { search: channel } });
    };
    return refusal ? [] : [{ id: label, label, run }];
  }, [project, navigate, channel, refusal]);
  usePaletteCommands(commands);
}
