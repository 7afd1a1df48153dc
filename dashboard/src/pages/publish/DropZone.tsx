import { FolderOpen } from "lucide-react";
import { useRef, useState } from "react";
import { asProblem, type Problem } from "@/api/problem";
import { bytes, count } from "@/format/format";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Coded } from "@/ui/Coded";
import { Command } from "@/ui/Command";
import { cx } from "@/ui/cx";
import { folderOfDrop, folderOfField } from "./chosenFiles";
import { readFolder, type Export, type Folder } from "./readFolder";
import { strings } from "./strings";

const { choose: text } = strings;

interface Props {
  exported: Export | null;
  /** Why another folder cannot be chosen now, or null if it can. */
  held: string | null;
  refusal: string | null;
  onExport: (exported: Export | null) => void;
}

/** The box into which a person drags the folder of an export, with a button that opens the browser's chooser of folders. */
export function DropZone({ exported, held, refusal, onExport }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const off = held ?? refusal;

  const read = async (folder: Folder | Promise<Folder>) => {
    setReading(true);
    setProblem(null);
    try {
      onExport(await readFolder(await folder));
    } catch (error) {
      onExport(null);
      setProblem(asProblem(error));
    } finally {
      setReading(false);
    }
  };

  return (
    <div
      data-testid="drop"
      className={cx("flex flex-col items-center gap-3 rounded-lg border border-dashed border-edge/60 p-6 text-center", isOver && "bg-selected")}
      onDragOver={(event) => {
        event.preventDefault();
        if (!off) setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!off) void read(folderOfDrop(event.dataTransfer));
      }}
    >
      {exported ? (
        <div role="status">
          <p className="font-medium">{text.chosen(exported.folder)}</p>
          {exported.platforms.map((part) => (
            <p key={part.platform} className="text-muted">
              {text.platform(frame.platforms[part.platform], count(part.files.length), bytes(part.sizeBytes), part.hasSourceMap)}
            </p>
          ))}
        </div>
      ) : (
        <>
          <p className="text-muted">{isReading ? text.reading : text.drop}</p>
          <Command line={text.command} />
        </>
      )}
      {problem && (
        <p role="alert" className="max-w-prose rounded-md bg-bad-soft px-3 py-2 text-bad">
          <Coded text={problem.message} />
        </p>
      )}
      <Button icon={<FolderOpen size={14} aria-hidden />} refusal={off} busy={isReading} command onClick={() => field.current?.click()}>
        {exported ? text.other : text.button}
      </Button>
      <input
        ref={(input) => {
          field.current = input;
          // React does not know this attribute.
          input?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        multiple
        tabIndex={-1}
        aria-label={text.input}
        className="sr-only"
        onChange={(event) => {
          if (event.target.files?.length) void read(folderOfField(event.target.files));
          event.target.value = "";
        }}
      />
    </div>
  );
}
