import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, expect, test } from 'vitest';
import { defineComponent, h, reactive } from 'vue';
import QuickShorten from '../../../renderer/content/links/QuickShorten.vue';
import CreateTeamDialog from '../../../renderer/identity/teams/CreateTeamDialog.vue';
import InviteDialog from '../../../renderer/identity/teams/InviteDialog.vue';
import JoinDialog from '../../../renderer/identity/teams/JoinDialog.vue';
import InviteUserDialog from '../../../renderer/identity/users/InviteDialog.vue';
import MailForm from '../../../renderer/operations/mail/MailForm.vue';
import type { ShownMail } from '../../../server/contract/mail.ts';
import type { Team } from '../../../server/contract/teams.ts';
import { account, fieldOf, fill, meta, openPage, press, settle } from '../page.ts';

const state = reactive({ open: false });
beforeEach(() => {
  state.open = false;
});

const team = { id: 4, name: 'Print shop', role: 'owner', version: 1 } as Team;
const mail = {
  mail: { host: 'smtp.example.com', port: 587, security: 'starttls', user: null, from: 'a@example.com' },
  fixed: [],
  haspassword: false,
  waiting: 0,
  failure: null,
} as unknown as ShownMail;

const answers = () => ({
  'GET /api/meta': meta(false),
  'GET /api/account': { body: { error: 0, data: account } },
  'POST /api/team/4/invite': {
    body: { error: 0, id: 1, code: 'x', link: 'https://go.example/admin/join#x', mailed: false },
  },
});

const dialogs = {
  'a new team': [CreateTeamDialog, 'Team name', {}],
  'the code of an invitation': [JoinDialog, 'Invitation link or code', {}],
  'an invitation to a team': [InviteDialog, 'Only for this email (optional)', { team }],
  'an invitation to the instance': [InviteUserDialog, 'Email', {}],
} as const;

/** A dialog that stays when it is closed. */
const dialogApp = (dialog: object, props: object) =>
  defineComponent(
    () => () =>
      h(UApp, { portal: '#overlays' }, () =>
        h(dialog, { ...props, open: state.open, 'onUpdate:open': (open: boolean) => (state.open = open) }),
      ),
  );

async function toggle(open: boolean): Promise<void> {
  state.open = open;
  await settle();
}

async function pressEscape(): Promise<void> {
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  );
  await settle();
}

test.each(Object.entries(dialogs))('%s keeps its input after Escape', async (_, [dialog, label, props]) => {
  await openPage(dialogApp(dialog, props), '/', answers());
  await toggle(true);
  await fill(label, 'half a w');
  await pressEscape();
  expect(state.open).toBe(false);
  await toggle(true);
  expect(fieldOf(label).value).toBe('half a w');
});

test('a half-typed address is still there after returning to the links', async () => {
  const page = defineComponent(() => () => h(UApp, () => (state.open ? h(QuickShorten) : undefined)));
  await openPage(page, '/links', answers());
  await toggle(true);
  const field = () => document.querySelector<HTMLInputElement>('input[inputmode="url"]');
  const shown = field();
  if (!shown) throw new Error('There is no field to shorten in.');
  shown.value = 'https://exa';
  shown.dispatchEvent(new Event('input', { bubbles: true }));
  await toggle(false);
  await toggle(true);
  expect(field()?.value).toBe('https://exa');
});

test('a sent invitation leaves nothing in the form', async () => {
  await openPage(dialogApp(InviteDialog, { team }), '/', answers());
  await toggle(true);
  await fill('Only for this email (optional)', 'eve@example.com');
  await press('Create invitation');
  await toggle(false);
  await toggle(true);
  expect(fieldOf('Only for this email (optional)').value).toBe('');
});

test('settings keep their input when their page is reopened, except passwords', async () => {
  const page = defineComponent(
    () => () => h(UApp, { portal: '#overlays' }, () => (state.open ? h(MailForm, { mail }) : undefined)),
  );
  await openPage(page, '/settings/mail', answers());
  await toggle(true);
  const user = document.querySelector<HTMLInputElement>('input[type="password"]');
  if (!user) throw new Error('There is no password field.');
  await fill('Mail server', 'mail.example.net');
  user.value = 'secret';
  user.dispatchEvent(new Event('input', { bubbles: true }));
  await toggle(false);
  await toggle(true);
  expect(fieldOf('Mail server').value).toBe('mail.example.net');
  expect(document.querySelector<HTMLInputElement>('input[type="password"]')?.value).toBe('');
  expect(document.body.textContent).toContain('Unsaved changes');
  await press('Discard');
  await toggle(false);
  await toggle(true);
  expect(fieldOf('Mail server').value).toBe('smtp.example.com');
});
