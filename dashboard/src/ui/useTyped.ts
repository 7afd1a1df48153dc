import { useCallback, useState } from "react";

/**
 * Manages the text of an input whose value is stored elsewhere and updates later, such as in the address. Typed letters are not
 * lost and the caret stays in place. Any other change of the value replaces the text.
 */
export function useTyped(value: string, onText: (text: string) => void) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // Texts that were passed to onText and have not arrived as the value yet.
  const [told, setTold] = useState<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const place = told.indexOf(value);
    setTold(place < 0 ? [] : told.slice(place + 1));
    // The Back button or a link changed the value.
    if (place < 0) setText(value);
  }
  const tell = useCallback(
    (text: string) => {
      setTold((told) => [...told, text]);
      onText(text);
    },
    [onText],
  );
  return { text, setText, tell, isTold: text === (told.at(-1) ?? value) };
}
