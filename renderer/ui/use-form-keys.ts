import { useEventListener } from '@vueuse/core';
import { onScopeDispose, type Ref, watch } from 'vue';

const field = [
  'input:not([type="hidden"],[type="file"],[type="checkbox"],[type="radio"])',
  'textarea',
  '[role="combobox"]',
  '[role="radio"][aria-checked="true"]',
]
  .map((kind) => `form ${kind}:not(:disabled)`)
  .join(',');
const openDialog = '[role="dialog"][data-state="open"]';

/** Starts a dialog with a form in its first field, not on the button that closes it. Given as `onOpenAutoFocus`. */
export function focusFirstField(event: Event): void {
  const dialog = event.currentTarget ?? event.target;
  const first = dialog instanceof HTMLElement ? dialog.querySelector<HTMLElement>(field) : undefined;
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/**
 * Returns what gives the focus back to where it was when a dialog opened, unless the person is elsewhere by now: for
 * `onCloseAutoFocus`. A dialog that leaves the page in reach does so by itself only for a button that is a part of it.
 */
export function useReturnedFocus(isOpen: Readonly<Ref<boolean>>): (event: Event) => void {
  let opener: HTMLElement | undefined;
  const learn = (opens: boolean) => {
    if (opens) opener = openerAt(document);
  };
  // Before a field of the dialog has the focus.
  watch(isOpen, learn, { flush: 'sync', immediate: true });
  return (event) => {
    event.preventDefault();
    const { activeElement: at, body } = document;
    const isLeft = event.target instanceof Node && event.target.contains(at);
    if (at === null || at === body || isLeft) opener?.focus({ preventScroll: true });
  };
}

/** What has the focus; for an item of a menu, which is about to go, the button of the menu. */
function openerAt(page: Document): HTMLElement | undefined {
  const at = page.activeElement;
  const menu = at?.closest('[role="menu"]');
  const button = menu && page.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return button ?? (at instanceof HTMLElement && at !== page.body ? at : undefined);
}

/**
 * What every form does, on a page and in a dialog: Ctrl or Cmd and Enter submit it, the first field with an error gets
 * the focus, and a field that was disabled while the form was sent has the focus again. The app asks for it once.
 */
export function useFormKeys(target: Document): void {
  function submitByKeys(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || event.repeat)
      return;
    const form = formAt(target, event.target);
    if (!form) return;
    event.preventDefault();
    const button = [...form.elements].find(
      (element): element is HTMLButtonElement =>
        element instanceof HTMLButtonElement && element.type === 'submit',
    );
    // As Enter does in a field: nothing is sent where the button does nothing.
    if (!button?.disabled) form.requestSubmit();
  }
  useEventListener(target, 'keydown', submitByKeys);
  // A menu of values would open by it.
  const submitFromMenu = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLButtonElement) || event.target.role !== 'combobox') return;
    submitByKeys(event);
    if (event.defaultPrevented) event.stopPropagation();
  };
  useEventListener(target, 'keydown', submitFromMenu, { capture: true });

  // A list of choices closes at once and gives the focus back, so that the same Enter would open it again.
  useEventListener(target, 'keydown', (event: KeyboardEvent) => {
    const isChoice = event.target instanceof Element && event.target.closest('[role="option"]') !== null;
    if (event.key === 'Enter' && isChoice) event.preventDefault();
  });

  useEventListener(target, 'keydown', secondEnter(target), { capture: true });

  let stop: (() => void) | undefined;
  useEventListener(
    target,
    'submit',
    (event: SubmitEvent) => {
      stop?.();
      if (event.target instanceof HTMLFormElement) stop = followForm(event.target);
    },
    { capture: true },
  );
  // From then on the person is somewhere else.
  for (const name of ['pointerdown', 'keydown', 'input'] as const) {
    useEventListener(target, name, () => stop?.(), { capture: true });
  }
  onScopeDispose(() => stop?.());
}

/** How soon a second Enter is still meant for the form that the first one sent. Milliseconds. */
const doublePause = 500;

/**
 * Stops the second Enter of two in a row: a form that is gone by then had the first, and the row or button behind it
 * would take it for its own.
 */
function secondEnter(page: Document): (event: KeyboardEvent) => void {
  let first: { at: number; dialog: Element } | undefined;
  return (event) => {
    const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey;
    const dialog = event.target instanceof Element ? event.target.closest('[role="dialog"]') : null;
    const isSecond =
      isEnter && first && !first.dialog.isConnected && event.timeStamp - first.at < doublePause;
    if (isSecond && !page.querySelector(openDialog)) {
      event.preventDefault();
      event.stopPropagation();
    }
    const isSent = isEnter && dialog && event.target instanceof HTMLInputElement;
    first = isSent ? { at: event.timeStamp, dialog } : isSecond ? first : undefined;
  };
}

/** The form that a keystroke is meant for: the one around it, or that of the dialog on top. */
function formAt(target: Document, at: EventTarget | null): HTMLFormElement | undefined {
  const around = at instanceof Element ? at.closest('form') : null;
  if (around) return around;
  const dialog = [...target.querySelectorAll(openDialog)].at(-1);
  return dialog?.querySelector('form') ?? undefined;
}

/** Looks after the focus of a form that is being sent. Returns the function that ends it. */
function followForm(form: HTMLFormElement): () => void {
  const { ownerDocument: page } = form;
  const before = page.activeElement;

  function look(): void {
    const faulty = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')].find(
      (element) => element.tabIndex >= 0 && !element.matches(':disabled'),
    );
    if (faulty) {
      faulty.focus();
      stop();
    } else if (
      page.activeElement === page.body &&
      before instanceof HTMLElement &&
      !before.matches(':disabled')
    ) {
      before.focus();
    }
  }

  const observer = new MutationObserver(look);
  const stop = () => observer.disconnect();
  // Sections that hold a fault may open first.
  observer.observe(form, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-invalid', 'disabled'],
  });
  // Faults that stood there before are still there, and change nothing.
  requestAnimationFrame(() => form.isConnected && look());
  return stop;
}
