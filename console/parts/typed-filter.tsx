import { useEffect, useRef, useState } from 'preact/hooks';

import { Icon } from './icons';

const AFTER_LAST_KEY_MS = 300;

interface TypedFilterProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** A text that narrows a list. It stays as it is typed, whatever the list does meanwhile. */
export function TypedFilter({ label, value, onChange }: TypedFilterProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText((sent.current = value)); // the address changed: Back, or Clear
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => onChange((sent.current = text.trim())), AFTER_LAST_KEY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="field grow">
      <Icon name="find" />
      <span class="hidden">{label}</span>
      <input
        value={text}
        placeholder={label}
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
