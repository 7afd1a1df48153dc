import { Fragment } from "react";

/** Shows a text. Parts in backticks are shown as code, without the backticks. */
export function Coded({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => (
    <Fragment key={index}>{index % 2 === 1 ? <code className="font-mono text-[0.925em] break-words">{part}</code> : part}</Fragment>
  ));
}
