import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';

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
 * What every form does, on a page and in a dialog: Ctrl or Cmd and Enter submit it, the first field with an error gets
 * the focus, and a field that was disabled while the form was sent has the focus again. The app asks for it once.
 */
export function useFormKeys(target: Document): void {
  useEventListener(target, 'keydown', (event: KeyboardEvent) => {
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
  });

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
