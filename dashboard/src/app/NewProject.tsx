import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import type { Schemas } from "@/api/client";
import { asProblem, type Problem } from "@/api/problem";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { useFields } from "@/form/useFields";
import { strings } from "@/strings";
import { meQuery, peopleClient, queries } from "./session";

const { newProject: text } = strings;

interface Draft {
  name: string;
  slug: string;
}

/** The lazily loaded dialog that creates a project. Then the project's overview opens, which has the first steps. */
export default function NewProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const key = useRef<string | null>(null);
  const create = useMutation<Schemas["Project"], Problem, Draft>(
    {
      mutationFn: async ({ name, slug }) => {
        key.current ??= crypto.randomUUID();
        const { data } = await peopleClient.POST("/v1/ota/projects", {
          params: { header: { "Idempotency-Key": key.current } },
          body: { name, ...(slug && { slug }) },
        });
        return data as Schemas["Project"];
      },
      onSuccess: async ({ slug }) => {
        await queries.invalidateQueries({ queryKey: meQuery.queryKey });
        await queries.fetchQuery({ ...meQuery, staleTime: 0 });
        onClose();
        void navigate({ to: "/$project/overview", params: { project: slug }, ignoreBlocker: true });
      },
      onError: (error) => {
        if (!asProblem(error).isOutage) key.current = null;
      },
    },
    queries,
  );
  const fields = useFields<Draft>({ defaults: { name: "", slug: "" }, submit: create.mutate, problem: create.error && asProblem(create.error) });
  return (
    <FormDialog fields={fields} title={text.title} text={text.text} submit={text.submit} busy={create.isPending} onClose={onClose}>
      <Input of={fields} name="name" label={text.name} hint={text.nameHint} maxLength={100} autoComplete="off" rules={{ required: strings.form.required }} />
      <Input of={fields} name="slug" label={text.slug} hint={text.slugHint} autoComplete="off" spellCheck={false} className="font-mono" />
    </FormDialog>
  );
}
