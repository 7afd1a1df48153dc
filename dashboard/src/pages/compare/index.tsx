import type { Schemas } from "@/api/client";
import { useFiguresOf, type Figures } from "@/api/figures";
import { useApi } from "@/api/project";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { Combobox } from "@/ui/Combobox";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Panel, type PanelQuery } from "@/ui/Panel";
import { Tabs } from "@/ui/Tabs";
import { usePageSearch } from "@/ui/usePageSearch";
import { ErrorsOfOne } from "./ErrorsOfOne";
import { FilesOfOne } from "./FilesOfOne";
import { SideBySide } from "./SideBySide";
import { strings } from "./strings";

type Release = Schemas["Update"];

function useRelease(id: number) {
  return useApi().useQuery("get", "/v1/ota/updates/{id}", { params: { path: { id } } }, { enabled: id > 0 });
}

/** The page that compares two releases. Both are in the address. */
export default function Compare() {
  const [view, setView] = usePageSearch("/$project/releases/compare");
  const ids = [Number(view.release), Number(view.with)] as const;
  const [first, second] = [useRelease(ids[0]), useRelease(ids[1])];
  const { data: figures, error, refetch } = useFiguresOf(ids.filter((id) => id > 0)) as PanelQuery<Figures[]>;
  const chooser = (label: string, value: string, other: string, release: Release | undefined, onChange: (id: string) => void) => (
    <Field label={label}>
      <Combobox
        of="release"
        className="w-full"
        value={value}
        valueLabel={release ? releaseName(release) : releaseNumber(Number(value))}
        except={[other]}
        placeholder={strings.choose.placeholder}
        onChange={onChange}
      />
    </Field>
  );
  const known = first.data && second.data ? ([first.data, second.data] as const) : undefined;
  return (
    <Page title={strings.title} lead={strings.lead}>
      <Panel title={strings.choose.title}>
        <div className="grid gap-3 sm:grid-cols-2">
          {chooser(strings.choose.first, view.release, view.with, first.data, (release) => setView({ release }))}
          {chooser(strings.choose.second, view.with, view.release, second.data, (other) => setView({ with: other }))}
        </div>
      </Panel>
      {ids.includes(0) ? (
        <Empty title={strings.missing.title} text={strings.missing.text} />
      ) : (
        <>
          <Panel title={strings.sides.title} query={first.data ? second : first} flush placeholder="h-176 sm:h-128">
            {known && (
              <>
                {error != null && <Failure slim error={error} onRetry={() => void refetch()} />}
                <SideBySide releases={known} figures={new Map(figures?.map((each) => [each.updateId, each]))} />
              </>
            )}
          </Panel>
          {known && (
            <Tabs
              label={strings.parts}
              tabs={[
                { id: "errors", label: strings.errors.tab, content: <ErrorsOfOne releases={known} /> },
                { id: "files", label: strings.files.tab, content: <FilesOfOne releases={known} /> },
              ]}
            />
          )}
        </>
      )}
    </Page>
  );
}
