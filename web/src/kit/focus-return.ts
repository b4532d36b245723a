/** What opened each dialog that is open or was open last. */
const openers = new WeakMap<Element, Element | null>();

/** The element to return to from a dialog that opens now. */
export function openerNow(): Element | null {
  const { activeElement: element } = document;
  return (element && buttonAround(element)) ?? element;
}

/** An entry of a menu or of a popover goes with it; the button that opened it stays. */
function buttonAround(element: Element): Element | null {
  const menu = element.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (menu) {
    return document.getElementById(menu);
  }
  const popover = element.closest('[data-popover]')?.id;
  return popover ? document.querySelector(`[aria-controls="${CSS.escape(popover)}"]`) : null;
}

/** For a menu or a popover that closes: an action that moved the focus elsewhere keeps it there. */
export function stayElsewhere(event: Event): void {
  const { activeElement: focused } = document;
  const closing = event.currentTarget;
  const isElsewhere = closing instanceof Node && !closing.contains(focused);
  if (focused && focused !== document.body && isElsewhere) {
    event.preventDefault();
  }
}

/** Remembers what opened a dialog, for dialogs that open from it and outlive it. */
export function keepOpener(dialog: Element | null, opener: Element | null): void {
  if (dialog) {
    openers.set(dialog, opener);
  }
}

/** Focuses what opened a dialog. If it is gone: what opened the dialog around it, or the page. */
export function returnFocus(opener: Element | null): void {
  let to = opener;
  while (to && !to.isConnected) {
    const around = to.closest('[data-modal]');
    to = (around && openers.get(around)) ?? null;
  }
  const target = to && to !== document.body ? to : document.getElementById('main');
  if (target instanceof HTMLElement) {
    target.focus();
  }
}
