import { useEventListener } from '@vueuse/core';
import { onScopeDispose, type Ref, watch } from 'vue';
import { isFocusFree, rememberFocus } from './focus-place.ts';

const field = [
  'input:not([type="hidden"],[type="file"],[type="checkbox"],[type="radio"])',
  'textarea',
  '[role="combobox"]',
  '[role="radio"][aria-checked="true"]',
]
  .map((kind) => `form ${kind}:not(:disabled)`)
  .join(',');
/** A `ScrollRegion`. */
const region = 'section[tabindex="0"]';
const openDialog = '[role="dialog"][data-state="open"]';

/**
 * Gives the initial focus of a dialog to its first form field instead of the Close button, and without fields to the
 * first button instead of a region that only has the focus in order to be scrolled. For `onOpenAutoFocus`.
 */
export function focusFirstField(event: Event): void {
  const dialog = event.currentTarget ?? event.target;
  if (!(dialog instanceof HTMLElement)) return;
  const start = dialog.querySelector(region) ? 'button:not(:disabled)' : field;
  const first = dialog.querySelector<HTMLElement>(field) ?? dialog.querySelector<HTMLElement>(start);
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/** The focus before a dialog opened, by the dialog's content. */
const before = new WeakMap<EventTarget, () => void>();

/** For `onOpenAutoFocus` of dialogs; `returnFocus` belongs to it. */
export function takeFocus(event: Event): void {
  if (event.target) before.set(event.target, rememberFocus(document));
  focusFirstField(event);
}

/** For `onCloseAutoFocus`: moves the focus to where it was before `takeFocus`, or to what took its place. */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const { target } = event;
  if (target instanceof Node && isFree(target)) before.get(target)?.();
}

/**
 * Returns a handler for `onCloseAutoFocus` that returns the focus to the element that had it when the dialog opened,
 * unless the user has moved it elsewhere. Non-modal dialogs do so on their own only for their own trigger button.
 */
export function useReturnedFocus(isOpen: Readonly<Ref<boolean>>): (event: Event) => void {
  let restore: (() => void) | undefined;
  const learn = (opens: boolean) => {
    if (opens) restore = rememberFocus(document);
  };
  // Synchronously, before a field of the dialog receives the focus.
  watch(isOpen, learn, { flush: 'sync', immediate: true });
  return (event) => {
    event.preventDefault();
    if (event.target instanceof Node && isFree(event.target)) restore?.();
  };
}

/** Whether nothing outside of the closing `dialog` has the focus. */
function isFree(dialog: Node): boolean {
  return isFocusFree(document) || dialog.contains(document.activeElement);
}

/**
 * Behavior of all forms, on pages and in dialogs: Ctrl/Cmd+Enter submits, and the first field with an error gets the
 * focus, or a field that appears because of the answer, such as that for a code. Called once by the app.
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
    // Like Enter in a field: nothing is submitted if the submit button is disabled.
    if (!button?.disabled) form.requestSubmit();
  }
  useEventListener(target, 'keydown', submitByKeys);
  // In the capture phase, because a select would open its menu on the same key.
  const submitFromMenu = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLButtonElement) || event.target.role !== 'combobox') return;
    submitByKeys(event);
    if (event.defaultPrevented) event.stopPropagation();
  };
  useEventListener(target, 'keydown', submitFromMenu, { capture: true });

  // A select closes immediately and returns the focus to its button, which the same Enter would press again.
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
  // Stop managing the focus once the user does something else.
  for (const name of ['pointerdown', 'keydown', 'input'] as const) {
    const onAct = (event: Event) => {
      // The second Enter of a double press: the field of the first one is disabled during submission.
      const isSecond = event instanceof KeyboardEvent && event.key === 'Enter' && isFocusFree(target);
      if (!isSecond) stop?.();
    };
    useEventListener(target, name, onAct, { capture: true });
  }
  onScopeDispose(() => stop?.());
}

/** A second Enter within this time belongs to the form that the first one submitted. Milliseconds. */
const doublePause = 500;

/**
 * Blocks the second Enter of a double press: after the first one closed the form, it would activate the row or button
 * behind it.
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

/** The form that a keystroke applies to: the enclosing form, or that of the topmost dialog. */
function formAt(target: Document, at: EventTarget | null): HTMLFormElement | undefined {
  const around = at instanceof Element ? at.closest('form') : null;
  if (around) return around;
  const dialog = [...target.querySelectorAll(openDialog)].at(-1);
  return dialog?.querySelector('form') ?? undefined;
}

/** Manages the focus of a form during submission. Returns a function that stops it. */
function followForm(form: HTMLFormElement): () => void {
  const { ownerDocument: page } = form;
  const before = page.activeElement;
  const known = new Set(form.querySelectorAll(field));

  function look(): void {
    const at = page.activeElement;
    const faulty = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')].find(
      (element) => element.tabIndex >= 0 && !element.matches(':disabled'),
    );
    const added = [...form.querySelectorAll<HTMLElement>(field)].find((element) => !known.has(element));
    if (faulty) {
      faulty.focus();
      stop();
    } else if (added && (at === page.body || at === before)) {
      known.add(added);
      added.focus();
    }
  }

  const observer = new MutationObserver(look);
  const stop = () => observer.disconnect();
  // Sections that contain an error may have to open first.
  observer.observe(form, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-invalid', 'disabled'],
  });
  // Handles errors that were shown before and cause no DOM change.
  requestAnimationFrame(() => form.isConnected && look());
  return stop;
}
