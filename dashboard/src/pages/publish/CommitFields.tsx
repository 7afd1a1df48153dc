import { Coded } from "@/ui/Coded";
import { Field } from "@/ui/Field";
import { strings } from "./strings";
import type { Git } from "./upload";

const { form: text } = strings;

/** The longest texts that the API takes. */
const maxHash = 128;
const maxName = 255;

/** The commit that the export was built from. `waft publish` reads it from git; a browser cannot. */
export function CommitFields({ git, disabled, onChange }: { git: Git; disabled: boolean; onChange: (git: Git) => void }) {
  const field = (name: keyof Git, label: string, maxLength: number) => (
    <Field label={label}>
      <input
        className="field"
        value={git[name] ?? ""}
        maxLength={maxLength}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...git, [name]: event.target.value })}
      />
    </Field>
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <div className="grid gap-3 sm:grid-cols-3">
        {field("gitCommitHash", text.commit, maxHash)}
        {field("gitBranch", text.branch, maxName)}
        {field("gitAuthor", text.author, maxName)}
      </div>
      <p className="text-xs text-muted">
        <Coded text={text.commitHint} />
      </p>
    </fieldset>
  );
}
