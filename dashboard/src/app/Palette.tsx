import { Autocomplete } from "@base-ui/react/autocomplete";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useApi, useProject } from "@/api/project";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { strings } from "@/strings";
import { Dialog } from "@/ui/Dialog";
import { pages, type NavItem } from "./navigation";
import { useSettled } from "@/ui/useSettled";
import { isFoundBy } from "./isFoundBy";
import { useRegistered } from "./shortcuts";

interface Line {
  id: string;
  label: string;
  note?: string;
  /** A second line under the label. */
  detail?: string;
  run: () => void;
}

/** The command palette: pages, commands that pages add, and matching releases, flags and devices. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { slug } = useProject();
  const api = useApi();
  const navigate = useNavigate();
  const { commands } = useRegistered();
  const [text, setText] = useState("");
  const search = text.trim();
  // The search is sent when typing pauses.
  const asked = useSettled(search, 200);
  const searching = { enabled: asked.length >= 2, staleTime: 10_000, retry: false } as const;
  const releases = api.useQuery("get", "/v1/ota/updates", { params: { query: { search: asked, limit: 5 } } }, searching);
  const flags = api.useQuery("get", "/v1/ota/flags", { params: { query: { search: asked, limit: 5 } } }, searching);
  const devices = api.useQuery("get", "/v1/ota/devices", { params: { query: { search: asked, limit: 5 } } }, searching);
  // Records that match an earlier text are not listed: Enter would open one of them.
  const isSettled = asked === search;
  const isSearching = search.length >= 2 && (!isSettled || releases.isLoading || flags.isLoading || devices.isLoading);

  const lines = useMemo<Line[]>(() => {
    const open = (path: string) => () => void navigate({ to: `/${slug}/${path}` as "/" });
    // Each label is listed once. A command of the page is listed instead of the frame's command with the same label.
    const first = (label: string) => {
      const same = commands.filter((each) => each.label === label);
      return same.find((each) => !each.id.startsWith("frame ")) ?? same[0];
    };
    const matches = (label: string) => isFoundBy(label, search);
    const found = commands.filter((each) => matches(each.label));
    const isOf = (page: NavItem) => matches(page.label) || (found.length === 0 && search !== "" && matches(page.does ?? ""));
    return [
      ...found
        .filter((each) => each === first(each.label))
        .map((each) => ({ ...each, id: `command ${each.id}`, note: strings.palette.commands })),
      ...pages.filter(isOf).map((page) => ({ id: `page ${page.path}`, label: page.label, detail: matches(page.label) ? undefined : page.does, run: open(page.path) })),
      ...(search.length >= 2 && isSettled
        ? [
            ...(releases.data ?? []).map((each) => ({
              id: `release ${each.id}`,
              label: releaseName(each),
              note: [strings.nav.releases, strings.platforms[each.platform], each.branchName, releaseNumber(each.id)].join(" · "),
              run: open(`releases/${each.id}`),
            })),
            ...(flags.data ?? []).map((each) => ({ id: `flag ${each.id}`, label: each.key, note: strings.nav.flags, run: open(`flags/${each.id}`) })),
            ...(devices.data ?? []).map((each) => ({
              id: `device ${each.deviceId}`,
              label: each.deviceId,
              note: strings.nav.devices,
              run: open(`devices/${encodeURIComponent(each.deviceId)}`),
            })),
          ]
        : []),
    ];
  }, [commands, search, isSettled, releases.data, flags.data, devices.data, navigate, slug]);

  return (
    <Dialog open onClose={onClose} title={strings.palette.title}>
      <Autocomplete.Root
        inline
        open
        items={lines}
        filter={null}
        autoHighlight="always"
        value={text}
        onValueChange={setText}
        itemToStringValue={(line: Line) => line.label}
      >
        <Autocomplete.Input autoFocus aria-label={strings.palette.title} placeholder={strings.palette.placeholder} className="field" />
        <Autocomplete.Empty className="text-muted empty:hidden">{<p className="py-6 text-center">{isSearching ? strings.palette.searching : strings.palette.none}</p>}</Autocomplete.Empty>
        <Autocomplete.List className="-mx-2 mt-2 max-h-80 overflow-y-auto">
          {(line: Line) => (
            <Autocomplete.Item
              key={line.id}
              value={line}
              onClick={() => {
                onClose();
                line.run();
              }}
              className="flex min-h-9 items-center gap-3 rounded-md px-2 -outline-offset-1 outline-edge data-highlighted:bg-hover data-highlighted:outline"
            >
              <span className="min-w-0 truncate">
                {line.label}
                {line.detail && <span className="block pb-1 text-xs break-words whitespace-normal text-muted">{line.detail}</span>}
              </span>
              {line.note && <span className="ml-auto shrink-0 text-xs text-faint">{line.note}</span>}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
      <p className="mt-2 text-xs text-faint">{strings.palette.hint}</p>
    </Dialog>
  );
}
