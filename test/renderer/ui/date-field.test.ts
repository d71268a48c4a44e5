import UApp from '@nuxt/ui/components/App.vue';
import UFormField from '@nuxt/ui/components/FormField.vue';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import DateField from '../../../renderer/ui/DateField.vue';
import TimeField from '../../../renderer/ui/TimeField.vue';
import { account, fieldOf, fill, meta, openPage, press, settle } from '../page.ts';

const value = ref('');
afterEach(() => {
  value.value = '';
  vi.useRealTimers();
});

/** A form's field over `value`, at half past nine in Berlin. */
async function show(
  field: typeof DateField | typeof TimeField,
  props: object = {},
): Promise<HTMLInputElement> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T08:30:00Z') });
  const App = defineComponent(
    () => () =>
      h(UApp, { portal: '#overlays' }, () =>
        h(UFormField, { label: 'Expires' }, () =>
          h(field, {
            ...props,
            modelValue: value.value,
            'onUpdate:modelValue': (now: string) => {
              value.value = now;
            },
          }),
        ),
      ),
  );
  storedTokens(localStorage).write('local', 'the-token');
  await openPage(App, '/overview', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: { ...account, timezone: 'Europe/Berlin' } } },
  });
  return fieldOf('Expires');
}

async function key(name: string, init: KeyboardEventInit = {}): Promise<void> {
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(
    new KeyboardEvent('keydown', { key: name, code: name, bubbles: true, cancelable: true, ...init }),
  );
  await settle();
}

async function pressIcon(name: string): Promise<void> {
  document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();
  await settle();
}

const day = () => (document.activeElement as HTMLElement).dataset.value;

describe('a date field', () => {
  test('accepts typed dates, and formats them like the rest of the page', async () => {
    const field = await show(DateField);
    await fill('Expires', '12/24/2026');
    expect(value.value).toBe('2026-12-24');
    field.dispatchEvent(new Event('blur'));
    await nextTick();
    expect(field.value).toBe('Dec 24, 2026');
  });

  test('keeps what it cannot read, and explains the format', async () => {
    const field = await show(DateField);
    value.value = '2026-12-01';
    await settle();
    await fill('Expires', 'next spring');
    expect(value.value).toBe('2026-12-01');
    field.dispatchEvent(new Event('blur'));
    await nextTick();
    expect(value.value).toBe('next spring');
    expect(field.value).toBe('next spring');
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('Dec 24, 2027');
  });

  test('commits the input before a key submits or closes the form', async () => {
    const field = await show(DateField);
    for (const name of ['Enter', 'Escape']) {
      await fill('Expires', `soon, ${name}`);
      let held = '';
      document.addEventListener('keydown', () => (held = value.value), { once: true });
      field.focus();
      await key(name);
      expect(held).toBe(`soon, ${name}`);
    }
  });

  test('opens its calendar by key at the current value, with keys for weeks, months and years', async () => {
    const field = await show(DateField);
    value.value = '2027-01-31';
    await settle();
    field.focus();
    await key('ArrowDown');
    await expect.poll(day).toBe('2027-01-31');
    for (const [name, shift, at] of [
      ['ArrowLeft', false, '2027-01-30'],
      ['ArrowDown', false, '2027-02-06'],
      ['Home', false, '2027-02-01'],
      ['End', false, '2027-02-28'],
      ['PageUp', false, '2027-01-28'],
      ['PageDown', true, '2028-01-28'],
    ] as const) {
      await key(name, { shiftKey: shift });
      expect(day(), name).toBe(at);
    }
    await key('Enter');
    expect(value.value).toBe('2028-01-28');
    await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
  });

  test('is left by Escape without a change', async () => {
    const field = await show(DateField);
    field.focus();
    await key('ArrowDown');
    await expect.poll(day).toBe('2026-11-23');
    await key('ArrowRight');
    await key('Escape');
    await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
    expect(value.value).toBe('');
  });

  test.each([
    ['Tomorrow', '2026-11-24T09:30'],
    ['In a week', '2026-11-30T09:30'],
    ['End of month', '2026-11-30T23:59'],
    ['In a year', '2027-11-23T09:30'],
  ])("interprets %s by the account's clock", async (name, meant) => {
    await show(DateField, { precision: 'minute' });
    await pressIcon('Choose a date');
    await press(name);
    expect(value.value).toBe(meant);
  });

  test('keeps the time when another day is selected, and has a button to clear it', async () => {
    await show(DateField, { precision: 'minute' });
    value.value = '2026-12-24T18:30';
    await settle();
    await pressIcon('Change date, Dec 24, 2026, 6:30 PM');
    (document.querySelector('[data-value="2026-12-31"]') as HTMLElement).click();
    await settle();
    expect(value.value).toBe('2026-12-31T18:30');
    await press('Clear');
    expect(value.value).toBe('');
  });
});

describe('a time field', () => {
  test('moves by quarter hours, across midnight as well', async () => {
    const field = await show(TimeField);
    await fill('Expires', '9:40 am');
    field.focus();
    await key('ArrowUp');
    expect(value.value).toBe('09:45');
    await key('ArrowDown');
    await key('ArrowDown');
    expect(value.value).toBe('09:15');
    value.value = '23:50';
    await settle();
    await key('ArrowUp');
    expect(value.value).toBe('00:00');
    expect(field.value).toBe('12:00 AM');
  });
});
