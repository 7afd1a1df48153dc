import { useCallback, useState } from "react";

/**
 * A text that a person types, while its value follows later, as the address does: no letter is lost, and the caret stays.
 * What else changes the value replaces the text.
 */
export function useTyped(value: string, onText: (text: string) => void) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // What was told, and is not the value yet.
  const [told, setTold] = useState<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const place = told.indexOf(value);
    setTold(place < 0 ? [] : told.slice(place + 1));
    // Back, or a link, changed it.
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
