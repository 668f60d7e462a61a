/** What had the focus last, with what it lay in: from the nearest outwards. */
interface Focused {
  element: HTMLElement;
  around: readonly Element[];
  path: string;
}

/**
 * Keeps the focus on the page. If the element that has it is removed, the nearest place around it gets the
 * focus. If the element was disabled while its request was under way, it gets the focus back. It works on
 * changes of the document, so it does not matter in which order answers arrive and dialogs close.
 */
export function keepFocus(): void {
  let last: Focused | undefined;
  // A reader who presses Tab or a pointer moves the focus away on purpose.
  let isMoving = false;
  const moves = (event: Event): void => {
    isMoving = !(event instanceof KeyboardEvent) || event.key === 'Tab';
  };
  const stays = (): void => void (isMoving = false);
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, moves, true);
  for (const type of ['pointerup', 'pointercancel', 'keyup']) addEventListener(type, stays, true);
  addEventListener('focusout', () => {
    if (isMoving) last = undefined;
  });
  addEventListener('focusin', ({ target }) => {
    stays();
    last = target instanceof HTMLElement ? focusedAt(target) : undefined;
  });
  new MutationObserver((changes) => {
    if (!last || (document.activeElement ?? document.body) !== document.body) return;
    const { element, around, path } = last;
    // On another page, the router moves the focus to the heading.
    if (path !== location.pathname) last = undefined;
    else if (!element.isConnected) focusOn(placeIn(around));
    else if (
      !element.matches(':disabled') &&
      changes.some(({ target, type }) => target === element && type === 'attributes')
    )
      focusOn(element);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function focusedAt(element: HTMLElement): Focused {
  const around: Element[] = [];
  for (let one = element.parentElement; one; one = one.parentElement) around.push(one);
  return { element, around, path: location.pathname };
}

/** The nearest place that is left: a group that takes the focus, or the heading of a card, dialog or page. */
function placeIn(around: readonly Element[]): HTMLElement | undefined {
  for (const one of around) {
    if (!one.isConnected) continue;
    const heading = one.matches('section, dialog, main') && one.querySelector<HTMLElement>('h1, h2');
    const place = heading || (one.matches('[tabindex]') ? (one as HTMLElement) : undefined);
    if (place) return place;
  }
  return undefined;
}

/** The window stays where it is, for the reader may read something else. */
function focusOn(place: HTMLElement | undefined): void {
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
