import { useState } from 'preact/hooks';

import { Icon } from './icons';

const TAG = /^[^:]+:.+$/;

interface TagFilterProps {
  tags: readonly string[];
  onChange(tags: string[]): void;
}

/** Tags that a job must have, each as `key:value`. */
export function TagFilter({ tags, onChange }: TagFilterProps) {
  const [text, setText] = useState('');
  const isWrong = text !== '' && !TAG.test(text);
  const add = () => {
    if (!TAG.test(text)) return;
    onChange([...new Set([...tags, text])]);
    setText('');
  };
  return (
    <>
      <label class="field">
        Tag
        <input
          class="tag-input"
          value={text}
          placeholder="team:billing"
          aria-invalid={isWrong}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
          onBlur={add}
        />
      </label>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="btn"
          aria-label={`Remove the tag ${tag}`}
          onClick={() => onChange(tags.filter((one) => one !== tag))}
        >
          {tag} <Icon name="close" size={12} />
        </button>
      ))}
    </>
  );
}
