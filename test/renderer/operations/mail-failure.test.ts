import UApp from '@nuxt/ui/components/App.vue';
import { afterEach, expect, test } from 'vitest';
import { h } from 'vue';
import { showLanguage } from '../../../renderer/language.ts';
import MailForm from '../../../renderer/operations/mail/MailForm.vue';
import type { Language } from '../../../server/contract/languages.ts';
import type { ShownMail } from '../../../server/contract/mail.ts';
import { account, meta, openPage } from '../page.ts';

const server = 'smtp.example.com:465';
const mail: ShownMail = {
  mail: { host: 'smtp.example.com', port: 465, security: 'tls', user: 'anna', from: 'a@example.com' },
  fixed: [],
  haspassword: true,
  waiting: 1,
  failure: {
    message: `${server} refused the user or the password: “535 no”. Check both.`,
    code: 'mail_auth',
    data: { server, words: '535 no' },
    date: '2026-11-01 10:00:00',
  },
};

afterEach(() => showLanguage('en'));

async function textIn(language: Language, failure: ShownMail['failure']): Promise<string> {
  await showLanguage(language);
  const page = await openPage(
    () => h(UApp, () => h(MailForm, { mail: { ...mail, failure } })) as never,
    '/',
    {
      'GET /api/meta': meta(false),
      'GET /api/account': { body: { error: 0, data: account } },
    },
  );
  return page.text();
}

test.each(['de', 'fr', 'es', 'pt', 'ar'] as const)(
  "the reason why the last email was not sent is shown in the current language (%s), with the mail server's words",
  async (language) => {
    const text = await textIn(language, mail.failure);
    expect(text).toContain(server);
    expect(text).toContain('535 no');
    expect(text).not.toContain('refused the user');
  },
);

test("an older server's message is shown as it is", async () => {
  const { code: _code, data: _data, ...old } = mail.failure ?? { message: '', date: '' };
  expect(await textIn('de', old as ShownMail['failure'])).toContain('refused the user');
});
