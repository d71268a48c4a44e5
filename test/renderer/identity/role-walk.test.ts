import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiReply, ApiRequest } from '../../../preload/contract.ts';
import App from '../../../renderer/App.vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { type Action, powers, type Role, teamRuleOf } from '../../../server/contract/roles.ts';
import { features } from '../../../server/operations/instance/features.ts';
import { endpoints } from '../../support/endpoints.ts';
import { sampleOf } from '../../support/sample-reply.ts';
import { some } from '../../support/trials.ts';
import { type Answers, account, meta, openPage } from '../page.ts';

/*
 * Every page of a team is opened as a role over made-up answers in which somebody else created everything, and whatever
 * can be pressed on it is pressed. What the server would refuse by its own table of roles must not be asked of it.
 */

/** Saving a file takes happy-dom to the file's URL, and away from the page. */
beforeEach(() => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (!this.download) HTMLElement.prototype.click.call(this);
  });
});

const ruled = endpoints.map((endpoint) => ({
  endpoint,
  rule: teamRuleOf(endpoint),
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:[a-z]+/g, '[^/]+')}$`),
}));
const ada = { id: 1, name: 'Ada Lovelace' };
const grace = { id: 2, name: 'Grace Hopper' };

function endpointOf({ method, path }: ApiRequest) {
  const [bare] = path.split('?', 1);
  // A path that is written out comes before one with a parameter.
  return ruled
    .filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(bare ?? ''))
    .sort((one, other) => one.endpoint.path.split(':').length - other.endpoint.path.split(':').length)[0];
}

/** Whether a role is refused, where nothing was created by who asks. */
function isRefused(role: Role, { endpoint, rule }: NonNullable<ReturnType<typeof endpointOf>>): boolean {
  if (!(rule.acts in powers.owner)) return false;
  const power = powers[role][rule.acts as Action];
  if (power === false) return true;
  const changes = !endpoint.reads && rule.records.some((record) => record.changes) && rule.acts !== 'see';
  return changes && powers[role].edit !== true;
}

/** Lets what was pressed take effect. */
async function settle(): Promise<void> {
  await flushPromises();
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setTimeout(resolve, 0));
}

const nameOf = (button: Element) => (button.ariaLabel ?? button.textContent ?? '').trim();
const isUsable = (element: Element) =>
  !element.matches(':disabled, [data-disabled]') && !element.closest('fieldset[disabled]');
/** What can be pressed now: on the page, and in whatever was opened in front of it. */
function pressable(): HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>(
    '#content button, [role="dialog"] button, [role="menu"] [role^="menuitem"]',
  );
  return [...found].filter(
    (button) =>
      isUsable(button) && !button.closest('[data-account-switcher], [data-slot="toggle"], #app aside'),
  );
}

/** The title of a form that is open and can be filled in; searching fills in nothing. */
function openForm(): string | undefined {
  const fields = document.querySelectorAll('[role="dialog"] form :is(input, textarea):not([type="search"])');
  const field = [...fields].find(isUsable);
  return field && (field.closest('[role="dialog"]')?.querySelector('h2')?.textContent ?? '');
}

/**
 * Presses everything on the page at `path`. Resolves to what was asked of the server and is refused, and how often was
 * pressed.
 */
async function walk(role: Role, path: string): Promise<{ refused: readonly string[]; pressed: number }> {
  storedTokens(localStorage).write('local', 'the-token');
  const described = meta(false);
  described.body.data.features = [...features];
  const refused = new Set<string>();
  let last = 'opening it';
  const member = { ...ada, role };
  const known: Answers = {
    'GET /api/meta': described,
    'GET /api/account': {
      body: { error: 0, data: { ...account, id: 7, name: 'Rockets', email: '', member } },
    },
  };
  const marks = { created_by: grace, updated_by: grace, role, undo: null, nextpage: null };
  function answer(request: ApiRequest): Partial<ApiReply> {
    const asked = endpointOf(request);
    if (!asked) return { status: 404, body: { error: 1, code: 'not_found', message: 'Not found.' } };
    const { method, path: address, reply } = asked.endpoint;
    if (isRefused(role, asked)) refused.add(`“${last}” asks ${method} ${address}`);
    return { body: { error: 0, ...(sampleOf(reply, marks) as object) } };
  }
  const { router } = await openPage(
    App,
    `/team/7${path}`,
    new Proxy(known, { get: (own, key: string) => own[key] ?? answer }),
  );
  const done = new Set<string>();
  const isNew = (button: Element) => !done.has(nameOf(button));
  let menu: HTMLElement | undefined;
  for (let turn = 0; turn < 60; turn++) {
    if (router.currentRoute.value.path !== path) {
      await router.push(path);
      await settle();
    }
    // A menu closes when something in it is chosen; its other entries wait behind the same button.
    const next = pressable().find(isNew) ?? (menu?.isConnected ? menu : undefined);
    if (!next) break;
    if (next === menu) menu = undefined;
    else if (next.getAttribute('aria-haspopup') === 'menu') menu = next;
    else if (next.role?.startsWith('menuitem'))
      menu = document.querySelector<HTMLElement>('[aria-haspopup="menu"][aria-expanded="true"]') ?? menu;
    last = nameOf(next);
    done.add(last);
    next.click();
    await settle();
    const title = openForm();
    if (title !== undefined && (powers[role].create === false || title.startsWith('Edit')))
      refused.add(`“${last}” opens “${title}”`);
  }
  if (pressable().some(isNew)) throw new Error(`not everything on ${path} was pressed`);
  return { refused: [...refused], pressed: done.size };
}

/** The pages on which something is created, changed or deleted. */
const paths = [
  '/overview',
  '/links',
  '/links/20',
  '/campaigns/20',
  '/channels',
  '/channels/20',
  '/bio',
  '/bio/20',
  '/files',
  '/domains/20',
  '/overlays',
];

describe.each(['viewer', 'contributor'] as const)('a %s, where others created everything,', (role) => {
  // Whoever creates can press the whole form of a new link there, which is nobody else's.
  const walked =
    role === 'viewer' ? paths : paths.filter((path) => path !== '/overview' && path !== '/links');
  it.each(some(walked, { from: 2, short: 1 }))(
    'finds no control on %s that the server would refuse',
    async (path) => {
      const { refused, pressed } = await walk(role, path);
      expect(document.body.textContent).not.toContain('Couldn’t load');
      expect(refused).toEqual([]);
      expect(pressed).toBeGreaterThan(0);
    },
  );
});
