import type { SearchData } from './search-data';
import { type Found, searcher } from './search';

/** The folder of the site, as this page names it. */
const root = document.currentScript?.getAttribute('data-root') ?? '.';

declare global {
  var quarterjackSearch: SearchData | undefined;
}

addCopyButtons();
addSearch();

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = make('button', 'copy', 'Copy');
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 1_500);
      });
    });
    const frame = make('div', 'code');
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** A dialog whose results are links: Tab and the arrows go through them, Escape closes it. */
function addSearch(): void {
  const opener = document.querySelector<HTMLButtonElement>('button.search')!;
  const dialog = make('dialog', 'finder');
  dialog.setAttribute('aria-label', 'Search');
  const input = make('input', 'query');
  input.type = 'search';
  input.placeholder = 'Search the documentation';
  input.setAttribute('aria-label', 'Search the documentation');
  const count = make('p', 'count');
  count.setAttribute('role', 'status');
  const results = make('ul', 'results');
  dialog.append(input, count, results);
  document.body.append(dialog);

  const show = async (): Promise<void> => {
    const query = input.value.trim();
    const found = query === '' ? [] : (await searchOf())(query);
    if (input.value.trim() !== query) return;
    count.textContent = query === '' ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} found.`;
    results.replaceChildren(...found.map(resultOf));
  };
  const open = (): void => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    void searchOf();
  };
  input.addEventListener('input', () => void show());
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const stops = [input, ...results.querySelectorAll('a')];
    stops[stops.indexOf(document.activeElement as HTMLInputElement) + step]?.focus();
    event.preventDefault();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || (event.target as Element).closest('a')) dialog.close();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as Element).matches('input')) return;
    event.preventDefault();
    open();
  });
  opener.addEventListener('click', open);
  opener.hidden = false;
}

function resultOf({ path, title, heading, excerpt }: Found): HTMLElement {
  const item = make('li');
  const link = make('a');
  link.href = `${root}/${path}`;
  link.append(make('strong', '', heading), make('span', 'page', title), make('span', 'excerpt', excerpt));
  item.append(link);
  return item;
}

let search: Promise<(query: string) => Found[]> | undefined;

/** The data comes as a script, since pages that are opened from a folder cannot fetch. */
const searchOf = (): Promise<(query: string) => Found[]> =>
  (search ??= new Promise((done, fail) => {
    const script = make('script');
    script.src = `${root}/search.js`;
    script.addEventListener('load', () => done(searcher(globalThis.quarterjackSearch!)));
    script.addEventListener('error', () => fail(new Error('the search data cannot be loaded')));
    document.head.append(script);
  }));

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}
