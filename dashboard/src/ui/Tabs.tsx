import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { useParameter } from "./useParameter";

interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

/** Tabs whose selection is kept in the address, by default as `tab`. The first tab is the default. */
export function Tabs({ label, tabs, param = "tab" }: { label: string; tabs: Tab[]; param?: string }) {
  const [chosen, choose] = useParameter(param);
  return (
    <Base.Root value={chosen || tabs[0]?.id} onValueChange={(value) => choose(String(value))} className="flex flex-col gap-4">
      <Base.List aria-label={label} className="flex gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="-mb-px h-9 border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink data-active:border-ink data-active:font-medium data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="flex flex-col gap-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
