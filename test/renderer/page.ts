import { PiniaColada } from '@pinia/colada';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { vi } from 'vitest';
import type { Component } from 'vue';
import type { Router } from 'vue-router';
import type { ApiReply, ApiRequest } from '../../preload/contract.ts';
import { apiClient, type ClientOptions, installClient } from '../../renderer/api/client.ts';
import { useConnectionStore } from '../../renderer/api/connection.ts';
import { ApiFailure } from '../../renderer/api/failure.ts';
import { useInstanceStore } from '../../renderer/api/instance.ts';
import { useRateWait } from '../../renderer/api/rate-wait.ts';
import { useSessionStore } from '../../renderer/identity/session/session.ts';
import { pageRouter } from '../../renderer/router.ts';
import { translations } from '../../renderer/ui/sentences.ts';

type Answer = Partial<ApiReply> | 'unreachable';
export type Answers = Record<string, Answer | ((request: ApiRequest) => Answer)>;

/** An account as the contract has it, for replies. */
export const account = {
  id: 1,
  email: 'ada@example.com',
  username: 'ada',
  name: 'Ada Lovelace',
  avatar: '',
  status: 'pro',
  expires: null,
  registered: '2026-01-15 12:00:00',
  timezone: 'UTC',
};

export const meta = (setup: boolean) => ({
  body: {
    error: 0,
    data: {
      name: 'Waypost',
      version: '0.1.0',
      contract: '3',
      features: ['stats', 'links', 'import', 'files', 'audit', 'openapi', 'events'],
      setup,
    },
  },
});

export interface Page {
  readonly wrapper: VueWrapper;
  readonly router: Router;
  readonly requests: ApiRequest[];
  /** What the server answers from now on; the key is method and path, `GET /api/meta`. */
  readonly answers: Answers;
  text(): string;
}

/** Mounts `component` as main.ts does, over a server that gives these answers (404 for everything else). */
export async function openPage(component: Component, path: string, answers: Answers): Promise<Page> {
  const requests: ApiRequest[] = [];
  const transport: ClientOptions['transport'] = {
    async request(_instanceId, request) {
      requests.push(request);
      const known = answers[`${request.method} ${request.path.split('?', 1)[0]}`];
      const answer = typeof known === 'function' ? known(request) : known;
      if (answer === 'unreachable') throw new ApiFailure('unreachable', 'The server is not responding.');
      const missing = {
        status: 404,
        body: { error: 1, message: 'There is no such thing.', code: 'not_found' },
      };
      return { status: 200, headers: {}, body: null, ...(answer ?? missing) };
    },
  };
  const pinia = createPinia();
  setActivePinia(pinia);
  const instance = useInstanceStore();
  const session = useSessionStore();
  const connection = useConnectionStore();
  installClient(
    apiClient({
      transport,
      instanceId: () => instance.currentId,
      account: () => instance.team,
      onAccountLost: session.leaveTeam,
      onWait: useRateWait().begin,
      onUnauthorized: session.noteRefusal,
      onReached: (_id, reached) => connection.note(reached),
    }),
  );
  document.body.innerHTML = '<div id="app"></div><section id="overlays"></section>';
  window.history.replaceState(null, '', `/admin${path}`);
  const router = pageRouter();
  const wrapper = mount(component, {
    attachTo: '#app',
    global: { plugins: [pinia, PiniaColada, translations(), router] },
  });
  await instance.learn(undefined);
  if (router.options.history.location === '/') instance.recallTeam();
  await session.begin();
  await settle();
  return { wrapper, router, requests, answers, text: () => document.body.textContent ?? '' };
}

/** Lets lazy pages load and replies come in. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await flushPromises();
    await vi.dynamicImportSettled();
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** The field with this label, filled with `value`. */
export async function fill(label: string, value: string): Promise<void> {
  const field = fieldOf(label);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await flushPromises();
}

export function fieldOf(label: string): HTMLInputElement {
  const labels = [...document.querySelectorAll('label')];
  const found = labels.find((candidate) => candidate.textContent?.trim() === label);
  const field = found && document.getElementById(found.htmlFor);
  if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field “${label}”.`);
  return field;
}

/** Presses the button with this name and lets what follows happen. */
export async function press(name: string): Promise<void> {
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find((candidate) => nameOf(candidate) === name);
  if (!button) throw new Error(`There is no button “${name}”.`);
  button.click();
  if (button.type === 'submit')
    button.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settle();
}

/** What a screen reader calls a button: hints of keys are hidden from it. */
function nameOf(button: HTMLButtonElement): string | undefined {
  const read = button.cloneNode(true) as HTMLButtonElement;
  for (const hidden of read.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return (button.ariaLabel ?? read.textContent)?.trim();
}
