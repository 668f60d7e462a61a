import { Icon } from './icons';
import { say } from './toast';

/** Copies a text that is made when it is needed. */
export function CopyButton({
  text,
  children,
  small = true,
}: {
  text(): string;
  children: string;
  small?: boolean;
}) {
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => say('Copied.'),
      () => say('The browser does not allow copying here.', 'bad'),
    );
  return (
    <button type="button" class={`btn ${small ? 'small' : ''}`} onClick={() => void copy()}>
      <Icon name="copy" size={14} />
      {children}
    </button>
  );
}
