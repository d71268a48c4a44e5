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
  /** The purpose with which the password is encrypted. */
  purpose: string;
  /** The password given at startup; it takes precedence. */
  given: string | undefined;
  authorities: string | undefined;
}

/** Whether and how email is sent. */
export function mailSettings({ current, baseUrl, stored, vault, purpose, given, authorities }: Options) {
  /** The password, if it was entered for the current server: it is never sent to another one. */
  function password(host: string): string | undefined {
    if (given !== undefined) return given;
    const found = stored.find();
    return found?.host === host ? vault.open(found.sealed, purpose) : undefined;
  }

  return {
    isReady: (): boolean => current().mail.host !== null && current().mail.from !== null,

    /** The server and sender; undefined if not configured. */
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

    /** Stores a password for a server; null removes it. Runs inside a transaction. */
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

/** A server needs a sender, and unencrypted mail stays in the local network. */
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

/** Names are resolved on connecting. */
function isPublicAddress({ host }: MailSettings): boolean {
  return host !== null && ipaddr.isValid(host) && ipaddr.process(host).range() === 'unicast';
}
