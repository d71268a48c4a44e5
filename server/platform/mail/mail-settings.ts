import ipaddr from 'ipaddr.js';
import type { MailSettings, Settings } from '../../contract/settings.ts';
import { rejected } from '../errors.ts';
import type { SettingsRule } from '../settings/service.ts';
import type { Vault } from '../vault.ts';
import type { MailPasswordQueries } from './queries.ts';
import type { MailServer } from './submission.ts';

interface Options {
  current: () => Settings;
  baseUrl: () => string;
  stored: MailPasswordQueries;
  vault: Vault;
  /** What the password is sealed for. */
  purpose: string;
  /** The password that the start was told; it wins. */
  given: string | undefined;
  authorities: string | undefined;
}

/** Whether and how mail is sent. */
export function mailSettings({ current, baseUrl, stored, vault, purpose, given, authorities }: Options) {
  /** The password, where it was entered for the server that is set by now: no other one ever gets it. */
  function password(host: string): string | undefined {
    if (given !== undefined) return given;
    const found = stored.find();
    return found?.host === host ? vault.open(found.sealed, purpose) : undefined;
  }

  return {
    isReady: (): boolean => current().mail.host !== null && current().mail.from !== null,

    /** The server and the sender; undefined while there is none. */
    find(): { server: MailServer; from: string } | undefined {
      const { host, from, ...rest } = current().mail;
      if (host === null || from === null) return undefined;
      const name = new URL(baseUrl()).hostname;
      return { from, server: { ...rest, host, password: password(host), name, authorities } };
    },

    hasPassword(): boolean {
      const { host } = current().mail;
      return host !== null && password(host) !== undefined;
    },

    isPasswordGiven: given !== undefined,

    /** Keeps a password for a server; null forgets it. Runs inside a transaction. */
    keepPassword(text: string | null, host: string | null): void {
      if (given !== undefined) {
        throw rejected(
          'setting_fixed',
          'password',
          'The password is set at startup. Change it there and restart.',
        );
      }
      if (text === null || host === null) stored.remove();
      else stored.put({ host, sealed: vault.seal(text, purpose) });
    },
  };
}

export type MailConnection = ReturnType<typeof mailSettings>;

/** A server needs a sender, and what is not encrypted stays in the own network. */
export const mailRule: SettingsRule = ({ mail }) => {
  if (mail.host !== null && mail.from === null) {
    throw rejected('mail_incomplete', 'mail.from', 'Enter the address that emails come from.');
  }
  if (mail.security === 'none' && isPublicAddress(mail)) {
    throw rejected(
      'mail_plain',
      'mail.security',
      'Without encryption only servers in your own network can be used. Choose TLS or STARTTLS.',
    );
  }
};

/** Names are looked up when they are connected to. */
function isPublicAddress({ host }: MailSettings): boolean {
  return host !== null && ipaddr.isValid(host) && ipaddr.process(host).range() === 'unicast';
}
